/// Unicode scalars in UTF-8 text, which need not be well-formed (RFC 3629).
package enum UTF8Scalars {
    /// The length of the well-formed scalar at an offset, 1 to 4, or 1 for a byte where none begins.
    ///
    /// Overlong forms, surrogates and numbers above U+10FFFF are not well-formed (RFC 3629, section 4).
    ///
    /// - Parameter offset: An offset inside the text.
    @inlinable
    package static func length(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let first = bytes[offset]
        if first < 0xC2 || first > 0xF4 { return 1 }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard length <= bytes.count - offset else { return 1 }
        // Only the second byte's range depends on the first.
        let second = bytes[offset + 1]
        let lowest: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard second >= lowest, second <= highest else { return 1 }
        if length > 2, bytes[offset + 2] & 0xC0 != 0x80 { return 1 }
        if length > 3, bytes[offset + 3] & 0xC0 != 0x80 { return 1 }
        return length
    }

    /// The scalar at an offset whose length is known to be so many bytes; for a length of 1 the byte.
    @inlinable
    package static func value(_ bytes: UnsafeRawBufferPointer, at offset: Int, length: Int) -> UInt32 {
        let first = UInt32(bytes[offset])
        if length == 1 { return first }
        var value = first & (0xFF >> UInt32(length + 1))
        for index in 1..<length { value = value << 6 | UInt32(bytes[offset + index] & 0x3F) }
        return value
    }

    /// Writes a scalar at an offset.
    ///
    /// - Returns: the number of bytes written, 1 to 4, or nil if they do not fit.
    @inlinable
    package static func write(_ scalar: UInt32, into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
        let length = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
        guard length <= target.count - offset else { return nil }
        if length == 1 {
            target[offset] = UInt8(truncatingIfNeeded: scalar)
            return 1
        }
        var rest = scalar
        for index in stride(from: length - 1, to: 0, by: -1) {
            target[offset + index] = UInt8(truncatingIfNeeded: rest & 0x3F | 0x80)
            rest >>= 6
        }
        target[offset] = UInt8(truncatingIfNeeded: rest | ~(0xFF >> UInt32(length)))
        return length
    }
}

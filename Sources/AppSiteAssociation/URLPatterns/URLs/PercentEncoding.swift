/// Bytes with their escapes decoded, and where each of them was.
struct DecodedText {
    private(set) var bytes: [UInt8] = []
    /// For each byte the offset in the text where it, or its escape, begins; then the length of the text.
    private(set) var starts: [Int] = []

    init(_ text: [UInt8]) {
        bytes.reserveCapacity(text.count)
        starts.reserveCapacity(text.count + 1)
        var offset = 0
        while offset < text.count {
            starts.append(offset)
            if text[offset] == UInt8(ascii: "%"), offset + 2 < text.count,
                let byte = OpenDecisions.decodedEscape(text[offset + 1], text[offset + 2])
            {
                bytes.append(byte)
                offset += 3
            } else {
                bytes.append(text[offset])
                offset += 1
            }
        }
        starts.append(text.count)
    }
}

/// Text with escapes (RFC 3986, section 2.1).
enum EscapedText {
    /// The text without its escapes, as far as that is text: what would be no UTF-8 stays escaped.
    static func decoded(_ text: [UInt8]) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
        let decoded = DecodedText(text)
        var result: [UInt8] = []
        result.reserveCapacity(decoded.bytes.count)
        decoded.bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let length = UTF8Scalars.length(bytes, at: offset)
                if length == 1, bytes[offset] >= 0x80 {
                    result += text[decoded.starts[offset]..<decoded.starts[offset + 1]]
                } else {
                    result += bytes[offset..<(offset + length)]
                }
                offset += length
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

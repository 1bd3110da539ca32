internal import BoundedText

/// Percent-encoding (RFC 3986, section 2.1) in segments of paths and in queries.
package enum PercentEncoding {
    /// The bytes that an escaped text stands for; nil if a `%` in it begins no escape. A `+` is one.
    package static func bytes(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Characters.hexValue),
                let low = rest.popFirst().flatMap(Characters.hexValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The text that an escaped one stands for; nil also if it is not UTF-8.
    package static func text(_ text: Substring) -> String? {
        bytes(text).flatMap { String(validText: $0) }
    }

    /// The text with everything escaped but what a segment and a query may have as it is (`unreserved`).
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            bytes +=
                Characters.isUnreserved(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(text: bytes)
    }
}

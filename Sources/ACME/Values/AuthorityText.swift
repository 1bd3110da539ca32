internal import BoundedText

/// Escaping of texts that a CA or a server on its way has written, for logs, messages and JSON.
package enum AuthorityText {
    /// The most bytes of a text that are shown.
    package static let limit = 300

    /// The text cut to 300 bytes and escaped as in the access log: everything but printable ASCII, and quotation marks
    /// and backslashes, is `\xHH`. No terminal and no reader of logs can take any of it for something to act on.
    package static func shown(_ text: some StringProtocol, limit: Int = limit) -> String {
        shown(bytes: text.utf8, limit: limit)
    }

    /// Cuts and escapes bytes that need not be UTF-8.
    package static func shown(bytes text: some Sequence<UInt8>, limit: Int = limit) -> String {
        let bytes = Array(text.prefix(limit + 1))
        var end = bytes.count
        if bytes.count > limit {
            end = limit
            // Not within a character.
            while end > 0, limit - end < 3, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        var shown: [UInt8] = []
        shown.reserveCapacity(end + 3)
        for byte in bytes[..<end] {
            let isPlain = 0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            if isPlain {
                shown.append(byte)
            } else {
                shown += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(text: shown) + (end < bytes.count ? "..." : "")
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

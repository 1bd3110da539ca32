internal import BoundedText
internal import URLPatterns

/// A place in a text or a URL of the file where a capture is to be inserted: `{name}`.
struct CaptureToken {
    /// The place with its braces.
    let range: Range<Int>
    let name: String
    /// Whether a pattern follows the name, as only a route has it.
    let hasPattern: Bool

    /// The places in a text, in order; braces around anything but a name are plain text.
    static func all(in text: [UInt8]) -> [CaptureToken] {
        var tokens: [CaptureToken] = []
        var start = text.firstIndex(of: UInt8(ascii: "{"))
        while let brace = start {
            let rest = text[(brace + 1)...]
            let end = rest.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
            guard let end else { break }
            start = text[end] == UInt8(ascii: "{") ? end : text[end...].firstIndex(of: UInt8(ascii: "{"))
            let name = text[(brace + 1)..<end].prefix { $0.isWord || $0 == UInt8(ascii: "-") }
            guard text[end] == UInt8(ascii: "}"), let first = name.first, !first.isDigit, first != UInt8(ascii: "-"),
                name.endIndex == end || text[name.endIndex] == UInt8(ascii: ":")
            else { continue }
            tokens.append(
                CaptureToken(
                    range: brace..<end + 1, name: String(text: name), hasPattern: name.endIndex < end))
        }
        return tokens
    }
}

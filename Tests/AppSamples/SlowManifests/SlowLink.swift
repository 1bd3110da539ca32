/// A link cut into its parts as RFC 3986 says, each decoded from UTF-8.
package struct SlowLink: Sendable {
    package let scheme: String
    package let host: String
    package let port: String?
    package let path: [UInt16]
    /// Nil without a `?`.
    package let query: [UInt16]?
    /// Nil without a `#`.
    package let fragment: [UInt16]?
    package let schemeSpecificPart: [UInt16]

    package init?(_ url: String) {
        guard let mark = url.firstIndex(of: ":") else { return nil }
        scheme = url[..<mark].lowercased()
        var rest = url[url.index(after: mark)...]
        guard rest.hasPrefix("//") else { return nil }
        let hash = rest.firstIndex(of: "#")
        fragment = hash.map { Self.decoded(rest[rest.index(after: $0)...]) }
        rest = rest[..<(hash ?? rest.endIndex)]
        schemeSpecificPart = Self.decoded(rest)
        rest = rest.dropFirst(2)
        let question = rest.firstIndex(of: "?")
        query = question.map { Self.decoded(rest[rest.index(after: $0)...]) }
        rest = rest[..<(question ?? rest.endIndex)]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let decodedPath = Self.decoded(rest[slash...])
        // The root is asked for by both.
        path = decodedPath.isEmpty ? Array("/".utf16) : decodedPath
        let authority = rest[..<slash].split(separator: ":", omittingEmptySubsequences: false)
        host = authority[0].lowercased()
        port = authority.count > 1 ? String(authority[1]) : nil
    }

    /// The items of the decoded query. What is empty at its end is none, as Java's `split` has it in Android's public source:
    /// `a=1&` is one piece, which is cut at `;` then, and stays as it is.
    package var queryItems: [ArraySlice<UInt16>] {
        guard let query else { return [] }
        let items = Self.split(query, "&")
        return items.count == 1 ? Self.split(query, ";") : items
    }

    private static func split(_ text: [UInt16], _ separator: Unicode.Scalar) -> [ArraySlice<UInt16>] {
        guard text.contains(UInt16(ascii: separator)) else { return [text[...]] }
        let pieces = text.split(separator: UInt16(ascii: separator), omittingEmptySubsequences: false)
        return Array(pieces[..<(pieces.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0)])
    }

    private static func decoded(_ text: Substring) -> [UInt16] {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = String(Substring(rest.prefix(2)))
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return Array(String(decoding: bytes, as: UTF8.self).utf16)
    }
}

extension UInt16 {
    fileprivate init(ascii character: Unicode.Scalar) { self = UInt16(character.value) }
}

internal import BoundedText

/// The destinations that the `meta` and `link` elements of a page declare.
struct DeclaredLinks {
    /// The values by `property` or `name` of a `meta`, or by `rel` of a `link`; the first of each counts.
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    /// - Parameter html: The beginning of a page, in any encoding that has ASCII.
    init(_ html: [UInt8]) {
        var rest = html[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            let tag = Self.word(&rest) { Self.isSpace($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }
            guard tag == "meta" || tag == "link" else { continue }
            let attributes = Self.attributes(&rest)
            let names = [attributes["property"], attributes["name"], attributes["rel"]].compactMap { $0 }
            guard let value = attributes[tag == "meta" ? "content" : "href"]?.trimmed, !value.isEmpty else { continue }
            for name in names where values[name.lowercased()] == nil { values[name.lowercased()] = value }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// The bytes up to one that ends them, in lower case; no more than 64 of them are looked at.
    private static func word(_ rest: inout ArraySlice<UInt8>, until isEnd: (UInt8) -> Bool) -> String {
        let word = rest.prefix(64).prefix { !isEnd($0) }
        rest = rest[word.endIndex...]
        return String(text: word.map(CaseFolding.ascii))
    }

    /// The attributes up to the end of the tag.
    private static func attributes(_ rest: inout ArraySlice<UInt8>) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: "/") }
            guard let first = rest.first, first != UInt8(ascii: ">") else { return attributes }
            let name = word(&rest) { isSpace($0) || [0x2F, 0x3D, 0x3E].contains($0) }
            rest = rest.drop(while: isSpace)
            guard rest.first == UInt8(ascii: "=") else {
                // What is no attribute at all is skipped.
                if name.isEmpty { rest = rest.dropFirst() }
                continue
            }
            rest = rest.dropFirst().drop(while: isSpace)
            let value: ArraySlice<UInt8>
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: ">") }
                rest = rest[value.endIndex...]
            }
            if attributes[name] == nil { attributes[name] = unescaped(String(text: value)) }
        }
    }

    /// The text with the character references that are in URLs and IDs.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var text = text
        for (reference, character) in [
            ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&#x2F;", "/"), ("&#38;", "&"), ("&amp;", "&"),
        ] {
            text = text.replacing(reference, with: character)
        }
        return text
    }
}

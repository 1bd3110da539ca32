/// A page as a tree would have it: its tags in order, with their attributes, and its text. What is not well formed is
/// thrown, so that a text that has become markup is noticed.
struct Markup {
    struct Failure: Error {
        let reason: String
    }

    struct Tag {
        let name: String
        let attributes: [String: String]
    }

    private(set) var tags: [Tag] = []
    /// Names of tags in order, `/` before the name of an end tag; hidden characters are text here.
    private(set) var elements: [String] = []
    private(set) var text = ""
    private static let empty: Set = ["meta", "link", "input", "br", "rect"]

    init(_ html: String) throws {
        var rest = Array(html.unicodeScalars)[...]
        var open: [String] = []
        while let scalar = rest.first {
            guard scalar == "<" else {
                text += try Self.character(&rest)
                continue
            }
            let end = try Self.end(ofTag: rest)
            let tag = String(String.UnicodeScalarView(rest[rest.startIndex + 1..<end]))
            rest = rest[(end + 1)...]
            if tag.hasPrefix("!") { continue }
            if tag.hasPrefix("/") {
                let name = String(tag.dropFirst())
                guard open.popLast() == name else { throw Failure(reason: "</\(name)> ends nothing") }
                if name != "span" { elements.append("/\(name)") }
                continue
            }
            let parsed = try Self.tag(tag)
            tags.append(parsed)
            if parsed.name != "span" { elements.append(parsed.name) }
            if !Self.empty.contains(parsed.name), !tag.hasSuffix("/") { open.append(parsed.name) }
        }
        guard open.isEmpty else { throw Failure(reason: "not ended: \(open)") }
    }

    func count(_ name: String) -> Int { tags.count { $0.name == name } }

    private static func end(ofTag text: ArraySlice<Unicode.Scalar>) throws -> Int {
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if text[index] == ">", !isQuoted { return index }
        }
        throw Failure(reason: "a tag has no end")
    }

    private static func tag(_ text: String) throws -> Tag {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        let name = String(text.prefix { $0.isLetter || $0.isNumber })
        guard !name.isEmpty else { throw Failure(reason: "<\(text)>") }
        var attributes: [String: String] = [:]
        var rest = text.dropFirst(name.count)
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: #/ +([A-Za-z][A-Za-z0-9-]*)(?:="([^"]*)")?/#) else {
                if rest.allSatisfy({ $0 == " " }) { break }
                throw Failure(reason: "<\(text)>")
            }
            guard attributes.updateValue(String(match.2 ?? ""), forKey: String(match.1)) == nil else {
                throw Failure(reason: "\(match.1) twice in <\(text)>")
            }
            rest = rest[match.range.upperBound...]
        }
        return Tag(name: name, attributes: attributes.mapValues(decoded))
    }

    private static let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'"]

    private static func character(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> String {
        guard rest.first == "&" else { return rest.popFirst().map { String($0) } ?? "" }
        for (entity, meaning) in entities where rest.starts(with: entity.unicodeScalars) {
            rest = rest.dropFirst(entity.unicodeScalars.count)
            return meaning
        }
        throw Failure(reason: "a lone '&'")
    }

    private static func decoded(_ text: String) -> String {
        ["&lt;", "&gt;", "&quot;", "&#39;", "&amp;"].reduce(text) { $0.replacing($1, with: entities[$1] ?? "") }
    }
}

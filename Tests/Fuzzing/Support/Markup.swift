/// A page as a tree would have it: its tags in order, with their attributes, and its text. What is not well formed is
/// thrown, so that a text that has become markup is noticed.
package struct Markup {
    package struct Failure: Error {
        package let reason: String
    }

    package struct Tag {
        package let name: String
        package let attributes: [String: String]
    }

    package private(set) var tags: [Tag] = []
    /// Names of tags in order, `/` before the name of an end tag; hidden characters are text here.
    package private(set) var elements: [String] = []
    package private(set) var text = ""
    private static let empty: Set = ["meta", "link", "input", "img", "br", "rect"]

    package init(_ html: String) throws {
        var rest = Array(html.utf8)[...]
        var open: [String] = []
        var text: [UInt8] = []
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            try Self.decode(rest[..<start], into: &text)
            rest = rest[(start + 1)...]
            let tag = rest[..<(try Self.end(ofTag: rest))]
            rest = rest[(tag.endIndex + 1)...]
            switch tag.first {
            case UInt8(ascii: "!"): continue
            case UInt8(ascii: "/"):
                let name = String(decoding: tag.dropFirst(), as: UTF8.self)
                guard open.popLast() == name else { throw Failure(reason: "</\(name)> ends nothing") }
                if name != "span" { elements.append("/\(name)") }
            default:
                let isEnded = tag.last == UInt8(ascii: "/")
                let parsed = try Self.tag(isEnded ? tag.dropLast() : tag)
                tags.append(parsed)
                if parsed.name != "span" { elements.append(parsed.name) }
                if !Self.empty.contains(parsed.name), !isEnded { open.append(parsed.name) }
            }
        }
        try Self.decode(rest, into: &text)
        self.text = String(decoding: text, as: UTF8.self)
        guard open.isEmpty else { throw Failure(reason: "not ended: \(open)") }
    }

    package func count(_ name: String) -> Int { tags.count { $0.name == name } }

    private static func end(ofTag text: ArraySlice<UInt8>) throws -> Int {
        var isQuoted = false
        for index in text.indices {
            if text[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if text[index] == UInt8(ascii: ">"), !isQuoted { return index }
        }
        throw Failure(reason: "a tag has no end")
    }

    /// A name, and attributes with a space before each: a name, and perhaps a value in quotation marks.
    private static func tag(_ text: ArraySlice<UInt8>) throws -> Tag {
        let failure = Failure(reason: "<\(String(decoding: text, as: UTF8.self))>")
        var rest = text
        let name = takeName(&rest)
        guard !name.isEmpty else { throw failure }
        var attributes: [String: String] = [:]
        while !rest.isEmpty {
            guard rest.popFirst() == UInt8(ascii: " ") else { throw failure }
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            if rest.isEmpty { break }
            let attribute = takeName(&rest)
            guard !attribute.isEmpty else { throw failure }
            var value: [UInt8] = []
            if rest.starts(with: [UInt8(ascii: "="), UInt8(ascii: "\"")]) {
                rest = rest.dropFirst(2)
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { throw failure }
                try decode(rest[..<end], into: &value)
                rest = rest[(end + 1)...]
            }
            guard attributes.updateValue(String(decoding: value, as: UTF8.self), forKey: attribute) == nil else {
                throw Failure(reason: "\(attribute) twice in \(failure.reason)")
            }
        }
        return Tag(name: name, attributes: attributes)
    }

    private static func takeName(_ rest: inout ArraySlice<UInt8>) -> String {
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        rest = rest[name.endIndex...]
        return String(decoding: name, as: UTF8.self)
    }

    private static let entities: [(name: [UInt8], character: UInt8)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

    /// Appends a text, whose characters that mean something in markup have to be written as entities.
    private static func decode(_ text: ArraySlice<UInt8>, into result: inout [UInt8]) throws {
        var rest = text
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<mark]
            rest = rest[mark...]
            guard let entity = entities.first(where: { rest.starts(with: $0.name) }) else {
                throw Failure(reason: "a lone '&'")
            }
            result.append(entity.character)
            rest = rest.dropFirst(entity.name.count)
        }
        result += rest
    }
}

package import Diagnostics

/// The result of reading a file.
package struct JSONDocument: Sendable {
    /// The text that all positions refer to: the file's own, or the converted one if it was not UTF-8.
    package var source: SourceText
    /// The value, as far as it could be read; nil if there is none.
    package var root: JSONNode?
    /// The findings about the syntax, in the order of the text; at most 20.
    package var findings: [Diagnostic]
    /// Whether the tree is what was meant without a doubt: no finding but those with a safe repair.
    package var isTreeReliable: Bool
    /// Whether the file means what the tree says without any repair: there is no error but equal keys and, up to the size
    /// that is read at all, too many bytes.
    package var isUsableWithoutRepairs: Bool
}

extension JSONDocument {
    /// The findings for which a reader that repairs nothing refuses the file; those that it tolerates are left out.
    package var fatalFindings: [Diagnostic] {
        let fatal = findings.filter { !SyntaxRules.tolerable.contains($0.code) }
        return fatal.isEmpty ? findings : fatal
    }
}

/// A JSON value and where it is.
package struct JSONNode: Sendable {
    package var value: JSONValue
    /// The whole token or value, quotes and brackets included.
    package var range: SourceRange

    package init(_ value: JSONValue, range: SourceRange) {
        self.value = value
        self.range = range
    }
}

extension JSONNode {
    package var string: JSONString? { if case .string(let string) = value { string } else { nil } }
    package var boolean: Bool? { if case .boolean(let boolean) = value { boolean } else { nil } }
    package var array: [JSONNode]? { if case .array(let array) = value { array } else { nil } }
    package var object: JSONObject? { if case .object(let object) = value { object } else { nil } }
}

extension JSONNode {
    /// The kind of the value, for a message.
    package var kind: String {
        switch value {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The value of a JSON text (RFC 8259, section 3).
package enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    /// The text of the number as it is in the file.
    case number(String)
    case string(JSONString)
    case array([JSONNode])
    case object(JSONObject)
}

/// All members of an object, in order, those with equal keys too.
package struct JSONObject: Sendable {
    package var members: [JSONMember]

    package init(_ members: [JSONMember]) {
        self.members = members
    }

    /// The member of a name; of several the last one, as the system reads it.
    package func member(_ name: String) -> JSONMember? {
        members.last { $0.key.text.hasSameBytes(as: name) }
    }

    package subscript(name: String) -> JSONNode? { member(name)?.value }

    /// The members that count: of those with equal keys the last, at its own position.
    package var distinctMembers: [JSONMember] {
        // Most objects are small and have no equal keys.
        let isPlain =
            members.count <= 8
            && members.indices.allSatisfy { index in
                !members[..<index].contains { $0.key.text.hasSameBytes(as: members[index].key.text) }
            }
        if isPlain { return members }
        var seen = Set<[UInt8]>()
        let kept = members.reversed().filter { seen.insert(Array($0.key.text.utf8)).inserted }
        return kept.reversed()
    }
}

extension String {
    /// Whether the bytes are equal. `==` would normalise both, in time quadratic in their combining marks.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

/// A key of an object and its value.
package struct JSONMember: Sendable {
    package var key: JSONString
    /// The key with its quotes.
    package var keyRange: SourceRange
    package var value: JSONNode
}

/// The way from the root of a JSON text to a value (RFC 6901).
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The pointer as text; empty for the root.
    package private(set) var description = ""

    package init() {}

    /// The pointer to a member of the object at this one.
    package func member(_ name: String) -> JSONPointer {
        var result = self
        result.description += "/"
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            result.description += name
            return result
        }
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result.description += "~0"
            case "/": result.description += "~1"
            default: result.description.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The pointer to an element of the array at this one, counted from 0.
    package func element(_ index: Int) -> JSONPointer {
        var result = self
        result.description += "/\(index)"
        return result
    }
}

/// A string and the bytes that it was read from.
package struct JSONString: Sendable {
    /// The text of the string, escapes resolved.
    package var text: String
    /// The bytes between the quotes.
    package var content: SourceRange
    /// Whether the bytes between the quotes are the text itself, without any escape.
    package var isVerbatim: Bool

    /// The bytes of the file that a part of the text was read from.
    ///
    /// A character that is written as an escape is its whole escape, both halves of a surrogate pair included.
    /// - Parameters:
    ///   - range: Offsets in the UTF-8 form of ``text``; what is outside counts as the nearest end.
    ///   - source: The text that the string was read from.
    package func sourceRange(ofUTF8 range: Range<Int>, in source: SourceText) -> SourceRange {
        let lower = max(range.lowerBound, 0)
        let upper = max(range.upperBound, lower)
        if isVerbatim {
            let start = min(content.start + lower, content.end)
            return SourceRange(start: start, end: min(content.start + upper, content.end))
        }
        return source.bytes.withUnsafeBufferPointer { buffer in
            var units = StringUnits(ByteView(buffer), content: content.start..<content.end)
            var decoded = 0
            var start: Int?
            while let unit = units.next() {
                let next = decoded + unit.utf8Count
                if start == nil, lower < next { start = unit.range.lowerBound }
                if let start, upper <= next {
                    let end = lower == upper ? start : unit.range.upperBound
                    return SourceRange(start: start, end: end)
                }
                decoded = next
            }
            return SourceRange(start: start ?? content.end, end: content.end)
        }
    }
}

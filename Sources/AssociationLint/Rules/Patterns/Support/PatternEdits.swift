internal import Diagnostics
internal import JSONSyntax

extension PatternPlace {
    /// Replaces parts of the pattern; what is put in is escaped as JSON asks.
    ///
    /// - Parameter parts: Ranges of the string's UTF-8 form, in order, and what to put there.
    func edits(_ parts: [(range: Range<Int>, text: String)], in source: SourceText) -> [TextEdit] {
        // To find a place in a string with escapes takes a walk from its beginning.
        if !string.isVerbatim, parts.count > 32, let first = parts.first, let last = parts.last {
            return edits([(first.range.lowerBound..<last.range.upperBound, replaced(parts))], in: source)
        }
        return parts.map { TextEdit(range: part($0.range, in: source), replacement: Self.escaped($0.text)) }
    }

    /// Replaces one part of the pattern.
    func edit(_ range: Range<Int>, _ text: String, in source: SourceText) -> TextEdit {
        TextEdit(range: part(range, in: source), replacement: Self.escaped(text))
    }

    /// What stands from the first to the last part, once they are replaced.
    func replaced(_ parts: [(range: Range<Int>, text: String)]) -> String {
        var result: [UInt8] = []
        var end = parts.first?.range.lowerBound ?? 0
        for (range, text) in parts {
            result += anatomy.text[end..<range.lowerBound]
            result += text.utf8
            end = range.upperBound
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        String(decoding: JSONEdits.literal(text).utf8.dropFirst().dropLast(), as: UTF8.self)
    }
}

extension LevelObject {
    /// Puts a member behind the others, beside other edits.
    func adding(_ key: String, _ value: String, to edits: [TextEdit], in source: SourceText) -> [TextEdit] {
        (edits + [JSONEdits.insert(last: key, value, in: node, source: source)])
            .sorted { $0.range.start < $1.range.start }
    }
}

internal import Diagnostics

/// Takes out of a path what is none, and puts it where it belongs.
enum PathSplit {
    /// - Parameters:
    ///   - part: The part of the path to take out.
    ///   - key: The component key for it.
    ///   - value: The value of the key, as JSON text.
    static func fixIts(
        _ place: PatternPlace, _ part: Range<Int>, key: String, _ value: String, _ source: SourceText
    ) -> [FixIt] {
        // Something of the path has to stay, and no white space at its end.
        let start = place.anatomy.pattern.lowerBound
        let end = WhiteSpace.start(of: part.lowerBound, in: place.anatomy.bytes, notBefore: start)
        let cut = place.edit(end..<part.upperBound, end == start ? "/" : "", in: source)
        guard let owner = place.owner else {
            let title = "delete \(quoted(place.anatomy.string(part))): 'paths' have the path only"
            return [FixIt(title: title, applicability: .suggested, edits: [cut])]
        }
        guard owner[key] == nil else { return [] }
        let title = "take it out of the path and write '\"\(key)\": \(shortened(value))'"
        return [
            FixIt(
                title: title, applicability: .suggested, edits: owner.adding(key, value, to: [cut], in: source))
        ]
    }

    private static func shortened(_ text: String) -> String {
        String(quoted(text).dropFirst().dropLast())
    }
}

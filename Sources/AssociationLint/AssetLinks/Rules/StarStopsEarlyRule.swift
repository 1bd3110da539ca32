internal import Android
internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// A `*` that does not reach as far as it looks.
enum StarStopsEarlyRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "star-stops-early", .warning, "a '*' ends at the first of several places where it could",
        """
        On Android a '*' ends at the first occurrence of the character behind it, and does not try a later one if the rest \
        of the pattern does not match there. On Apple's systems it does. Write the parts of the path out, or end the pattern \
        with the '*'.
        """, basis: [.google, .inferred],
        bad: AssetLinksRules.rules(#"{ "/": "⟦*⟧/terms/*" }"#),
        good: AssetLinksRules.rules(#"{ "/": "/terms/*" }"#, #"{ "/": "/en/terms/*" }"#))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        // Files made to take long get no texts.
        var budget = WorkBudget()
        for pattern in file.context.patterns {
            let compared = ComparedPattern(pattern)
            let android = AndroidPattern(compared.prefix + pattern.string.text)
            guard let star = android.losingStar.flatMap(compared.offset(ofStar:)) else { continue }
            let path = pattern.kind == .path ? android.lostText(beginningWith: slash, &budget) : nil
            let lost = path ?? android.lostText(&budget)
            let effect = lost.map { "the pattern does not match \(quoted($0)) on Android" }
            diagnostics.report(
                description, pattern, at: star..<star + 1,
                "this '*' ends at the first \(compared.next(star)): \(effect ?? "the pattern matches less on Android")",
                notes: lost == nil ? [] : ["on Apple's systems it matches"])
        }
    }

    private static let slash = UInt16(UInt8(ascii: "/"))
}

/// A pattern in the file as a part of the one that is compared.
private struct ComparedPattern {
    /// The name of an item and its `=`.
    let prefix: String
    private let text: String

    init(_ pattern: FilePattern) {
        text = pattern.string.text
        if case .queryItem(let name) = pattern.kind {
            prefix = AndroidDecisions.itemPattern(name: name, value: "")
        } else {
            prefix = ""
        }
    }

    /// The offset in the UTF-8 form of the string; nil if the star is in the name of an item.
    func offset(ofStar star: Int) -> Int? {
        let inside = star - prefix.utf16.count
        guard inside >= 0 else { return nil }
        let index = text.utf16.index(text.utf16.startIndex, offsetBy: inside, limitedBy: text.utf16.endIndex)
        return index.map { text.utf8.distance(from: text.utf8.startIndex, to: $0) }
    }

    /// The character that a star ends at.
    func next(_ star: Int) -> String {
        let scalars = BoundedText.scalars(of: Array(text.utf8.dropFirst(star + 1)))
        return scalars.first.map { quoted(String(Character($0))) } ?? "possible place"
    }
}

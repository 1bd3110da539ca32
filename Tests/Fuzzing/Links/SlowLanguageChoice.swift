import LinkPages

/// The choice of a language, written from RFC 9110 and RFC 4647 with texts and arrays.
enum SlowLanguageChoice {
    static func choose(_ value: String, from offered: [PageLanguage]) -> PageLanguage {
        let elements = value.split(separator: ",").map { trimmed($0) }.filter { !$0.isEmpty }
        var ranges: [(tag: String, quality: Int)] = []
        for element in elements {
            guard let range = range(element) else { return offered[0] }
            ranges.append(range)
        }
        let excluded = ranges.filter { $0.quality == 0 }.compactMap { language($0.tag) }
        let accepted = offered.filter { !excluded.contains($0) }
        // Stable, so that of equals the earlier one comes first.
        let sorted = ranges.enumerated().filter { $0.element.quality > 0 }
            .sorted { ($0.element.quality, -$0.offset) > ($1.element.quality, -$1.offset) }
        for (_, range) in sorted {
            if range.tag == "*", let first = accepted.first { return first }
            var parts = range.tag.split(separator: "-")
            while !parts.isEmpty {
                if let language = language(parts.joined(separator: "-")), accepted.contains(language) {
                    return language
                }
                parts.removeLast()
            }
        }
        return accepted.first ?? offered[0]
    }

    private static func trimmed(_ text: Substring) -> String {
        var scalars = Substring(text).unicodeScalars
        while let last = scalars.last, last == " " || last == "\t" { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars.drop { $0 == " " || $0 == "\t" }))
    }

    private static func range(_ element: String) -> (tag: String, quality: Int)? {
        let pieces = element.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let tag = trimmed(pieces[0])
        guard tag.wholeMatch(of: /\*|[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*/) != nil else { return nil }
        guard pieces.count > 1 else { return (tag, 1_000) }
        guard let match = trimmed(pieces[1]).wholeMatch(of: /[qQ]=(0|1)(\.([0-9]{0,3}))?/) else { return nil }
        let digits = (match.3.map(String.init) ?? "") + "000"
        let quality = (match.1 == "1" ? 1_000 : 0) + (Int(digits.prefix(3)) ?? 0)
        return quality <= 1_000 ? (tag, quality) : nil
    }

    private static func language(_ tag: String) -> PageLanguage? {
        let tag = tag.lowercased()
        if ["zh", "zh-cn", "zh-sg"].contains(tag) { return .simplifiedChinese }
        if ["zh-tw", "zh-hk", "zh-mo"].contains(tag) { return .traditionalChinese }
        return PageLanguage.allCases.first { "\($0.tag)".lowercased() == tag }
    }
}

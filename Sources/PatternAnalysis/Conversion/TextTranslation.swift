internal import Android
internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// The patterns of Android's rules for the fragment of one of Apple's, or for the value of an item.
struct TextTranslation {
    /// One of them has to match; nil if nothing is asked.
    private(set) var patterns: [String]? = []
    private(set) var reason: String?

    /// - Parameters:
    ///   - absent: What the part is called that may be absent.
    ///   - start: The text that comes before the pattern in what Android compares.
    init(_ expansion: PatternExpansion, start: String, absent: String, excludes: Bool) {
        reason = expansion.reason
        if expansion.patterns.contains(where: \.isEverything) {
            patterns = nil
            return
        }
        var result: [String] = []
        for pattern in expansion.patterns {
            guard !pattern.isEmpty else {
                // Nothing on Android can say that something is absent.
                reason = reason ?? "no rule on Android asks for \(absent)"
                if excludes {
                    patterns = nil
                    return
                }
                continue
            }
            if !start.isEmpty, pattern.tokens.contains(where: { $0 == .character("&") || $0 == .character(";") }) {
                // No item of an ordinary URL has it.
                continue
            }
            var pattern = pattern
            if AndroidPattern(start + pattern.text).readingsDiffer {
                reason = reason ?? "on Android a '*' ends at the first occurrence of what follows it"
                if excludes, let cut = pattern.cutAtFirstRun { pattern = cut }
            }
            if !result.contains(pattern.text) { result.append(pattern.text) }
        }
        patterns = result
    }
}

/// The items that Android's rules ask for, for the query of one of Apple's rules.
struct QueryTranslation {
    typealias Items = [(name: String, value: String)]

    /// One of them has to be met; an empty one asks for nothing.
    private(set) var choices: [Items] = [[]]
    private(set) var reason: String?

    private let excludes: Bool

    init(_ rule: Rule, _ parser: PatternParser, _ comparison: Comparison) {
        excludes = rule.excludes
        switch rule.query {
        case .void: break
        case .text(let text): readText(parser.parse(text), comparison)
        case .items(let items):
            var names = Set<String>()
            for item in items {
                let elements = parser.parse(item.value)
                if !elements.isEmpty, elements.allSatisfy({ $0 == .anyRun }) { continue }
                readItem(item.name, elements, comparison, &names)
            }
        }
    }

    private mutating func fail(_ reason: String) {
        self.reason = self.reason ?? reason
        // An exclusion asks for less instead.
        if !excludes { choices = [] }
    }

    private mutating func readItem(
        _ name: String, _ elements: [PatternElement], _ comparison: Comparison, _ names: inout Set<String>
    ) {
        guard let decoded = Self.name(name, comparison), names.insert(decoded).inserted else {
            return fail("the name of an item is none on Android")
        }
        if !comparison.caseSensitive, decoded.lowercased() != decoded || decoded.uppercased() != decoded {
            // On iOS items whose names differ in case have to match, too.
            return fail("Android always compares with regard to case")
        }
        let values = TextTranslation(
            PatternExpansion(elements, comparison, excludes: excludes), start: "\(decoded)=",
            absent: "an item to be absent or empty", excludes: excludes)
        reason = reason ?? values.reason
        guard let patterns = values.patterns else { return }
        guard choices.count * patterns.count <= PatternExpansion.limit else {
            return fail("its variables stand for more than \(PatternExpansion.limit) patterns")
        }
        choices = choices.flatMap { choice in patterns.map { choice + [(name: decoded, value: $0)] } }
    }

    /// The name of an item as Android sees it; nil if it cannot be one in a pattern.
    private static func name(_ name: String, _ comparison: Comparison) -> String? {
        let expansion = PatternExpansion(
            name.utf8.map(PatternElement.byte),
            Comparison(caseSensitive: true, percentEncoded: comparison.percentEncoded),
            excludes: false)
        guard let text = expansion.patterns.first?.text, !text.isEmpty, expansion.reason == nil else { return nil }
        return text.contains(where: { "*?=&;#%".contains($0) }) ? nil : text
    }

    /// A pattern for the whole query: no other item may be there, which nothing on Android says.
    private mutating func readText(_ elements: [PatternElement], _ comparison: Comparison) {
        if !elements.isEmpty, elements.allSatisfy({ $0 == .anyRun }) { return }
        fail("no rule on Android is about the whole query")
        let bytes = elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
        guard excludes, comparison.caseSensitive, bytes.count == elements.count else { return }
        // The items that it names have to be there.
        var items: Items = []
        for item in bytes.split(separator: UInt8(ascii: "&")) {
            guard let end = item.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = PatternExpansion(item[(end + 1)...].map(PatternElement.byte), comparison, excludes: true)
            guard let name = Self.name(String(text: item[..<end]), comparison),
                let text = value.patterns.first, !text.isEmpty, !items.contains(where: { $0.name == name })
            else { continue }
            items.append((name: name, value: text.text))
        }
        choices = [items]
    }
}

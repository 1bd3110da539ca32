public import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// Why a URL opens no app that almost does: what it, or a rule, would have to be instead.
public struct RoutingHint: Sendable {
    /// The only difference between what is and what would open an app.
    public enum Difference: String, Sendable {
        /// Which characters of the URL are percent-encoded, and how.
        case percentEncoding
        case letterCase
        /// `www.` at the beginning of the host.
        case host
        /// A last segment of the path that is missing.
        case missingSegment
        /// A last segment of the path that is too much.
        case extraSegment
        /// The pattern has characters that are encoded in every URL.
        case patternEncoding
        /// The pattern for the path has a `?` that is meant to begin the query.
        case queryInPath
        /// The pattern has a `?`, which is one character, where the URL has none.
        case questionMark
    }

    public let difference: Difference
    /// The URL that opens an app; the one that was asked about, if the rule has to be another one.
    public let url: String
    /// The decision about it.
    public let decision: RoutingDecision
    /// The rule that opens it, or would.
    public let rule: Rule
    /// The apps that open it, or would.
    public let appIDs: [String]
}

extension RoutingHint {
    /// One clause: the rule that would open the URL, and how.
    package var message: String {
        let line = "line \(rule.position.line) (\(Self.shortened(RuleText.patterns(rule))))"
        let start = "\(line) would open it"
        switch difference {
        case .letterCase:
            return rule.isLegacyPath
                ? "\(start) as \(url): uppercase and lowercase letters differ"
                : "\(start) with \"caseSensitive\": false, or as \(url)"
        case .percentEncoding: return "\(start) if it were encoded as \(url)"
        case .host: return "\(start) as \(url): each host needs its own file"
        case .missingSegment: return "\(start) with one more segment, as in \(url)"
        case .extraSegment: return "\(start) without its last segment, as \(url)"
        case .patternEncoding:
            return "\(start) if its pattern were percent-encoded, as every URL is: write \(Self.encoded(rule))"
        case .queryInPath: return "\(line): '?' in a path is one character; for a query write \(Self.withQuery(rule))"
        case .questionMark:
            return "\(start) without '?', which is exactly one character: write \(Self.withoutQuestionMarks(rule))"
        }
    }

    static func shortened(_ text: String) -> String {
        let most = 60
        return text.unicodeScalars.count <= most
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) + "…"
    }

    private static func encoded(_ rule: Rule) -> String {
        func encoded(_ text: String) -> String {
            String(text: text.utf8.flatMap { $0 >= 0x80 || $0 == 0x20 ? EncodedURL.encoded([$0]) : [$0] })
        }
        let query: QueryPattern =
            switch rule.query {
            case .text(let text): .text(encoded(text))
            case .items(let items):
                .items(items.map { QueryItemPattern(name: encoded($0.name), value: encoded($0.value)) })
            case .void: .void
            }
        return inFile(path: encoded(rule.path), query, fragment: encoded(rule.fragment))
    }

    /// The part after the first `?` as the pattern for the query; where that is anything, a query that is not empty.
    private static func withQuery(_ rule: Rule) -> String {
        let path = rule.path.prefix { $0 != "?" }
        let pattern = String(rule.path[path.endIndex...].dropFirst())
        let isAnything = pattern.isEmpty || pattern == "*"
        return inFile(path: String(path), .text(isAnything ? "?*" : pattern), fragment: rule.fragment)
    }

    private static func withoutQuestionMarks(_ rule: Rule) -> String {
        let text = Array(rule.path.utf8)
        let kept = text.indices.filter { !QuestionMarks.isOptional(text, at: $0) }.map { text[$0] }
        return inFile(path: String(text: kept), rule.query, fragment: rule.fragment)
    }

    private static func inFile(path: String, _ query: QueryPattern, fragment: String) -> String {
        let text = RuleText.asInFile(Rule(path: path, query: query, fragment: fragment, index: 0))
        return shortened(text)
    }
}

/// Finds the one difference by which a URL misses the rules of a file.
///
/// It changes one thing of the URL, or of a rule, and decides again, so that a hint is always true. The work is bounded: some
/// dozens of decisions for a URL that share one budget, and none for a URL of more than 2,048 bytes.
public struct NearMissSearch: Sendable {
    /// At most this many rules of a file are tried one by one.
    static let maxRules = 1_000

    let router: UniversalLinkRouter

    public init(_ router: UniversalLinkRouter) {
        self.router = router
    }

    /// The first difference that explains why a URL opens no app; nil if none does, or if it takes too long to find.
    ///
    /// For a URL that a rule excludes, only a rule before that one counts: what comes later would be excluded on purpose.
    public func hint(for url: String) -> RoutingHint? {
        var budget = WorkBudget.decision
        return hint(for: url, &budget)
    }

    func hint(for url: String, _ budget: inout WorkBudget) -> RoutingHint? {
        guard let (decision, varied, limit) = start(url, &budget) else { return nil }
        var trial = Trial(router, varied.bytes, limit: limit)
        guard let document = decision.document else { return trial.first(.host, varied.hosts, &budget) }
        let details = document.appLinks?.details ?? []
        let rules = details.lazy.filter(\.canDecide).flatMap(\.rules).prefix(Self.maxRules)
        if let hint = trial.first(.percentEncoding, varied.percentEncodings, &budget)
            ?? trial.first(.letterCase, varied.letterCases(like: rules.map(\.path), &budget), &budget)
        {
            return hint
        }
        guard decision.outcome == .noMatch else { return nil }
        var questionMarks: QuestionMarks?
        for rule in rules where !rule.excludes && rule.path.utf8.contains(UInt8(ascii: "?")) {
            let marks = questionMarks ?? QuestionMarks(document, url: varied.bytes, varied.parts)
            questionMarks = marks
            guard let difference = marks.difference(rule, &budget) else { continue }
            let apps = details.first { $0.index == rule.detail }?.appIDs.map(\.value) ?? []
            return RoutingHint(difference: difference, url: url, decision: decision, rule: rule, appIDs: apps)
        }
        return trial.first(.missingSegment, varied.withOneMoreSegment, &budget)
            ?? trial.first(.extraSegment, varied.withOneSegmentLess, &budget)
    }

    /// The decision about a URL, and before which offset of the file a rule has to begin to count; nil if there is nothing to
    /// look for.
    func start(
        _ url: String, _ budget: inout WorkBudget
    ) -> (decision: RoutingDecision, varied: VariedURL, limit: Int)? {
        let bytes = Array(url.utf8)
        guard bytes.count <= VariedURL.maxBytes, let parts = bytes.withUnsafeBytes({ URLParts($0) }) else {
            return nil
        }
        let decision = router.decide(bytes, &budget)
        let varied = VariedURL(bytes, parts)
        return switch decision.outcome {
        case .open, .notDecided: nil
        case .excluded: (decision, varied, decision.rule?.position.offset ?? 0)
        case .noMatch: (decision, varied, .max)
        }
    }

    /// Decides about URLs that differ from the one that was asked about.
    struct Trial {
        let router: UniversalLinkRouter
        let asked: [UInt8]
        /// Where a rule has to begin before, to count.
        let limit: Int
        private var trial: URLTrial

        init(_ router: UniversalLinkRouter, _ asked: [UInt8], limit: Int) {
            self.router = router
            self.asked = asked
            self.limit = limit
            trial = URLTrial(asked)
        }

        /// The first of some URLs that opens an app.
        mutating func first(
            _ difference: RoutingHint.Difference, _ candidates: [[UInt8]], _ budget: inout WorkBudget
        ) -> RoutingHint? {
            guard let (candidate, decision, rule) = opened(candidates, &budget) else { return nil }
            // The system encodes such a URL before rules are asked, so that the pattern is what has to change.
            let isPattern = candidate.withUnsafeBytes { EncodedURL.bytes(of: $0) } != nil
            let url = isPattern ? asked : candidate
            return RoutingHint(
                difference: isPattern ? .patternEncoding : difference, url: String(text: url),
                decision: decision, rule: rule, appIDs: decision.appIDs)
        }

        /// The first of some URLs that opens an app as the system has it.
        mutating func open(_ candidates: [[UInt8]], _ budget: inout WorkBudget) -> (url: String, rule: Rule)? {
            opened(URLTrial.ready(candidates), &budget).map { (String(text: $0.url), $0.rule) }
        }

        private mutating func opened(
            _ candidates: [[UInt8]], _ budget: inout WorkBudget
        ) -> (url: [UInt8], decision: RoutingDecision, rule: Rule)? {
            let (router, limit) = (router, limit)
            let found = trial.first(candidates, &budget) { candidate, budget -> (RoutingDecision, Rule)? in
                let decision = router.decide(candidate, &budget)
                guard decision.outcome == .open, let rule = decision.rule, rule.position.offset < limit else {
                    return nil
                }
                return (decision, rule)
            }
            return found.map { ($0.url, $0.opener.0, $0.opener.1) }
        }
    }
}

/// Whether a `?` in the path of a rule is meant as something else than one character.
struct QuestionMarks {
    private let parsers: PatternParsers
    private let url: WebURL?
    /// Path and query as they are in the URL; nil if it has no query.
    private let pathAndQuery: [UInt8]?

    init(_ document: AssociationDocument, url: [UInt8], _ parts: URLParts) {
        parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
        self.url = WebURL(url)
        pathAndQuery = parts.query.isEmpty ? nil : Array(url[parts.path.lowerBound..<parts.query.upperBound])
    }

    /// The change with which the rule would open the URL; nil if there is none.
    func difference(_ rule: Rule, _ budget: inout WorkBudget) -> RoutingHint.Difference? {
        budget.spend(RuleMatcher.parsingCost(rule))
        guard let url, !budget.isSpent else { return nil }
        let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
        let pattern = parsers.parser(comparison).parse(rule.path)
        func matches(_ pattern: [PatternElement], _ text: [UInt8]) -> Bool {
            PatternMatcher.matchesPath(
                pattern, comparison.prepare(text), percentEncoded: rule.percentEncoded, &budget) ?? false
        }
        guard let first = pattern.firstIndex(of: .anyCharacter) else { return nil }
        if let pathAndQuery {
            var literal = pattern
            literal[first] = .byte(UInt8(ascii: "?"))
            if matches(literal, pathAndQuery) { return .queryInPath }
        }
        let text = Array(rule.path.utf8)
        let kept = text.indices.filter { !Self.isOptional(text, at: $0) }.map { text[$0] }
        guard kept.count < text.count else { return nil }
        let without = parsers.parser(comparison).parse(String(text: kept))
        return matches(without, url.path) ? .questionMark : nil
    }

    /// Whether a pattern has a `?` that looks as if it made the letter before it optional: not one like `/?*`, which is there
    /// on purpose.
    static func isOptional(_ pattern: [UInt8], at offset: Int) -> Bool {
        let wildcards = [UInt8(ascii: "?"), UInt8(ascii: "*")]
        guard pattern[offset] == UInt8(ascii: "?"), offset > 0 else { return false }
        if pattern[offset - 1] == UInt8(ascii: "/") || wildcards.contains(pattern[offset - 1]) { return false }
        return offset + 1 == pattern.count || !wildcards.contains(pattern[offset + 1])
    }
}

public import AppSiteAssociation
internal import Diagnostics

/// A URL that differs in one thing from one that no rule opens, and opens an app.
public struct RoutingHint: Sendable {
    /// The only difference of the two URLs.
    public enum Difference: String, Sendable {
        /// Which characters are percent-encoded, and how.
        case percentEncoding
        case letterCase
        /// `www.` at the beginning of the host.
        case host
        /// A last segment of the path that is missing.
        case missingSegment
        /// A last segment of the path that is too much.
        case extraSegment
    }

    public let difference: Difference
    /// The URL that opens an app.
    public let url: String
    /// The decision about it.
    public let decision: RoutingDecision
    /// The rule that opens it.
    public let rule: Rule
}

extension RoutingHint {
    /// One clause: the rule that would open the URL, and how.
    package var message: String {
        let start = "line \(rule.position.line) (\(Self.shortened(RuleText.patterns(rule)))) would open it"
        switch difference {
        case .letterCase:
            return rule.isLegacyPath
                ? "\(start) as \(url): uppercase and lowercase letters differ"
                : "\(start) with \"caseSensitive\": false, or as \(url)"
        case .percentEncoding: return "\(start) if it were encoded as \(url)"
        case .host: return "\(start) as \(url): each host needs its own file"
        case .missingSegment: return "\(start) with one more segment, as in \(url)"
        case .extraSegment: return "\(start) without its last segment, as \(url)"
        }
    }

    private static func shortened(_ text: String) -> String {
        let most = 60
        return text.unicodeScalars.count <= most
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) + "…"
    }
}

/// Finds the one difference by which a URL misses the rules of a file.
///
/// It changes one thing of the URL and decides again, so that a hint is always true. The work is bounded: some dozens of
/// decisions for a URL, and none for one of more than 2,048 bytes.
public struct NearMissSearch: Sendable {
    private static let mostBytes = 2_048
    /// Of the rules of a file so many lend the case of their letters.
    private static let mostRules = 1_000
    private static let mostDecisions = 64

    private let router: UniversalLinkRouter

    public init(_ router: UniversalLinkRouter) {
        self.router = router
    }

    /// The first difference that explains why a URL opens no app; nil if none does.
    ///
    /// For a URL that a rule excludes, only a rule before that one counts: what comes later would be excluded on purpose.
    public func hint(for url: String) -> RoutingHint? {
        let bytes = Array(url.utf8)
        guard bytes.count <= Self.mostBytes, let parts = bytes.withUnsafeBytes({ URLParts($0) }) else { return nil }
        let decision = router.decide(url)
        let limit: Int
        switch decision.outcome {
        case .open: return nil
        case .excluded: limit = decision.rule?.position.offset ?? 0
        case .noMatch: limit = .max
        }
        let varied = VariedURL(bytes, parts)
        let isKnownHost = decision.document != nil
        let rules = decision.document?.appLinks?.details.lazy.flatMap(\.rules).prefix(Self.mostRules)
        var candidates: [(RoutingHint.Difference, [UInt8])] = []
        if isKnownHost {
            candidates += varied.percentEncodings.map { (.percentEncoding, $0) }
            candidates += varied.letterCases(like: rules.map(Array.init) ?? []).map { (.letterCase, $0) }
            if decision.outcome == .noMatch {
                candidates += varied.withOneMoreSegment.map { (.missingSegment, $0) }
                candidates += varied.withOneSegmentLess.map { (.extraSegment, $0) }
            }
        } else {
            candidates += varied.hosts.map { (.host, $0) }
        }
        var tried: Set<[UInt8]> = [bytes]
        for (difference, candidate) in candidates where tried.insert(candidate).inserted {
            guard tried.count <= Self.mostDecisions else { break }
            let decision = candidate.withUnsafeBytes { router.decide($0) }
            guard decision.outcome == .open, let rule = decision.rule, rule.position.offset < limit else { continue }
            return RoutingHint(
                difference: difference, url: String(decoding: candidate, as: UTF8.self), decision: decision, rule: rule)
        }
        return nil
    }
}

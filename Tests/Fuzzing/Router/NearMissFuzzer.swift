import AppSiteAssociation
import Diagnostics
import URLPatterns
import UniversalLinks

/// Looks for near misses of random URLs that the router does not open.
package struct NearMissFuzzer {
    private var generator: RandomDocuments
    /// The number of near misses that were looked at.
    package private(set) var misses = 0

    package init(seed: UInt64) {
        generator = RandomDocuments(seed: seed)
    }

    /// Makes a document and asks about so many URLs; returns what is wrong with the first near miss that is not one.
    package mutating func round(urls count: Int) throws -> String? {
        let json = generator.document().json
        let document = try AssociationDocument(json)
        let router = UniversalLinkRouter(anyDomain: document)
        let answerer = RouteAnswerer(router, domain: nil, explains: true, hints: true)
        for _ in 0..<count {
            let url = generator.url()
            guard let answer = answerer.answer(url) else { continue }
            let found = answer.nearMisses ?? []
            if answer.decision.outcome == .open, !found.isEmpty { return "\(url) opens an app: \(json)" }
            if found.count > NearMissSearch.maxMisses { return "\(url) has \(found.count): \(json)" }
            for miss in found {
                misses += 1
                if let reason = Self.fault(miss, answer, router, document) { return "\(url): \(reason): \(json)" }
            }
        }
        return nil
    }

    private static func fault(
        _ miss: NearMiss, _ answer: RouteAnswer, _ router: UniversalLinkRouter, _ document: AssociationDocument
    ) -> String? {
        guard let url = miss.url else {
            let parsed = WebURL((answer.encodedURL ?? answer.url).utf8)
            let parsers = PatternParsers(document.appLinks?.substitutionVariables ?? SubstitutionVariables())
            var budget = WorkBudget.unlimited
            let matches = parsed.flatMap { RuleMatcher(miss.rule, parsers).matches($0, &budget) }
            let isExcluded = answer.decision.outcome == .excluded && miss.change == .earlierExclude
            return isExcluded && matches == true && !miss.rule.excludes
                ? nil : "no inclusion on line \(miss.rule.position.line)"
        }
        let decision = router.decide(url)
        if decision.outcome != .open { return "\(url) does not open" }
        if decision.rule?.pointer != miss.rule.pointer { return "\(url) is opened by another rule" }
        // The system would have another URL.
        return EncodedURL.text(of: url) == nil ? nil : "\(url) is not a URL"
    }
}

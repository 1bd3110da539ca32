import AppSiteAssociation
import URLPatterns
import UniversalLinks

/// Compares the router's index with the reference matcher on random documents and URLs.
package struct RouterFuzzer {
    /// A document and a URL on which they disagree, made as small as possible.
    package struct Difference: CustomStringConvertible {
        let document: RandomDocument
        let url: String
        let router: String
        let reference: String

        package var description: String {
            """
            the router and the reference matcher disagree
            document:  \(document.json)
            URL:       \(url)
            router:    \(router)
            reference: \(reference)
            """
        }
    }

    private var generator: RandomDocuments
    /// The number of decisions that were compared.
    package private(set) var decisions = 0

    package init(seed: UInt64) {
        generator = RandomDocuments(seed: seed)
    }

    /// Makes a document and compares decisions about so many URLs; returns the first difference.
    package mutating func round(urls count: Int) throws -> Difference? {
        let document = generator.document()
        let pair = try Pair(document)
        for _ in 0..<count {
            let url = generator.url()
            decisions += 1
            if pair.answers(url).differ { return try Self.smallest(document, url) }
        }
        return nil
    }

    /// Both matchers of a document, and two indices with different seeds.
    private struct Pair {
        let router: UniversalLinkRouter
        let other: UniversalLinkRouter
        let reference: ReferenceMatcher

        init(_ document: RandomDocument) throws {
            let parsed = try AssociationDocument(document.json)
            router = UniversalLinkRouter(anyDomain: DocumentIndex(parsed, seed: 1))
            other = UniversalLinkRouter(anyDomain: DocumentIndex(parsed, seed: 0xDEAD_BEEF_DEAD_BEEF))
            reference = ReferenceMatcher(parsed)
        }

        func answers(_ url: String) -> (router: String, reference: String, differ: Bool) {
            let expected = WebURL(url.utf8).map { reference.decide($0) }
            let text = Self.text(expected?.outcome ?? .noMatch, expected?.appIDs ?? [], expected?.rule)
            let decision = router.decide(url)
            let answer = Self.text(decision.outcome, decision.appIDs, decision.rule)
            let second = other.decide(url)
            // Whether the steps are counted makes no difference either.
            var budget = WorkBudget.unlimited
            let counted = router.decide(Array(url.utf8), &budget)
            let differ =
                answer != text || second.outcome != decision.outcome || second.ruleNumber != decision.ruleNumber
                || counted.outcome != decision.outcome || counted.ruleNumber != decision.ruleNumber
                || counted.appIDs != decision.appIDs
            return (answer, text, differ)
        }

        private static func text(_ outcome: Outcome, _ apps: [String], _ rule: Rule?) -> String {
            "\(outcome.rawValue) \(apps.joined(separator: ",")) by \(rule?.pointer ?? "no rule")"
        }
    }

    /// Takes away what is not needed for the difference.
    private static func smallest(_ document: RandomDocument, _ url: String) throws -> Difference {
        var document = document
        var url = url
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            if let next = try document.smaller.first(where: { try Pair($0).answers(url).differ }) {
                document = next
                isSmaller = true
            }
            let pair = try Pair(document)
            let shorter = url.indices.map { index in
                var copy = url
                copy.remove(at: index)
                return copy
            }
            if let next = shorter.first(where: { pair.answers($0).differ }) {
                url = next
                isSmaller = true
            }
        }
        let answers = try Pair(document).answers(url)
        return Difference(document: document, url: url, router: answers.router, reference: answers.reference)
    }
}

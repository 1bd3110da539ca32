import AppSiteAssociation
import Testing

/// A document, a URL, and what the specification says about them.
struct MatchingCase: Sendable, CustomTestStringConvertible {
    /// The expected decision and, when some do, the apps that open the URL.
    struct Expectation: Equatable, Sendable {
        let outcome: Outcome
        let apps: [String]

        /// Opened by `A`, the app of most documents.
        static let open = Expectation(outcome: .open, apps: ["A"])
        static let excluded = Expectation(outcome: .excluded, apps: [])
        static let noMatch = Expectation(outcome: .noMatch, apps: [])

        static func opens(_ apps: String...) -> Expectation { Expectation(outcome: .open, apps: apps) }
    }

    /// The domain that serves the documents.
    static let domain = "example.com"

    let name: String
    let document: SampleDocument
    let url: String
    let expected: Expectation
    /// Which rule decides: the places of its entry and in it; nil if the case is not about that.
    let decider: [Int]?

    /// - Parameter url: What stands behind `https://example.com`, if it begins like that; else the whole URL.
    init(_ name: String, _ document: SampleDocument, _ url: String, _ expected: Expectation, by decider: [Int]? = nil) {
        self.name = name
        self.document = document
        let isRest = url.isEmpty || url.hasPrefix("/") || url.hasPrefix("?") || url.hasPrefix("#")
        self.url = isRest ? "https://\(Self.domain)\(url)" : url
        self.expected = expected
        self.decider = decider
    }

    var testDescription: String { "\(name): \(url)" }

    static let all = [
        fileForms, lenience, urls, pathPatterns, slashes, queryTexts, queryItems, fragments, letterCase,
        percentEncoding,
        order, apps, legacyPaths, defaults, variables, builtInVariables,
    ].flatMap { $0 }
}

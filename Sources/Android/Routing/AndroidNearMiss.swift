internal import BoundedText
internal import Diagnostics
package import URLPatterns

/// A URL that opens an Android app and differs in one thing from one that does not.
package struct AndroidNearMiss: Sendable {
    package let change: URLChange
    /// The URL that the router has decided to open.
    package let url: String
    /// The file of the rule or the filter that opens it.
    package let path: String
    package let line: Int

    /// One clause.
    package var message: String { change.message("\(path):\(line)", url) }

    var json: JSONOutput {
        .object([
            "change": .string(change.rawValue), "url": .string(url), "path": .string(path), "line": .number(line),
            "message": .string(message),
        ])
    }
}

/// Tries URLs that may have been meant, as the near misses of iOS do.
struct AndroidNearMissSearch {
    private static let maxMisses = 3
    private static let maxPatterns = 1_000

    private let varied: VariedURL

    /// Nil for a URL that is too long to be varied.
    init?(_ url: String) {
        let bytes = Array(url.utf8)
        guard bytes.count <= VariedURL.maxBytes, let parts = bytes.withUnsafeBytes({ URLParts($0) }) else {
            return nil
        }
        varied = VariedURL(bytes, parts)
    }

    /// The URLs that open something, by the first changes that help.
    ///
    /// - Parameters:
    ///   - patterns: The patterns for paths, whose letters the path may take.
    ///   - opener: The file and line of what opens a URL; nil if nothing does.
    func misses(
        like patterns: some Sequence<String>, _ budget: inout WorkBudget,
        opener: (_ url: String, _ budget: inout WorkBudget) -> (path: String, line: Int)?
    ) -> [AndroidNearMiss] {
        var trial = URLTrial(varied.bytes)
        var misses: [AndroidNearMiss] = []
        for change in URLChange.allCases where misses.count < Self.maxMisses {
            let candidates = URLTrial.ready(candidates(change, like: patterns, &budget))
            let found = trial.first(candidates, &budget) { opener(String(text: $0), &$1) }
            guard let (url, place) = found else { continue }
            misses.append(AndroidNearMiss(change: change, url: String(text: url), path: place.path, line: place.line))
        }
        return misses
    }

    private func candidates(
        _ change: URLChange, like patterns: some Sequence<String>, _ budget: inout WorkBudget
    ) -> [[UInt8]] {
        switch change {
        case .scheme: varied.otherScheme
        case .letterCase: varied.letterCases(like: patterns.prefix(Self.maxPatterns), &budget)
        case .www: varied.hosts
        case .withoutPort: varied.withoutPort
        case .trailingSlash: varied.otherSlash
        case .trailingSegment: varied.withOneSegmentLess
        case .withoutQuery: varied.withoutQuery
        case .withoutFragment: varied.withoutFragment
        case .percentEncoding: varied.percentEncodings
        case .earlierExclude: []
        }
    }
}

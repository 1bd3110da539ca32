import AppSiteAssociation
import Foundation
import TestSupport
import URLPatterns
import UniversalLinks

/// A case that macOS is to be asked about: a line of `Tests/Fidelity/cases.tsv` or `rules.tsv`.
struct FidelityCase: Sendable, Hashable, CustomStringConvertible {
    let name: String
    /// Members of `OpenDecisions` that it shows; `rule` for one of the specification's own cases.
    let decisions: [String]
    let file: String
    let url: String
    let expected: FidelityVerdict

    static let domain = "example.com"
    static let folder = Repository.url("Tests/Fidelity")

    var description: String { "\(name): \(url)" }

    /// Those of a list; nil for each line that is not a case.
    static func list(_ name: String, in folder: URL = folder) throws -> [FidelityCase?] {
        try lines(of: folder.appendingPathComponent(name)).map { fields in
            guard fields.count == 5, let expected = FidelityVerdict(fields[4]) else { return nil }
            return FidelityCase(
                name: fields[0], decisions: fields[1].split(separator: ",").map(String.init), file: fields[2],
                url: fields[3], expected: expected)
        }
    }

    /// The fields of the lines that are not comments. Unicode's line ends are no line ends here.
    static func lines(of url: URL) throws -> [[String]] {
        Array(try Data(contentsOf: url)).split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }.filter { $0.first?.utf8.first != UInt8(ascii: "#") }
    }

    /// As a line of a list.
    var line: String {
        [name, decisions.joined(separator: ","), file, url, expected.description].joined(separator: "\t")
    }
}

/// The decision about a URL.
enum FidelityVerdict: Sendable, Hashable, CustomStringConvertible {
    case open([String])
    case excluded
    case none

    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "open" where words.count > 1: self = .open(Array(words.dropFirst()))
        case "excluded" where words.count == 1: self = .excluded
        case "none" where words.count == 1: self = .none
        default: return nil
        }
    }

    init(_ outcome: Outcome, _ apps: [String]) {
        self =
            switch outcome {
            case .open: .open(apps)
            case .excluded: .excluded
            case .noMatch, .notDecided: .none
            }
    }

    /// The decision of the reference matcher.
    static func ofReference(_ file: String, _ url: String) throws -> FidelityVerdict {
        guard let url = WebURL(url.utf8), url.isHost(FidelityCase.domain) else { return .none }
        let decision = try ReferenceMatcher(AssociationDocument(file)).decide(url)
        return FidelityVerdict(decision.outcome, decision.appIDs)
    }

    /// The decision of the router.
    static func ofRouter(_ file: String, _ url: String) throws -> FidelityVerdict {
        let decision = try UniversalLinkRouter(AssociationDocument(file), domain: FidelityCase.domain).decide(url)
        return FidelityVerdict(decision.outcome, decision.appIDs)
    }

    var description: String {
        switch self {
        case .open(let apps): "open " + apps.joined(separator: " ")
        case .excluded: "excluded"
        case .none: "none"
        }
    }
}

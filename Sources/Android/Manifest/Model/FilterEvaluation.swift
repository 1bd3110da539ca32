internal import BoundedText
package import Diagnostics
package import URLPatterns

/// The decision of a filter about a link, with its reason (docs/spec/android.md, section 4).
package struct FilterEvaluation: Sendable {
    package let filter: LinkFilter
    package let decision: Decision
    /// The part that decided; nil if the filter opens the link.
    package let part: FilterPart?
    /// The value of the filter there, as it is written; nil if there is nothing.
    package let pattern: String?
    /// The part of the link, decoded; nil if it has no such part.
    package let value: String?
    /// The start tag of the group that blocks the link.
    package let group: SourceRange?
    /// A few words: why the filter does not take the link, or what only a build tells.
    package let reason: String
}

extension AppManifest {
    /// At most this many filters are explained.
    private static let maxEvaluations = 1_000

    /// The decision of each filter about a link that the app does not open, in file order, as far as the budget goes.
    package func evaluations(of link: AndroidLink, _ budget: inout WorkBudget) -> [FilterEvaluation] {
        let verified = FilterMatch(verification(of: link.host), .verification)
        var evaluations: [FilterEvaluation] = []
        for filter in allFilters.prefix(Self.maxEvaluations) {
            let match = filter.match(link, &budget).and(filter.reachMatch).and(verified)
            guard !budget.isSpent else { break }
            evaluations.append(evaluation(filter, match, link, &budget))
        }
        return evaluations
    }

    private func evaluation(
        _ filter: LinkFilter, _ match: FilterMatch, _ link: AndroidLink, _ budget: inout WorkBudget
    ) -> FilterEvaluation {
        var part = match.part
        var (wanted, value): ([String], String?) = ([], nil)
        var group: SourceRange?
        if match.decision == .undecided {
            let raw = part == .verification ? unresolvedVerification(of: link.host) : filter.unresolved(part, link.host)
            wanted = [raw].compactMap { $0 }
        }
        switch match.decision == .no ? part : .mimeType {
        case .action: wanted = ["VIEW"]
        case .category: wanted = [filter.hasBrowsableCategory ? "DEFAULT" : "BROWSABLE"]
        case .mimeType, .exported, .enabled: break
        case .scheme: (wanted, value) = (filter.schemes.map { $0.value ?? $0.raw }, link.scheme)
        case .host: (wanted, value) = (filter.authorities.map(\.raw), link.host)
        case .port:
            let authorities = filter.authorities.filter { $0.names(link.host) == .yes }
            (wanted, value) = (authorities.compactMap { $0.port?.raw }, link.port)
        case .verification: value = link.host
        case .schemeSpecificPart:
            (wanted, value) = (filter.schemeSpecificParts.map(\.text), String(units: link.schemeSpecificPart))
        case .path, .query, .fragment: (wanted, value) = (filter.paths.map(\.text), String(units: link.path))
        case .group:
            if let blocking = match.group.map({ filter.groups[$0] }) {
                group = blocking.range
                wanted = [blocking.conditions.map(\.condition.text).joined(separator: " ")]
                break
            }
            for group in filter.groups where group.canAllow {
                guard let failure = group.failure(link, &budget) else { continue }
                part = FilterPart(rawValue: failure.part.rawValue) ?? .group
                (wanted, value) = ([failure.condition.text], link.text(of: failure.part))
                break
            }
        }
        return FilterEvaluation(
            filter: filter, decision: match.decision, part: match.decision == .yes ? nil : part,
            pattern: wanted.isEmpty ? nil : Self.listed(wanted), value: value, group: group,
            reason: Self.reason(match.decision, part, wanted, value))
    }

    private static func reason(
        _ decision: Decision, _ part: FilterPart, _ wanted: [String], _ value: String?
    ) -> String {
        guard decision == .no else {
            return decision == .yes
                ? "takes it" : wanted.first.map { "\(quoted($0)) is known only in a build" } ?? "not decided"
        }
        let found = value.map { quoted($0) }
        return switch part {
        case .action: "it does not have the action VIEW"
        case .category: "it does not have the category \(listed(wanted))"
        case .mimeType: "it is for a MIME type, which no link has"
        case .exported: "its activity is not exported"
        case .enabled: "its activity, or the app, is disabled"
        case .scheme where wanted.isEmpty: "it has no scheme"
        case .scheme, .host, .port: "\(part.rawValue): \(found ?? "none") is not \(listed(wanted.map { quoted($0) }))"
        case .verification: "it takes it, but \(value ?? "") is not verified"
        case .path, .query, .fragment, .schemeSpecificPart:
            "\(part.rawValue): \(found.map { "\($0) does not match" } ?? "the URL has none for") \(listed(wanted))"
        case .group: wanted.isEmpty ? "none of its groups lets links through" : "a group blocks it: \(listed(wanted))"
        }
    }

    /// The first of some texts, and how many more there are.
    private static func listed(_ texts: [String]) -> String {
        let most = 3
        let rest = texts.count > most ? " or \(grouped(texts.count - most)) more" : ""
        return texts.prefix(most).joined(separator: " or ") + rest
    }

    /// Why a host is not verified: a sentence without an end.
    ///
    /// - Parameter host: In lower case, in Punycode.
    package func verificationFailure(of host: String) -> String {
        let asking = allFilters.filter { $0.asksForVerification == .yes }
        if api < ManifestDecisions.verificationAPI {
            return "before API \(ManifestDecisions.verificationAPI) Android verifies no host"
        }
        let counting = verifiesTogether && !asking.isEmpty ? filtersVerifiedTogether : asking
        let unverifiable = counting.lazy.flatMap(\.authorities).first { authority in
            !authority.isVerifiable && (verifiesTogether || authority.names(host) == .yes)
        }
        if let other = unverifiable?.raw {
            return "\(quoted(other)) is not a host that can be verified"
                + (verifiesTogether
                    ? ", and before API \(ManifestDecisions.separateHostsAPI) all hosts of an app have to be" : "")
        }
        guard let filter = asking.first(where: { $0.names(host) == .yes }) else {
            return "no intent filter asks for the verification of \(host)"
        }
        let start = "the intent filter that asks for the verification of \(host)"
        return filter.otherScheme.map { "\(start) has the scheme \(quoted($0)), too" }
            ?? "\(start) does not have VIEW, BROWSABLE and DEFAULT"
    }
}

extension AndroidLink {
    /// A part as text, decoded; nil if there is none.
    fileprivate func text(of part: FilterGroup.Part) -> String? {
        switch part {
        case .path: String(units: path)
        case .query: queryItems.map { String(units: Array($0.joined(separator: "&".utf16))) }
        case .fragment: fragment.map { String(units: $0) }
        }
    }
}

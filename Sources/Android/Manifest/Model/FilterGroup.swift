internal import Diagnostics
internal import URLPatterns

/// A `<uri-relative-filter-group>`: conditions on path, query and fragment that hold together (Android,
/// `UriRelativeFilterGroup`).
package struct FilterGroup: Sendable {
    package enum Part: String, CaseIterable, Sendable {
        case path, query, fragment
    }

    /// Its start tag.
    let range: SourceRange
    /// Whether what it matches is taken.
    let allows: Decision
    private(set) var conditions: [(part: Part, condition: TextCondition)] = []
    /// The first value, as it is written, that only a build tells; nil if there is none.
    private(set) var unresolved: String?

    init(_ element: XMLElement, _ tree: ManifestTree, _ values: BuildValues) {
        range = element.tagRange
        allows = tree.flag("allow", of: element, missing: true, values)
        unresolved = allows == .undecided ? tree.attribute("allow", of: element)?.value : nil
        for data in tree.children(of: element, named: "data") {
            for part in Part.allCases {
                for form in TextPattern.Form.allCases {
                    let attribute = { tree.attribute($0, of: data)?.value }
                    guard let condition = TextCondition(part.rawValue, form, values, attribute) else { continue }
                    if condition.pattern.isUnresolved { unresolved = unresolved ?? condition.raw }
                    conditions.append((part, condition))
                }
            }
        }
    }

    /// The group as a rule, nil if it matches nothing; and whether that is known without a build.
    var rule: (rule: FilterRule?, isResolved: Bool) {
        guard !conditions.isEmpty else { return (nil, true) }
        guard unresolved == nil else { return (nil, false) }
        let rule = FilterRule(
            conditions: conditions.map { ($0.part, $0.condition.pattern) }, takes: allows == .yes,
            text: conditions.map(\.condition.text).joined(separator: " and "))
        return (rule, true)
    }

    /// Whether a link meets a condition.
    private static func meets(
        _ part: Part, _ pattern: TextPattern, _ link: AndroidLink, _ budget: inout WorkBudget
    ) -> Decision {
        switch part {
        case .path: pattern.matches(link.path, &budget)
        case .fragment: link.fragment.map { pattern.matches($0, &budget) } ?? .no
        case .query: .any(of: link.queryItems ?? []) { pattern.matches($0, &budget) }
        }
    }

    private func matches(_ link: AndroidLink, _ budget: inout WorkBudget) -> Decision {
        conditions.isEmpty ? .no : .all(of: conditions) { Self.meets($0.part, $0.condition.pattern, link, &budget) }
    }

    /// The first condition that a link does not meet; nil if it meets all.
    func failure(_ link: AndroidLink, _ budget: inout WorkBudget) -> (part: Part, condition: TextCondition)? {
        conditions.first { Self.meets($0.part, $0.condition.pattern, link, &budget) == .no }
    }

    /// Whether it lets links through that it matches.
    var canAllow: Bool { allows != .no && !conditions.isEmpty }

    /// Whether a list of groups takes a link: the first that matches decides.
    static func take(_ groups: [FilterGroup], _ link: AndroidLink, _ budget: inout WorkBudget) -> FilterMatch {
        /// The answers of groups of which it is not known whether they match.
        var possible: [Decision] = []
        for (number, group) in groups.enumerated() {
            let answer = group.allows
            switch group.matches(link, &budget) {
            case .yes:
                let isCertain = possible.allSatisfy { $0 == answer }
                return FilterMatch(isCertain ? answer : .undecided, .group, group: number)
            case .no: continue
            case .undecided: possible.append(answer)
            }
        }
        return FilterMatch(possible.allSatisfy { $0 == .no } ? .no : .undecided, .group)
    }
}

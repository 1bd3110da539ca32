internal import URLPatterns

/// A `<uri-relative-filter-group>`: conditions on path, query and fragment that hold together (Android,
/// `UriRelativeFilterGroup`).
package struct FilterGroup: Sendable {
    package enum Part: String, CaseIterable, Sendable {
        case path, query, fragment
    }

    /// Whether what it matches is taken; nil if only a build tells.
    private let allows: Bool?
    private var conditions: [(part: Part, pattern: TextPattern)] = []

    init(allows: Bool?) { self.allows = allows }

    /// Adds the conditions of one of its `<data>`.
    ///
    /// - Parameter attribute: The value of an attribute, by its name without a prefix; nil if it is not there.
    mutating func add(_ values: BuildValues, _ attribute: (String) -> String?) {
        for part in Part.allCases {
            for form in TextPattern.Form.allCases {
                guard let raw = attribute(part.rawValue + form.rawValue) else { continue }
                conditions.append((part, TextPattern(form, values.value(of: raw))))
            }
        }
    }

    /// The group as a rule, nil if it matches nothing; and whether that is known without a build.
    var rule: (rule: FilterRule?, isResolved: Bool) {
        guard !conditions.isEmpty else { return (nil, true) }
        guard let allows, !conditions.contains(where: { $0.pattern.isUnresolved }) else { return (nil, false) }
        return (FilterRule(conditions: conditions, takes: allows), true)
    }

    private func matches(_ link: AndroidLink, _ budget: inout WorkBudget) -> Decision {
        guard !conditions.isEmpty else { return .no }
        var result = Decision.yes
        for (part, pattern) in conditions {
            let decision: Decision
            switch part {
            case .path: decision = pattern.matches(link.path, &budget)
            case .fragment: decision = link.fragment.map { pattern.matches($0, &budget) } ?? .no
            case .query:
                var any = Decision.no
                for item in link.queryItems ?? [] where any != .yes {
                    let decision = pattern.matches(item, &budget)
                    if decision != .no { any = decision }
                }
                decision = any
            }
            if decision == .no { return .no }
            if decision == .undecided { result = .undecided }
        }
        return result
    }

    /// Whether a list of groups takes a link: the first that matches decides.
    static func take(_ groups: [FilterGroup], _ link: AndroidLink, _ budget: inout WorkBudget) -> Decision {
        /// The answers of groups of which it is not known whether they match.
        var possible: [Decision] = []
        for group in groups {
            let answer = group.allows.map { Decision($0) } ?? .undecided
            switch group.matches(link, &budget) {
            case .yes: return possible.allSatisfy { $0 == answer } ? answer : .undecided
            case .no: continue
            case .undecided: possible.append(answer)
            }
        }
        return possible.allSatisfy { $0 == .no } ? .no : .undecided
    }
}

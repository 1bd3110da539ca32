internal import Diagnostics
internal import URLPatterns

// Groups that exclude nothing, or take nothing.
extension ManifestChecker {
    /// So many groups of a filter are compared.
    private static let mostGroups = 50

    /// A `<uri-relative-filter-group>` with its conditions, all of which are known.
    private struct Group {
        let element: ManifestElement
        let allows: Bool
        let conditions: [(part: FilterGroup.Part, pattern: TextPattern, text: String)]

        func patterns(_ part: FilterGroup.Part) -> [TextPattern] {
            let patterns = conditions.filter { $0.part == part }.map(\.pattern)
            return part == .path ? patterns + [.prefix(Array("/".utf16))] : patterns
        }

        /// Its path, if that is its only condition.
        var onlyPath: TextPattern? {
            conditions.count == 1 && conditions[0].part == .path ? conditions[0].pattern : nil
        }
    }

    mutating func checkGroups(_ filter: WrittenFilter) {
        let flags = filter.groups.map {
            flag("allow", of: $0.element) ?? (tree.attribute("allow", of: $0.element) == nil ? true : nil)
        }
        // Without a host neither paths nor groups count.
        guard filter.isForWeb, !filter.hosts.isEmpty, filter.groups.count <= Self.mostGroups else { return }
        let pooled = filter.data.prefix(Self.mostPaths).flatMap { pathConditions(of: $0) }
        let groups = zip(filter.groups, flags).map { group, allows in
            allows.flatMap { self.group(group.element, group.data, allows: $0) }
        }
        for case let group? in groups { checkTogether(group) }
        let takers = groups.map { $0.map { $0.allows && !$0.conditions.isEmpty } ?? true }
        guard pooled.isEmpty, !takers.contains(true), let first = groups.first else {
            let paths = pooled.compactMap { condition in
                values.value(of: condition.attribute.value).map { TextPattern(condition.form, $0) }
            }
            for (index, group) in groups.enumerated() {
                guard let group, !group.allows, !group.conditions.isEmpty else { continue }
                checkExclusion(
                    group, paths, groups[..<index].compactMap { $0 }, isLast: !takers[(index + 1)...].contains(true))
            }
            return
        }
        report(
            .manifestOnlyExclusions, first?.element.tagRange ?? filter.element.tagRange,
            "every group of the intent filter excludes, so that it takes no link",
            advice:
                "add <\(WrittenFilter.groupName)><data android:pathPrefix=\"/\" /></\(WrittenFilter.groupName)> at the end"
        )
    }

    /// - Returns: Nil if only a build tells a value.
    private func group(_ element: ManifestElement, _ data: [ManifestElement], allows: Bool) -> Group? {
        var conditions: [(part: FilterGroup.Part, pattern: TextPattern, text: String)] = []
        for element in data {
            for part in FilterGroup.Part.allCases {
                for form in TextPattern.Form.allCases {
                    guard let attribute = tree.attribute(part.rawValue + form.rawValue, of: element) else { continue }
                    guard let value = values.value(of: attribute.value) else { return nil }
                    conditions.append(
                        (part, TextPattern(form, value), "\(attribute.name) \(quoted(attribute.value))"))
                }
            }
        }
        return Group(element: element, allows: allows, conditions: conditions)
    }

    /// Reports conditions of a group that cannot hold together.
    private mutating func checkTogether(_ group: Group) {
        for part in [FilterGroup.Part.path, .fragment] {
            let own = group.conditions.filter { $0.part == part }
            guard own.count > 1, PatternRelation.isNone(of: group.patterns(part), &budget) == true else { continue }
            // One that matches nothing alone is a mistake of its own.
            guard !own.contains(where: { PatternRelation.isNone(of: [$0.pattern], &budget) != false }) else { continue }
            report(
                .manifestMixedData, group.element.tagRange,
                "all conditions of a group hold together, and no \(part.rawValue) matches both \(own[0].text) and \(own[1].text)",
                advice: "write a <\(WrittenFilter.groupName)> for each")
        }
    }

    /// Reports an exclusion that excludes nothing.
    ///
    /// - Parameters:
    ///   - paths: Those of the filter outside of groups.
    ///   - earlier: The groups before it.
    ///   - isLast: Whether no group after it takes links.
    private mutating func checkExclusion(_ group: Group, _ paths: [TextPattern], _ earlier: [Group], isLast: Bool) {
        let own = group.patterns(.path)
        guard PatternRelation.isNone(of: own, &budget) == false else { return }
        let isByPaths = !paths.isEmpty && PatternRelation.isNone(of: own, outside: paths, &budget) == true
        let decider = earlier.first { covers($0, group) }
        // What is excluded before is excluded.
        guard isByPaths || decider?.allows != false else { return }
        let before = paths + earlier.filter(\.allows).compactMap(\.onlyPath)
        let isByAll = PatternRelation.isNone(of: own, outside: before, &budget) == true
        // What comes last excludes nothing of what was not taken before it.
        let isTooLate =
            isLast && !matchesEveryPath(group)
            && before.contains { PatternRelation.isNone(of: own + [$0], &budget) == false }
        guard isByPaths || decider != nil || isByAll || isTooLate else { return }
        report(
            .manifestDeadExclude, group.element.tagRange,
            isByPaths
                ? "the group excludes nothing, because the paths of the filter's <data> take these links"
                : "the group excludes nothing, because what comes before it takes these links",
            advice: isByPaths
                ? "write the paths in a <\(WrittenFilter.groupName)> after it, not in a <data> of the filter"
                : "move it before the groups that take links",
            notes: ["it excludes \(group.conditions.prefix(3).map(\.text).joined(separator: " and "))"],
            labels: decider.map { [Diagnostic.Label($0.element.tagRange, "this takes the links")] } ?? [])
    }

    private mutating func matchesEveryPath(_ group: Group) -> Bool {
        guard let path = group.onlyPath else { return false }
        return PatternRelation.isNone(of: [.prefix(Array("/".utf16))], outside: [path], &budget) == true
    }

    /// Whether a group matches all that another one does.
    private mutating func covers(_ wide: Group, _ narrow: Group) -> Bool {
        guard !wide.conditions.isEmpty else { return false }
        for (part, pattern, _) in wide.conditions {
            let isImplied =
                part == .query
                ? narrow.patterns(part).contains {
                    PatternRelation.isNone(of: [$0], outside: [pattern], &budget) == true
                }
                : !narrow.patterns(part).isEmpty
                    && PatternRelation.isNone(of: narrow.patterns(part), outside: [pattern], &budget) == true
            guard isImplied else { return false }
        }
        return true
    }
}

internal import Diagnostics
internal import URLPatterns

// Groups that exclude nothing, or take nothing.
extension ManifestChecker {
    /// At most this many groups of a filter are compared.
    private static let maxGroups = 50

    mutating func checkGroups(_ filter: WrittenFilter) {
        for group in filter.groups { _ = flag("allow", of: group.element) }
        // Without a host neither paths nor groups count.
        guard filter.isForWeb, !filter.hosts.isEmpty, filter.groups.count <= Self.maxGroups else { return }
        let pooled = filter.data.prefix(Self.maxPaths).flatMap { pathConditions(of: $0) }
        let groups = filter.groups.map { FilterGroup($0.element, tree, values) }
        for group in groups where group.unresolved == nil { checkTogether(group) }
        let takers = groups.map { $0.unresolved != nil || $0.allows == .yes && !$0.conditions.isEmpty }
        if pooled.isEmpty, let first = groups.first, !takers.contains(true) {
            return report(
                .manifestOnlyExclusions, first.range,
                "every group of the intent filter excludes, so that it takes no link",
                advice:
                    "add <\(WrittenFilter.groupName)><data android:pathPrefix=\"/\" /></\(WrittenFilter.groupName)> at the end"
            )
        }
        let paths = pooled.compactMap { condition in
            values.value(of: condition.attribute.value).map { TextPattern(condition.form, $0) }
        }
        for (index, group) in groups.enumerated() where group.unresolved == nil && group.allows == .no {
            guard !group.conditions.isEmpty else { continue }
            let earlier = groups[..<index].filter { $0.unresolved == nil && !$0.conditions.isEmpty }
            checkExclusion(group, paths, earlier, isLast: !takers[(index + 1)...].contains(true))
        }
    }

    /// Reports conditions of a group that cannot hold together.
    private mutating func checkTogether(_ group: FilterGroup) {
        for part in [FilterGroup.Part.path, .fragment] {
            let own = group.conditions.filter { $0.part == part }.map(\.condition)
            guard own.count > 1, PatternRelation.isNone(of: group.patterns(part), &budget) == true else { continue }
            // One that matches nothing alone is a mistake of its own.
            guard !own.contains(where: { PatternRelation.isNone(of: [$0.pattern], &budget) != false }) else { continue }
            report(
                .manifestMixedData, group.range,
                "all conditions of a group hold together, and no \(part.rawValue) matches both \(quoted(own[0].text)) "
                    + "and \(quoted(own[1].text))",
                advice: "write a <\(WrittenFilter.groupName)> for each")
        }
    }

    /// Reports an exclusion that excludes nothing.
    ///
    /// - Parameters:
    ///   - paths: Those of the filter outside of groups.
    ///   - earlier: The groups before it.
    ///   - isLast: Whether no group after it takes links.
    private mutating func checkExclusion(
        _ group: FilterGroup, _ paths: [TextPattern], _ earlier: [FilterGroup], isLast: Bool
    ) {
        let own = group.patterns(.path)
        guard PatternRelation.isNone(of: own, &budget) == false else { return }
        let isByPaths = !paths.isEmpty && PatternRelation.isNone(of: own, outside: paths, &budget) == true
        let decider = earlier.first { covers($0, group) }
        // What is excluded before is excluded.
        guard isByPaths || decider?.allows != .no else { return }
        let before = paths + earlier.filter { $0.allows == .yes }.compactMap(\.onlyPath)
        let isByAll = PatternRelation.isNone(of: own, outside: before, &budget) == true
        // What comes last excludes nothing of what was not taken before it.
        let isTooLate =
            isLast && group.onlyPath.map { PatternRelation.isNone(of: [.anyPath], outside: [$0], &budget) } != true
            && before.contains { PatternRelation.isNone(of: own + [$0], &budget) == false }
        guard isByPaths || decider != nil || isByAll || isTooLate else { return }
        report(
            .manifestDeadExclude, group.range,
            isByPaths
                ? "the group excludes nothing, because the paths of the filter's <data> take these links"
                : "the group excludes nothing, because what comes before it takes these links",
            advice: isByPaths
                ? "write the paths in a <\(WrittenFilter.groupName)> after it, not in a <data> of the filter"
                : "move it before the groups that take links",
            notes: [
                "it excludes \(group.conditions.prefix(3).map { quoted($0.condition.text) }.joined(separator: " and "))"
            ],
            labels: decider.map { [Diagnostic.Label($0.range, "this takes the links")] } ?? [])
    }

    /// Whether a group matches all that another one does.
    private mutating func covers(_ wide: FilterGroup, _ narrow: FilterGroup) -> Bool {
        wide.conditions.allSatisfy { part, condition in
            let own = narrow.patterns(part)
            // Items of a query are compared one by one.
            return (part == .query ? own.map { [$0] } : own.isEmpty ? [] : [own]).contains {
                PatternRelation.isNone(of: $0, outside: [condition.pattern], &budget) == true
            }
        }
    }
}

extension FilterGroup {
    /// The patterns for a part of a link, which all have to match.
    fileprivate func patterns(_ part: Part) -> [TextPattern] {
        conditions.filter { $0.part == part }.map(\.condition.pattern) + (part == .path ? [.anyPath] : [])
    }

    /// Its path, if that is its only condition.
    fileprivate var onlyPath: TextPattern? {
        conditions.count == 1 && conditions[0].part == .path ? conditions[0].condition.pattern : nil
    }
}

extension TextPattern {
    /// All that a path can be.
    static let anyPath = prefix([UInt16(ascii: "/")])
}

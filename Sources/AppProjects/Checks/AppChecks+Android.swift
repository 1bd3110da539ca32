package import AndroidManifest
internal import AppSiteAssociation
package import Diagnostics
internal import URLPatterns

extension AppChecks {
    private var android: [AppProject] { projects.filter(\.isForAndroid) }

    /// The findings of the Android side about a domain.
    func androidFindings(_ host: HostName, isTarget: Bool) -> [LocatedDiagnostic] {
        let naming = android.filter { $0.names(host) != .no }
        guard naming.isEmpty else { return naming.compactMap { unverified($0, host) } }
        for project in android {
            if let filter = project.filters.first(where: { $0.names(host.ascii) == .yes }) {
                return [unreachable(filter, of: project, host)]
            }
        }
        // The parent of a wildcard, where Android looks for assetlinks.json.
        guard isTarget else { return android.compactMap { unverified($0, host) } }
        guard let first = android.first else { return [] }
        let others = android.dropFirst().map { "'\($0.path)'" }
        return [
            LocatedDiagnostic(
                .manifestHostMissing, "no intent filter names \(host.ascii)", path: first.path,
                source: first.filterSource,
                range: SourceRange(start: 0, end: 0),
                advice: "add a filter with android:autoVerify=\"true\", VIEW, DEFAULT, BROWSABLE, and <data> with "
                    + "the scheme https and this host",
                notes: others.isEmpty ? [] : ["there is none in \(others.joined(separator: ", ")) either"])
        ]
    }

    /// About a filter that names a host, and gets no links.
    private func unreachable(_ filter: LinkFilter, of project: AppProject, _ host: HostName) -> LocatedDiagnostic {
        guard filter.isEnabled != .no else {
            return LocatedDiagnostic(
                .manifestHostMissing,
                "the activity of the intent filter for \(host.ascii), or its app, is disabled, so it gets no links",
                path: project.path, source: project.filterSource, range: filter.range,
                advice: "remove android:enabled=\"false\"")
        }
        guard filter.isExported != .no else {
            return LocatedDiagnostic(
                .manifestHostMissing,
                "the activity of the intent filter for \(host.ascii) is not exported, so it gets no links",
                path: project.path, source: project.filterSource, range: filter.range,
                advice: "set android:exported=\"true\" on the activity")
        }
        return LocatedDiagnostic(
            .manifestHostMissing,
            "the intent filter for \(host.ascii) does not have the category DEFAULT, so it gets no links",
            path: project.path, source: project.filterSource, range: filter.range,
            advice: project.kind == .expo
                ? "add \"DEFAULT\" to its \"category\""
                : "add <category android:name=\"android.intent.category.DEFAULT\" />")
    }

    private func unverified(_ project: AppProject, _ host: HostName) -> LocatedDiagnostic? {
        let filters = project.linkFilters.filter { $0.names(host.ascii) == .yes || $0.names(below: host.ascii) }
        let advice = project.kind == .expo ? "add \"autoVerify\": true" : "add android:autoVerify=\"true\""
        return UnverifiedHosts.finding(about: host.ascii, filters, advice: advice).map { finding in
            project.filterSource.map { LocatedDiagnostic(finding, in: $0, largestSource: .max) }
                ?? LocatedDiagnostic(finding, at: project.path)
        }
    }

    /// The findings of the Android side about a link whose host it names.
    package func findings(for link: AndroidLink) -> [LocatedDiagnostic] {
        let naming = android.filter { project in project.linkFilters.contains { $0.names(link.host) != .no } }
        guard let first = naming.first else { return [] }
        var budget = WorkBudget.decision
        let decisions = naming.flatMap { project in
            project.linkFilters.map { Decision.all([$0.reach, $0.takes(link, &budget)]) }
        }
        switch Decision.any(decisions) {
        case .yes: return []
        case .no:
            return [
                LocatedDiagnostic(
                    .manifestLinkMissing, "no intent filter takes \(quoted(link.url, limit: 300))", path: first.path,
                    source: first.filterSource, range: first.filter(naming: link.host)?.range,
                    advice: "add <data> with a path, pathPrefix or pathPattern that takes it")
            ]
        case .undecided:
            return [
                LocatedDiagnostic(
                    .manifestLinkMissing,
                    "whether an intent filter takes \(quoted(link.url, limit: 300)) is not decided", path: first.path,
                    source: first.filterSource, range: first.filter(naming: link.host)?.range, severity: .note,
                    notes: [
                        budget.isSpent
                            ? "to compare the link with the filters takes too many steps"
                            : "a value of a filter is known only in a build"
                    ])
            ]
        }
    }
}

extension AppProject {
    /// Those to which the system gives links at all.
    fileprivate var linkFilters: [LinkFilter] { filters.filter(\.getsLinks) }

    fileprivate func names(_ host: HostName) -> Decision { .any(linkFilters.lazy.map { $0.names(host.ascii) }) }

    fileprivate func filter(naming host: String) -> LinkFilter? { linkFilters.first { $0.names(host) != .no } }
}

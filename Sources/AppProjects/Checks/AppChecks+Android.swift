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
                return [withoutDefault(filter, of: project, host)]
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

    private func withoutDefault(_ filter: LinkFilter, of project: AppProject, _ host: HostName) -> LocatedDiagnostic {
        LocatedDiagnostic(
            .manifestHostMissing,
            "the intent filter for \(host.ascii) does not have the category DEFAULT, so it gets no links",
            path: project.path, source: project.filterSource, range: filter.range,
            advice: project.kind == .expo
                ? "add \"DEFAULT\" to its \"category\""
                : "add <category android:name=\"android.intent.category.DEFAULT\" />")
    }

    /// Android verifies a host for the whole app if one filter of it asks for that.
    private func unverified(_ project: AppProject, _ host: HostName) -> LocatedDiagnostic? {
        let filters = project.linkFilters.filter { $0.names(host.ascii) == .yes || $0.names(below: host.ascii) }
        guard let first = filters.first, !filters.contains(where: \.isVerified) else { return nil }
        if let filter = filters.first(where: \.asksForVerification), let scheme = filter.otherScheme {
            return LocatedDiagnostic(
                .manifestAutoVerify,
                "the intent filter for \(host.ascii) has the scheme \(quoted(scheme)), too, so it is not verified",
                path: project.path, source: project.filterSource, range: filter.range,
                advice: "move \(quoted(scheme)) to an intent filter of its own",
                notes: ["Android 12 and later verify only filters that have no schemes but http and https"])
        }
        return LocatedDiagnostic(
            .manifestAutoVerify, "the intent filter for \(host.ascii) does not have android:autoVerify=\"true\"",
            path: project.path, source: project.filterSource, range: first.range,
            advice: project.kind == .expo ? "add \"autoVerify\": true" : "add android:autoVerify=\"true\"",
            notes: ["Android 12 and later open its links in the browser unless the user enables the host by hand"],
            labels: filters.dropFirst().map { Diagnostic.Label($0.range, "this one neither") })
    }

    /// The findings of the Android side about a link whose host it names.
    package func findings(for link: AndroidLink) -> [LocatedDiagnostic] {
        let naming = android.filter { project in project.linkFilters.contains { $0.names(link.host) != .no } }
        guard let first = naming.first else { return [] }
        switch Decision.any(naming.lazy.flatMap { $0.linkFilters.lazy.map { $0.takes(link) } }) {
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
                    notes: ["pathAdvancedPattern, groups of filters and values of a build are not evaluated"])
            ]
        }
    }
}

extension AppProject {
    /// Those to which the system gives links at all.
    fileprivate var linkFilters: [LinkFilter] { filters.filter(\.hasDefaultCategory) }

    fileprivate func names(_ host: HostName) -> Decision { .any(linkFilters.lazy.map { $0.names(host.ascii) }) }

    fileprivate func filter(naming host: String) -> LinkFilter? { linkFilters.first { $0.names(host) != .no } }
}

package import Android
internal import AppSiteAssociation
package import Diagnostics
internal import URLPatterns

extension AppChecks {
    private var android: [AppProject] { projects.filter(\.isForAndroid) }

    /// The findings about the filters of a manifest; what is not verified, or not known, is reported for the domain or the
    /// link that is asked about.
    func manifestFindings(_ project: AppProject) -> [LocatedDiagnostic] {
        guard let manifest = project.manifest, let source = project.filterSource else { return [] }
        let findings = ManifestChecker.findings(in: manifest)
        return findings.filter { !$0.is(.manifestAutoVerify) && $0.severity > .note }.map {
            LocatedDiagnostic($0, in: source, largestSource: .max)
        }
    }

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
        for project in android {
            guard let data = project.manifest?.data(naming: host.ascii) else { continue }
            return [
                LocatedDiagnostic(
                    .manifestHostMissing, "no intent filter that gets web links names \(host.ascii)",
                    path: project.path, source: project.filterSource, range: data.tagRange,
                    advice: Self.filterAdvice, notes: ["this <data> names it, in a filter that gets none"])
            ]
        }
        let others = android.dropFirst().map { "'\($0.path)'" }
        return [
            LocatedDiagnostic(
                .manifestHostMissing, "no intent filter names \(host.ascii)", path: first.path,
                source: first.filterSource,
                range: SourceRange(start: 0, end: 0),
                advice: Self.filterAdvice,
                notes: others.isEmpty ? [] : ["there is none in \(others.joined(separator: ", ")) either"])
        ]
    }

    private static let filterAdvice =
        "add a filter with android:autoVerify=\"true\", VIEW, DEFAULT, BROWSABLE, and <data> with the scheme https and "
        + "this host"

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
        return UnverifiedHosts.finding(about: [host.ascii], filters, advice: advice).map { finding in
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
                    advice: advice(for: link, naming, &budget))
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

extension AppChecks {
    /// The element to add so that a link is taken that no filter takes.
    private func advice(for link: AndroidLink, _ projects: [AppProject], _ budget: inout WorkBudget) -> String {
        let scheme = link.scheme == "https" ? "http" : "https"
        let filters = projects.flatMap(\.linkFilters)
        let other = AndroidLink(scheme + link.url.dropFirst(link.scheme.count))
        if let other, filters.contains(where: { $0.takes(other, &budget) == .yes }) {
            return "add <data android:scheme=\"\(link.scheme)\" />: the filters take it with \(scheme)"
        }
        return "add <data> with a path, pathPrefix or pathPattern that takes it"
    }
}

extension XMLElement {
    /// The first `<data>` below it that names a host, whatever it is in.
    fileprivate func data(naming host: String) -> XMLElement? {
        if name == "data", attributes.contains(where: { Self.isHost($0, host) }) { return self }
        for child in children {
            if let data = child.data(naming: host) { return data }
        }
        return nil
    }

    private static func isHost(_ attribute: Attribute, _ host: String) -> Bool {
        guard attribute.name == "host" || attribute.name.hasSuffix(":host") else { return false }
        let parent = attribute.value.hasPrefix("*.") ? HostName(String(attribute.value.dropFirst(2))) : nil
        return HostName(attribute.value)?.ascii == host || parent.map { host.hasSuffix(".\($0.ascii)") } == true
    }
}

extension AppProject {
    /// Those to which the system gives links at all.
    fileprivate var linkFilters: [LinkFilter] { filters.filter(\.getsLinks) }

    fileprivate func names(_ host: HostName) -> Decision { .any(linkFilters.lazy.map { $0.names(host.ascii) }) }

    fileprivate func filter(naming host: String) -> LinkFilter? { linkFilters.first { $0.names(host) != .no } }
}

internal import AppSiteAssociation
internal import Diagnostics

extension AppChecks {
    private var android: [AppProject] { projects.filter(\.isForAndroid) }

    /// What the Android side says about a domain.
    func androidFindings(_ host: HostName, isTarget: Bool) -> [AppFinding] {
        let naming = android.filter { $0.names(host) != .no }
        guard let first = naming.isEmpty ? android.first : nil else {
            return naming.compactMap { unverified($0, host) }
        }
        guard isTarget else { return [] }
        let others = android.dropFirst().map { "'\($0.path)'" }
        return [
            AppFinding(
                .manifestHostMissing, "no intent filter names \(host.ascii)", path: first.path,
                source: first.filterSource,
                range: SourceRange(start: 0, end: 0),
                advice: "add a filter with android:autoVerify=\"true\", VIEW, DEFAULT, BROWSABLE, and <data> with "
                    + "the scheme https and this host",
                notes: others.isEmpty ? [] : ["there is none in \(others.joined(separator: ", ")) either"])
        ]
    }

    /// Android verifies a host for the whole app if one filter of it asks for that.
    private func unverified(_ project: AppProject, _ host: HostName) -> AppFinding? {
        let filters = project.filters.filter { $0.names(host.ascii) == .yes }
        guard let first = filters.first, !filters.contains(where: \.isVerified) else { return nil }
        return AppFinding(
            .manifestAutoVerify, "the intent filter for \(host.ascii) does not have android:autoVerify=\"true\"",
            path: project.path, source: project.filterSource, range: first.range,
            advice: project.kind == .expo ? "add \"autoVerify\": true" : "add android:autoVerify=\"true\"",
            notes: ["Android 12 and later open its links in the browser unless the user enables the host by hand"],
            labels: filters.dropFirst().map { Diagnostic.Label($0.range, "this one neither") })
    }

    /// What the Android side says about a link whose host it names.
    package func findings(for link: AndroidLink) -> [AppFinding] {
        let naming = android.filter { project in project.filters.contains { $0.names(link.host) != .no } }
        guard let first = naming.first else { return [] }
        switch Decision.any(naming.flatMap { $0.filters.map { $0.takes(link) } }) {
        case .yes: return []
        case .no:
            return [
                AppFinding(
                    .manifestLinkMissing, "no intent filter takes \(quoted(link.text, limit: 300))", path: first.path,
                    source: first.filterSource, range: first.filter(naming: link.host)?.range,
                    advice: "add <data> with a path, pathPrefix or pathPattern that takes it")
            ]
        case .undecided:
            return [
                AppFinding(
                    .manifestLinkMissing,
                    "whether an intent filter takes \(quoted(link.text, limit: 300)) is not decided", path: first.path,
                    source: first.filterSource, range: first.filter(naming: link.host)?.range, severity: .note,
                    notes: ["pathAdvancedPattern, groups of filters and values of a build are not evaluated"])
            ]
        }
    }
}

extension AppProject {
    fileprivate func names(_ host: HostName) -> Decision { .any(filters.map { $0.names(host.ascii) }) }

    fileprivate func filter(naming host: String) -> LinkFilter? { filters.first { $0.names(host) != .no } }
}

extension AndroidLink {
    /// The link, as far as filters look at it.
    fileprivate var text: String { "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)" }
}

internal import Android
internal import AppSiteAssociation
package import Diagnostics
internal import SystemSupport
package import URLPatterns

/// The app's side as all `--app` arguments show it together, and what is wrong with it.
///
/// Nothing is fetched: the time, the domains that are asked for and their live files come in from outside.
package struct AppChecks: Sendable {
    let projects: [AppProject]
    /// Those of `--app-id`, which replace what the files say; none if it was not given.
    let givenIDs: [ApplicationIdentifier]

    /// - Parameter appIDs: Of `--app-id`.
    package init(_ projects: [AppProject], appIDs: [ApplicationIdentifier] = []) {
        self.projects = projects
        givenIDs = distinct(appIDs)
    }

    /// The findings about the files, whatever domain is asked for.
    ///
    /// - Parameter now: In seconds since 1970.
    package func findings(now: Int64) -> [LocatedDiagnostic] {
        projects.flatMap { project in
            project.unresolved.map { value in
                LocatedDiagnostic(
                    .buildSettingUnknown, value.clause, path: project.path, advice: value.advice, notes: value.notes)
            } + project.domains.flatMap { $0.findings(in: project) } + profileFindings(project, now: now)
                + manifestFindings(project)
        } + conflicts()
    }

    /// The domains that the files name, for a run without targets; those with a mistake that can be guessed at too.
    package var hosts: [HostName] {
        let entries = projects.flatMap(\.domains).flatMap(\.entries).compactMap(\.host)
        let filters = projects.flatMap(\.filters).flatMap(\.authorities).compactMap { authority in
            authority.host.flatMap { host in
                HostName(authority.isWildcard && host.hasPrefix(".") ? String(host.dropFirst()) : host)
            }
        }
        return distinct(entries + filters)
    }

    private func profileFindings(_ project: AppProject, now: Int64) -> [LocatedDiagnostic] {
        var findings: [LocatedDiagnostic] = []
        if let expires = project.expires, expires <= now {
            findings.append(
                LocatedDiagnostic(
                    .profileExpired, "the provisioning profile expired on \(InternetDate.day(expires))",
                    path: project.path,
                    source: project.domains.first?.source, range: project.expiresRange,
                    advice: "renew the profile at developer.apple.com and sign the app again"))
        }
        if let signed = project.apps.first?.id, let allowed = project.profileAppID {
            findings.append(
                LocatedDiagnostic(
                    .appIdentityConflict,
                    "the signature says \(quoted(signed.text)) and the provisioning profile \(quoted(allowed.text))",
                    path: project.path, advice: "sign the app with the profile of its own app ID"))
        }
        return findings
    }

    /// The files that name another app ID for a bundle ID than an earlier one.
    private func conflicts() -> [LocatedDiagnostic] {
        var first: [String: (ids: Set<ApplicationIdentifier>, path: String)] = [:]
        var findings: [LocatedDiagnostic] = []
        for project in projects {
            let known = project.apps.filter { $0.id != nil }
            for bundle in distinct(known.compactMap { $0.id?.bundle }) {
                let ids = known.compactMap(\.id).filter { $0.bundle == bundle }
                guard let earlier = first[bundle] else {
                    first[bundle] = (Set(ids), project.path)
                    continue
                }
                guard earlier.ids.isDisjoint(with: ids), let id = ids.first, let other = earlier.ids.map(\.text).min()
                else {
                    continue
                }
                let app = known.first { $0.id == id }
                let list = app.map { project.domains[$0.list] }
                findings.append(
                    LocatedDiagnostic(
                        .appIdentityConflict,
                        "the app ID here is \(quoted(id.text)), and \(quoted(other)) in '\(earlier.path)'",
                        path: project.path, source: app?.idRange == nil ? nil : list?.source, range: app?.idRange,
                        advice: "find out which prefix the app has in the App Store, and give it with --app-id",
                        notes: project.kind == .project || project.kind == .expo
                            ? ["the prefix here is the Team ID; apps from before 2011 may have another one"] : []))
            }
        }
        return findings
    }
}

extension LocatedDiagnostic {
    /// A finding about the app's side.
    ///
    /// - Parameters:
    ///   - path: The file, for a finding that has no range in a text.
    ///   - severity: Nil for that of the rule.
    init(
        _ rule: RuleDescription, _ message: String, path: String, source: SourceText? = nil, range: SourceRange? = nil,
        pointer: String? = nil, severity: Severity? = nil, advice: String? = nil, notes: [String] = [],
        fixIts: [FixIt] = [], labels: [Diagnostic.Label] = []
    ) {
        if let source, let range {
            self.init(
                Diagnostic(
                    rule, as: severity, message, range: range, pointer: pointer, advice: advice, notes: notes,
                    fixIts: fixIts, labels: labels),
                in: source, largestSource: .max)
        } else {
            let path = source?.path ?? path
            self.init(
                Diagnostic(rule, as: severity, message, subject: .file(path), advice: advice, notes: notes), at: path)
        }
    }

    /// A finding about an entry.
    init(
        _ rule: RuleDescription, _ message: String, _ entry: DomainEntry, in list: AssociatedDomains,
        severity: Severity? = nil, advice: String? = nil, notes: [String] = [], fixIts: [FixIt] = [],
        labels: [Diagnostic.Label] = []
    ) {
        self.init(
            rule, message, path: list.path, source: list.source, range: entry.range, pointer: entry.pointer,
            severity: severity, advice: advice, notes: notes, fixIts: fixIts, labels: labels)
    }
}

package import AppSiteAssociation
package import Diagnostics
package import URLPatterns

extension AppProject {
    /// The services of an app whose entries cover a host.
    fileprivate func services(of app: AppleApp, covering host: HostName) -> Coverage {
        switch domains[app.list].value {
        case .every: return Coverage(entries: [], isUncertain: false, isEvery: true)
        case .missing: return Coverage(entries: [], isUncertain: false)
        case .unknown: return Coverage(entries: [], isUncertain: true)
        case .entries(let entries):
            return Coverage(
                entries: entries.filter { $0.covers(host) == true },
                isUncertain: entries.contains { $0.covers(host) == nil })
        }
    }

    fileprivate func covers(_ host: HostName) -> Bool {
        apps.contains { app in
            let coverage = services(of: app, covering: host)
            return coverage.isEvery || coverage.isUncertain || !coverage.entries.isEmpty
        }
    }

    /// Whether an entry was meant for a host, or there is a finding that is the cause.
    fileprivate func hasReported(_ host: HostName) -> Bool {
        domains.contains { $0.isMissing }
            || domains.contains { $0.entries.contains { $0.problem != nil && $0.names(host) } }
    }

    /// Where an entry would be added.
    fileprivate var listOfEntries: AssociatedDomains? { domains.first { !$0.entries.isEmpty } ?? domains.first }
}

/// Whether the app's side names a host.
package enum HostCoverage: Equatable, Sendable {
    /// The entries that cover it, as they are written.
    case entries([String])
    /// A profile that allows every domain, or a build variable, may cover it.
    case undecided
    /// An entry is meant for it and the system ignores it, or a file has no entries at all; findings say so.
    case malformed
    case missing
}

/// The coverage of a host by an app's entries.
private struct Coverage {
    let entries: [DomainEntry]
    /// Whether entries that only a build tells may cover the host.
    let isUncertain: Bool
    var isEvery = false

    var services: Set<DomainEntry.Service> { Set(entries.compactMap(\.service)) }

    /// Whether an entry for links covers the host, or may do so.
    var mayTakeLinks: Bool { isEvery || isUncertain || entries.contains { $0.service == .applinks } }
}

extension AppChecks {
    /// The findings from the files about a domain, without its live file.
    ///
    /// - Parameters:
    ///   - isTarget: Whether the user named the domain; otherwise it comes from the files themselves.
    ///   - hasLinks: Whether links of the domain have to open the app, which only an entry `applinks` lets them do.
    package func findings(for host: HostName, isTarget: Bool, hasLinks: Bool = false) -> [LocatedDiagnostic] {
        (isTarget ? missingEntitlements(host) : []) + (hasLinks ? missingLinks(host) : [])
            + projects.flatMap { notes($0, host) } + unknownAppID(host) + androidFindings(host, isTarget: isTarget)
    }

    /// The apps that the links of a host can open as far as the files tell, by their IDs; nil is an unknown one.
    ///
    /// - Returns: Nil if nothing says which app is meant. Empty if no entry `applinks` covers the host.
    package func appsForLinks(on host: HostName) -> [ApplicationIdentifier?]? {
        let files = projects.filter(\.isForApple)
        guard !files.isEmpty else { return givenIDs.isEmpty ? nil : givenIDs }
        let apps = files.flatMap { file in
            file.apps.filter { file.services(of: $0, covering: host).mayTakeLinks }
        }
        return apps.isEmpty ? [] : givenIDs.isEmpty ? distinct(apps.map(\.id)) : givenIDs
    }

    /// Whether entries cover a host, and none of them is for links.
    private func lacksLinks(_ host: HostName) -> Bool {
        appsForLinks(on: host) == [] && projects.contains { $0.isForApple && $0.covers(host) }
    }

    /// The finding about an app that names a host for other services only.
    private func missingLinks(_ host: HostName) -> [LocatedDiagnostic] {
        guard lacksLinks(host), let project = projects.first(where: { $0.isForApple && $0.covers(host) }),
            let app = project.apps.first(where: { !project.services(of: $0, covering: host).entries.isEmpty })
        else { return [] }
        let list = project.domains[app.list]
        // The problems of an entry that was meant are reported there.
        guard !list.entries.contains(where: { $0.isMeant(for: host, .applinks) }) else { return [] }
        let others = distinct(project.services(of: app, covering: host).entries.map(\.text))
        return [
            LocatedDiagnostic(
                .entitlementMissing, "no entry 'applinks:\(host.ascii)', so links of the domain do not open the app",
                path: project.path, source: list.source, range: list.range,
                advice: "add 'applinks:\(host.ascii)' to the associated domains",
                notes: ["\(others.prefix(3).map { quoted($0) }.joined(separator: ", ")) is for another service"])
        ]
    }

    /// The coverage of a host by the files for Apple's systems; nil if there are none.
    package func coverage(of host: HostName) -> HostCoverage? {
        let files = projects.filter(\.isForApple)
        guard !files.isEmpty else { return nil }
        let coverages = files.flatMap { file in file.apps.map { file.services(of: $0, covering: host) } }
        let entries = distinct(coverages.flatMap { $0.entries.map(\.text) })
        if !entries.isEmpty { return .entries(entries) }
        if coverages.contains(where: { $0.isEvery || $0.isUncertain }) { return .undecided }
        return files.contains { $0.hasReported(host) } ? .malformed : .missing
    }

    /// The files of apps that no entry is in for a domain.
    private func missingEntitlements(_ host: HostName) -> [LocatedDiagnostic] {
        let files = projects.filter(\.isForApple)
        let covering = files.filter { $0.covers(host) }
        let missing: [AppProject]
        if covering.isEmpty {
            // One finding for a domain, and none where another one is the cause.
            missing = files.contains { $0.hasReported(host) } ? [] : Array(files.prefix(1))
        } else {
            // Several apps may each have their domains; but all files about one app should have the same.
            let ids = Set(covering.flatMap(\.appIDs))
            missing = files.filter { !$0.covers(host) && !ids.isDisjoint(with: $0.appIDs) && !$0.hasReported(host) }
        }
        return missing.map { project in
            let others = files.filter { $0.path != project.path }.map { "'\($0.path)'" }
            let list = project.listOfEntries
            let names = (covering.isEmpty ? others : covering.map { "'\($0.path)'" }).joined(separator: ", ")
            let notes =
                covering.isEmpty
                ? (others.isEmpty ? [] : ["there is none in \(names) either"])
                : ["\(names) \(covering.count == 1 ? "has" : "have") one"]
            return LocatedDiagnostic(
                .entitlementMissing, "no entry for \(host.ascii)", path: project.path, source: list?.source,
                range: list?.range,
                advice: "add 'applinks:\(host.ascii)' to the associated domains", notes: notes)
        }
    }

    /// The finding that the app's identity is not given anywhere.
    private func unknownAppID(_ host: HostName) -> [LocatedDiagnostic] {
        guard givenIDs.isEmpty, projects.allSatisfy(\.appIDs.isEmpty),
            let project = projects.first(where: { $0.isForApple && $0.covers(host) })
        else { return [] }
        let app = project.apps.first { !project.services(of: $0, covering: host).entries.isEmpty } ?? project.apps.first
        guard let unresolved = app?.unresolved else {
            return [
                LocatedDiagnostic(
                    .appIDUnknown, "the app ID is not known, so only the presence of the service is checked",
                    path: project.path, advice: "give it with --app-id")
            ]
        }
        return [
            LocatedDiagnostic(
                .appIDUnknown, unresolved.clause, path: project.path, advice: unresolved.advice,
                notes: unresolved.notes + ["only the presence of the service is checked"])
        ]
    }

    private func notes(_ project: AppProject, _ host: HostName) -> [LocatedDiagnostic] {
        guard let app = project.apps.first(where: { !project.services(of: $0, covering: host).entries.isEmpty }) else {
            return []
        }
        let list = project.domains[app.list]
        let entries = project.services(of: app, covering: host).entries
        guard let first = entries.first, !entries.contains(where: { $0.host == host }), let parent = first.host else {
            return []
        }
        return [
            LocatedDiagnostic(
                .wildcardApex,
                "only \(quoted(first.text)) covers \(host.ascii), so the system fetches the file of \(parent.ascii)",
                first, in: list)
        ]
    }
}

/// A service of the live file, and the apps that it lists.
private struct ListedService {
    let service: DomainEntry.Service
    let isPresent: Bool
    let appIDs: [String]

    init(_ service: DomainEntry.Service, in document: AssociationDocument) {
        self.service = service
        let appIDs = document.appIDs(of: service)
        isPresent = appIDs != nil
        self.appIDs = appIDs ?? []
    }

    /// Whether an app is listed.
    ///
    /// The file lists App Clips, whose IDs begin with that of their app; the entry is in the entitlements of both.
    func lists(_ id: ApplicationIdentifier) -> Bool {
        appIDs.contains { $0.utf8.elementsEqual(id.text.utf8) || service == .appclips && $0.hasPrefix("\(id.text).") }
    }

    /// The ID of the same app with another prefix.
    func otherPrefix(_ id: ApplicationIdentifier) -> String? {
        appIDs.first { ApplicationIdentifier($0)?.bundle == id.bundle }
    }
}

extension AppChecks {
    /// The findings between the files and the live file of a domain that their entries cover.
    ///
    /// - Parameters:
    ///   - document: The live file.
    ///   - file: What messages call it: its URL.
    ///   - services: Those that an app needs about which no file says anything: `--service`.
    ///   - hasLinks: As in ``findings(for:isTarget:hasLinks:)``, which reports that no entry is for links.
    package func findings(
        for host: HostName, _ document: AssociationDocument, file: String,
        services: [DomainEntry.Service] = [.applinks], hasLinks: Bool = false
    ) -> [LocatedDiagnostic] {
        let reported: DomainEntry.Service? = hasLinks && lacksLinks(host) ? .applinks : nil
        let listed = AppleService.modelled.map { ListedService($0, in: document) }
        let files = projects.filter(\.isForApple)
        guard !files.isEmpty else {
            return givenIDs.flatMap { id in
                listed.filter { services.contains($0.service) }.compactMap {
                    missing(id, $0, file: file, entry: nil, list: nil)
                }
            }
        }
        var findings: [LocatedDiagnostic] = []
        var checked = Set<Pair>()
        for project in files {
            for app in project.apps {
                findings += compare(
                    app, project, host, listed, file: file, services: services, reported: reported, &checked)
            }
        }
        return findings
    }

    /// An app and a service are reported once, however many files and configurations say the same.
    private struct Pair: Hashable {
        let id: ApplicationIdentifier
        let service: DomainEntry.Service
    }

    private func compare(
        _ app: AppleApp, _ project: AppProject, _ host: HostName, _ listed: [ListedService], file: String,
        services: [DomainEntry.Service], reported: DomainEntry.Service?, _ checked: inout Set<Pair>
    ) -> [LocatedDiagnostic] {
        let coverage = project.services(of: app, covering: host)
        let list = project.domains[app.list]
        let wanted = coverage.isEvery ? Set(services) : coverage.services
        guard !wanted.isEmpty else { return [] }
        let ids = givenIDs.isEmpty ? [app.id].compactMap { $0 } : givenIDs
        var findings: [LocatedDiagnostic] = []
        for id in ids {
            for service in listed where wanted.contains(service.service) {
                guard checked.insert(Pair(id: id, service: service.service)).inserted else { continue }
                let entry = coverage.entries.first { $0.service == service.service }
                if let finding = missing(id, service, file: file, entry: entry, list: list) { findings.append(finding) }
            }
            guard !coverage.isEvery, !coverage.isUncertain else { continue }
            for service in listed where !wanted.contains(service.service) && service.service != reported {
                // The problems of an entry that was meant are reported there.
                guard !list.entries.contains(where: { $0.isMeant(for: host, service.service) }) else { continue }
                guard service.appIDs.contains(where: { $0.utf8.elementsEqual(id.text.utf8) }),
                    checked.insert(Pair(id: id, service: service.service)).inserted
                else { continue }
                let name = service.service.rawValue
                findings.append(
                    LocatedDiagnostic(
                        .serviceNotInEntitlements,
                        "no entry '\(name):\(host.ascii)', though the website lists \(quoted(id.text)) under '\(name)'",
                        path: project.path, source: list.source, range: list.range,
                        advice: "add '\(name):\(host.ascii)', or take the app out of '\(name)' in the file"))
            }
        }
        if ids.isEmpty {
            for service in listed where wanted.contains(service.service) && !service.isPresent {
                let entry = coverage.entries.first { $0.service == service.service }
                findings.append(
                    finding(
                        .appNotInFile, "the website lists no app under '\(service.service.rawValue)'", file: file,
                        entry, list, advice: "add the app to '\(service.service.rawValue)' in \(file)"))
            }
        }
        return findings
    }

    /// The finding about an app that a service does not list; nil if it does.
    private func missing(
        _ id: ApplicationIdentifier, _ service: ListedService, file: String, entry: DomainEntry?,
        list: AssociatedDomains?
    ) -> LocatedDiagnostic? {
        guard !service.lists(id) else { return nil }
        let name = service.service.rawValue
        if let other = service.otherPrefix(id) {
            return finding(
                .appPrefixMismatch,
                "the website lists \(quoted(other)) under '\(name)', and the app is \(quoted(id.text))",
                file: file, entry, list, advice: "write \(quoted(id.text)) into \(file)")
        }
        return finding(
            .appNotInFile, "the website does not list \(quoted(id.text)) under '\(name)'", file: file, entry, list,
            advice: "add \(quoted(id.text)) to '\(name)' in \(file)")
    }

    /// At the entry, or about the live file.
    private func finding(
        _ rule: RuleDescription, _ message: String, file: String, _ entry: DomainEntry?, _ list: AssociatedDomains?,
        advice: String? = nil
    ) -> LocatedDiagnostic {
        if let entry, let list { return LocatedDiagnostic(rule, message, entry, in: list, advice: advice) }
        return LocatedDiagnostic(rule, message, path: list?.path ?? file, advice: advice)
    }
}

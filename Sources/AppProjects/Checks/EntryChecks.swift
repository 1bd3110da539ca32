internal import AppSiteAssociation
internal import Diagnostics
internal import URLPatterns

extension AssociatedDomains {
    /// The findings about the entries, whatever domain is asked for, in the order of the entries.
    func findings(in project: AppProject) -> [LocatedDiagnostic] {
        switch value {
        case .every, .unknown: return []
        case .missing(let reason):
            return [
                LocatedDiagnostic(
                    .noAssociatedDomains, reason, path: path, source: source, range: range,
                    advice: isMalformed
                        ? "write them as a list: '<array><string>applinks:example.com</string></array>'"
                        : Self.advice(project.kind))
            ]
        case .entries(let entries):
            if entries.isEmpty, project.kind == .expo, range != nil {
                // Links for Android may be all that is wanted.
                return [
                    LocatedDiagnostic(
                        .noAssociatedDomains, "the app for iOS has no associated domains", path: path, source: source,
                        range: range, severity: project.filters.isEmpty ? nil : .warning,
                        advice: "add \"associatedDomains\" to \"ios\", with entries such as 'applinks:example.com'")
                ]
            }
            var first: [DomainEntry.Meaning: DomainEntry] = [:]
            var findings: [LocatedDiagnostic] = []
            for entry in entries {
                if entry.isUnresolved {
                    findings.append(unresolved(entry, project.kind))
                } else if let problem = entry.problem {
                    findings.append(finding(problem, entry))
                } else if let earlier = first[entry.meaning] {
                    findings.append(duplicate(entry, earlier))
                } else {
                    first[entry.meaning] = entry
                }
            }
            return (findings + developerOnly(entries, isDevelopment: project.isDevelopment)).inOrder
        }
    }

    /// The advice where there are no domains.
    private static func advice(_ kind: AppProject.Kind) -> String {
        switch kind {
        case .profile: "enable Associated Domains for the app ID at developer.apple.com, and renew the profile"
        case .app: "see that the profile allows Associated Domains, and sign the app with its entitlements again"
        case .expo: "write a list of entries such as 'applinks:example.com'"
        case .entitlements, .project, .manifest:
            "add the capability Associated Domains, with an entry such as 'applinks:example.com'"
        }
    }

    private func finding(_ problem: EntryProblem, _ entry: DomainEntry) -> LocatedDiagnostic {
        let rule: RuleDescription =
            switch problem.kind {
            case .service: .entitlementService
            case .scheme: .entitlementScheme
            case .path: .entitlementPath
            case .domain: .entitlementDomain
            case .port: .entitlementPort
            case .mode: .entitlementMode
            }
        let subject = entry.text.isEmpty && problem.clause.hasPrefix("is not") ? "an entry" : quoted(entry.text)
        return LocatedDiagnostic(
            rule, "\(subject) \(problem.clause)", entry, in: self,
            advice: problem.correction.map { "write \(quoted($0, limit: 300))" } ?? Self.advice(problem.kind, entry),
            notes: Self.notes(problem.kind) + (entry.written.map { ["it is written \(quoted($0))"] } ?? []),
            fixIts: problem.correction.flatMap { correction in fixIt(entry, correction) }.map { [$0] } ?? [])
    }

    private func fixIt(_ entry: DomainEntry, _ correction: String) -> FixIt? {
        guard let range = entry.range, entry.written == nil else { return nil }
        return FixIt(
            "write \(quoted(correction, limit: 300))", .suggested, TextEdit(range: range, replacement: correction))
    }

    private static func advice(_ kind: EntryProblem.Kind, _ entry: DomainEntry) -> String {
        switch kind {
        case .service:
            "write 'SERVICE:DOMAIN'; the services are "
                + AppleService.ofDomains.map(\.rawValue).joined(separator: ", ")
        case .domain:
            entry.service == .appclips && entry.isWildcard
                ? "write an entry for each host" : "write the name of a host, or '*.' and the name of a domain"
        case .scheme, .path, .port, .mode: "write only the name of a host after the service"
        }
    }

    private static func notes(_ kind: EntryProblem.Kind) -> [String] {
        switch kind {
        case .service, .scheme, .domain: ["the system ignores the entry"]
        case .path: ["the system ignores the entry; which paths open the app is in the file on the website"]
        case .port: ["the system asks for the file at port 443"]
        case .mode: ["the modes are 'developer', 'managed' and 'developer+managed'"]
        }
    }

    /// An entry with a reference to a build setting that is not known.
    private func unresolved(_ entry: DomainEntry, _ kind: AppProject.Kind) -> LocatedDiagnostic {
        LocatedDiagnostic(
            .buildSettingUnknown, "\(quoted(entry.text)) is not resolved here", entry, in: self,
            advice: kind == .entitlements
                ? "give the Xcode project with --app, which sets it" : "give the signed app with --app",
            notes: entry.reasons)
    }

    private func duplicate(_ entry: DomainEntry, _ earlier: DomainEntry) -> LocatedDiagnostic {
        LocatedDiagnostic(
            .entitlementDuplicate, "\(quoted(entry.text)) is there twice", entry, in: self,
            advice: "delete one of them",
            labels: earlier.range.map { [Diagnostic.Label($0, "the first one")] } ?? [])
    }

    private func developerOnly(_ entries: [DomainEntry], isDevelopment: Bool?) -> [LocatedDiagnostic] {
        /// Those that count for every build.
        var covered = Set<Covered>()
        for entry in entries where entry.mode == .all && entry.problem?.isError != true {
            guard let host = entry.host else { continue }
            covered.insert(Covered(service: entry.service, name: host.ascii[...], isWildcard: entry.isWildcard))
        }
        return entries.compactMap { entry in
            guard entry.mode == .developer, entry.problem == nil, let host = entry.host else { return nil }
            var candidate = Covered(service: entry.service, name: host.ascii[...], isWildcard: entry.isWildcard)
            if covered.contains(candidate) { return nil }
            candidate.isWildcard = true
            while !candidate.name.isEmpty {
                if covered.contains(candidate) { return nil }
                candidate.name = candidate.name.drop { $0 != "." }.dropFirst()
            }
            let correction = String(entry.text.prefix { $0 != "?" })
            return LocatedDiagnostic(
                .developerModeOnly, "\(quoted(entry.text)) does not count in TestFlight and the App Store", entry,
                in: self,
                advice: "add \(quoted(correction, limit: 300)), too",
                notes: [
                    isDevelopment == false
                        ? "the profile is for distribution, so that the entry does not count at all"
                        : "it counts for builds that are signed for development, on devices with the developer setting"
                ])
        }
    }

    /// The domain and service that an entry without a mode covers, so that one for development only is not alone.
    private struct Covered: Hashable {
        let service: DomainEntry.Service?
        var name: Substring
        var isWildcard: Bool
    }
}

extension [LocatedDiagnostic] {
    /// By where they are; those about a whole file first.
    var inOrder: [LocatedDiagnostic] {
        sorted { left, right in
            let (a, b) = (left.diagnostic.range.start, right.diagnostic.range.start)
            return (a, left.diagnostic.code.rawValue) < (b, right.diagnostic.code.rawValue)
        }
    }
}

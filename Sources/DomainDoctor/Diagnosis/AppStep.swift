internal import AppProjects
internal import AppSiteAssociation
internal import Diagnostics
internal import URLPatterns

// The app's side, against the live file.
extension DomainDiagnoser {
    /// The apps that must be associated.
    var appIDs: [String] {
        var known = Set<String>()
        return (options.appIDs.isEmpty ? options.projects.flatMap(\.appIDs) : options.appIDs)
            .filter { known.insert($0).inserted }
    }

    var appChecks: AppChecks {
        AppChecks(options.projects, appIDs: options.appIDs.compactMap { ApplicationIdentifier($0) })
    }

    mutating func examineApps() {
        guard !options.projects.isEmpty || !options.appIDs.isEmpty else {
            return steps.append(Step(.app, skipped: "neither --app nor --app-id was given"))
        }
        guard let host = HostName(seen.target.host), !seen.target.isAddress else {
            return steps.append(Step(.app, skipped: "no app has an entry for an IP address"))
        }
        guard let document = live?.content.document else {
            guard !options.projects.isEmpty else { return steps.append(Step(.app, skipped: reasonForNoFile)) }
            return judgeApps(host, nil)
        }
        judgeApps(host, document)
    }

    /// - Parameter document: Nil if it could not be had: then the app's side is judged alone.
    private mutating func judgeApps(_ host: HostName, _ document: AssociationDocument?) {
        let hasLinks = !seen.target.urls.isEmpty
        var services = options.services.compactMap { DomainEntry.Service(rawValue: $0) }
        if hasLinks, !services.contains(.applinks) { services.append(.applinks) }
        let checks = appChecks
        var found = checks.findings(for: host, isTarget: seen.target.isNamedByUser, hasLinks: hasLinks)
        if let document {
            found += checks.findings(
                for: host, document, file: wellKnownURL, services: services, hasLinks: hasLinks)
        }
        for finding in found { findings.append(StepFinding(.app, finding)) }
        let coverage = checks.coverage(of: host)
        var step = Step(.app, summary: summary(coverage, found, isCompared: document != nil))
        // A fault of the entry is reported once, where the file is checked by itself.
        if coverage == .malformed { step.status = .error }
        steps.append(step)
    }

    private func summary(_ coverage: HostCoverage?, _ found: [LocatedDiagnostic], isCompared: Bool) -> String {
        func has(_ rule: RuleDescription) -> Bool { found.contains { $0.diagnostic.is(rule) } }
        var parts: [String] = []
        var isCovered = true
        switch coverage {
        case .entries(let entries):
            parts.append(
                "\(Self.list(entries, atMost: 3)) in the app\(has(.entitlementMissing) ? ", none for links" : "")")
        case .undecided: parts.append("the build decides which entries the app has")
        case .malformed, .missing:
            parts.append("no entry for \(seen.target.host)")
            isCovered = false
        case nil: break
        }
        let ids = appIDs
        if isCompared, isCovered, coverage != nil || !options.appIDs.isEmpty {
            let isListed = !has(.appNotInFile) && !has(.appPrefixMismatch)
            let apps = ids.isEmpty ? "the service" : Self.list(ids, atMost: 3)
            parts.append(isListed ? "the file lists \(apps)" : "the file does not list \(apps)")
        }
        if options.projects.contains(where: \.isForAndroid) {
            parts.append(
                has(.manifestHostMissing)
                    ? "no intent filter for \(seen.target.host)" : "an intent filter for \(seen.target.host)")
        }
        return parts.joined(separator: "; ")
    }
}

internal import AppProjects
internal import AppSiteAssociation
internal import Diagnostics

// The app's side, against the live file.
extension Examiner {
    mutating func examineApps() {
        let services = options.services.compactMap { DomainEntry.Service(rawValue: $0) }
        let checks = AppChecks(options.projects, appIDs: options.appIDs.compactMap { AppID($0) })
        guard !options.projects.isEmpty || !options.appIDs.isEmpty else {
            return steps.append(Step(.app, skipped: "neither --app nor --app-id was given"))
        }
        guard let host = HostName(seen.target.host) else {
            return steps.append(Step(.app, skipped: "an address is in no app's entries"))
        }
        var found = checks.findings(for: host, isTarget: seen.target.isNamedByUser)
        let document = live?.document
        if let document {
            found += checks.findings(
                for: host, document, file: seen.target.url(Self.wellKnownPath), services: services)
        }
        for finding in found { findings.append(Finding(.app, finding)) }
        let coverage = checks.coverage(of: host)
        if options.projects.isEmpty, document == nil {
            return steps.append(Step(.app, skipped: "the file cannot be fetched"))
        }
        var step = Step(.app, summary: summary(coverage, found, isCompared: document != nil))
        // What is wrong with the entry is said once, where it is about the file alone.
        if coverage == .malformed { step.status = .error }
        steps.append(step)
    }

    private func summary(_ coverage: HostCoverage?, _ found: [AppFinding], isCompared: Bool) -> String {
        let apps = appIDs.isEmpty ? "the app" : appIDs.joined(separator: ", ")
        let isListed = !found.contains {
            ["app-not-in-file", "app-prefix-mismatch"].contains($0.diagnostic.code.rawValue)
        }
        let listing = isListed ? "the file lists \(apps)" : "the file does not list \(apps)"
        let entry: String? =
            switch coverage {
            case .entries(let entries): "\(entries.joined(separator: ", ")) in the app"
            case .undecided: "the build decides about the entry"
            case .malformed, .missing: "no entry for \(seen.target.host)"
            case nil:
                found.contains { $0.diagnostic.code.rawValue == "manifest-host-missing" }
                    ? "no intent filter for \(seen.target.host)" : nil
            }
        let isAndroidAlone = coverage == nil && appIDs.isEmpty
        return [entry, isCompared && !isAndroidAlone ? listing : nil].compactMap { $0 }.joined(separator: "; ")
    }
}

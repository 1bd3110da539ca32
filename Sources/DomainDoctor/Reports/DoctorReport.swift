package import AppProjects
internal import Diagnostics

/// A format in which a run is written piece by piece, with the line ends: what can be written as soon as a domain is
/// done is not kept.
package protocol DoctorReport {
    /// The text before the first domain.
    mutating func begin() -> String

    /// The text that can be written when a domain, and all before it, are done.
    mutating func add(_ diagnosis: Diagnosis) -> String

    /// The text after the last domain.
    mutating func end(_ tally: DoctorTally) -> String
}

extension DoctorReport {
    package mutating func begin() -> String { "" }
}

/// The facts about a run before its first domain is done.
package struct DoctorContext: Sendable {
    /// The time of the check, in seconds since 1970.
    package let checkedAt: Int64
    /// The app's side.
    package var projects: [AppProject] = []
    /// The findings about `.aasa.json`.
    package var configurationFindings: [StepFinding] = []
    /// The findings about the `--app` files, whatever domain is checked.
    package var appFindings: [StepFinding] = []
    package var ignored: [IgnoredFinding] = []

    package init(checkedAt: Int64) { self.checkedAt = checkedAt }

    /// The findings that are about no domain.
    package var findings: [StepFinding] { configurationFindings + appFindings }
}

/// The counts of a run.
package struct DoctorTally: Sendable {
    package private(set) var domains = 0
    package private(set) var errors = 0
    package private(set) var warnings = 0
    package private(set) var notes = 0
    package private(set) var ignored = 0
    /// The warnings that say only that there was not enough time.
    private var incomplete = 0
    /// The URLs that were decided.
    private(set) var links = 0

    package init(_ context: DoctorContext) {
        count(context.findings)
        ignored = context.ignored.count
    }

    package mutating func add(_ diagnosis: Diagnosis) {
        domains += 1
        links += diagnosis.links.count
        ignored += diagnosis.ignored.count
        count(diagnosis.findings)
    }

    private mutating func count(_ findings: [StepFinding]) {
        for diagnostic in findings.map(\.diagnostic) {
            switch diagnostic.severity {
            case .critical, .error: errors += 1
            case .warning:
                warnings += 1
                if diagnostic.is(.checkIncomplete) { incomplete += 1 }
            case .note: notes += 1
            }
        }
    }

    package var status: Step.Status { errors > 0 ? .error : warnings > 0 ? .warning : .ok }

    /// Whether the only problem is that there was not enough time.
    var isOnlyIncomplete: Bool { errors == 0 && warnings > 0 && warnings == incomplete }
}

extension String {
    /// Lines with their ends.
    init(lines: [String]) { self = lines.map { "\($0)\n" }.joined() }
}

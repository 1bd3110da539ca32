package import Diagnostics

/// A part of the chain from a link to an opened app.
package struct Step: Sendable {
    /// The steps in the order in which they are shown.
    package enum ID: String, Sendable, CaseIterable, Comparable {
        case dns, tls, http, agents, addresses, file, cdn, assetlinks, google, app, link

        package static func < (left: ID, right: ID) -> Bool { left.index < right.index }

        private var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// The keys of its evidence (docs/spec/doctor.md, section 8); what is not known is null.
        var evidenceKeys: [String] {
            switch self {
            case .dns: ["a", "aaaa", "refused"]
            case .tls: ["address", "versions", "notAfter", "daysLeft", "warningDays", "state", "issuer", "names"]
            case .http, .assetlinks:
                [
                    "url", "address", "status", "contentType", "contentEncoding", "bytes", "sha256",
                    "headerMilliseconds", "cacheControl", "redirect",
                ]
            case .agents, .addresses: ["answers"]
            case .file: ["appIDs", "services", "rules"]
            case .cdn: ["url", "status", "age", "maxAge", "expiresAt", "sameMeaning", "changes", "failure"]
            case .google: ["url", "status", "errorCodes", "debugString", "missing", "extra"]
            case .app, .link: []
            }
        }
    }

    package enum Status: String, Sendable {
        case ok, warning, error, skipped
    }

    package let id: ID
    package var status: Status
    /// The evidence in a few words, for people; may have received bytes in it.
    package var summary: String
    /// Further lines of it.
    package var details: [String] = []
    /// The evidence for programs, with all keys of the step.
    package let evidence: [String: JSONOutput]

    package init(_ id: ID, summary: String, details: [String] = [], evidence: [String: JSONOutput] = [:]) {
        (self.id, self.summary, self.details) = (id, summary, details)
        self.evidence = Self.complete(evidence, id)
        status = .ok
    }

    /// A step whose input is missing.
    package init(_ id: ID, skipped reason: String, evidence: [String: JSONOutput] = [:]) {
        (self.id, summary) = (id, reason)
        self.evidence = Self.complete(evidence, id)
        status = .skipped
    }

    /// Why it is skipped.
    package var reason: String? { status == .skipped ? summary : nil }

    private static func complete(_ evidence: [String: JSONOutput], _ id: ID) -> [String: JSONOutput] {
        let unknown = Dictionary(id.evidenceKeys.map { ($0, JSONOutput.null) }) { first, _ in first }
        return unknown.merging(evidence) { _, known in known }
    }
}

/// A finding about a domain, and the step in which it shows.
package struct StepFinding: Sendable {
    package let step: Step.ID
    /// At a URL, a host, or the path of a file.
    package private(set) var located: LocatedDiagnostic

    package init(_ step: Step.ID, _ located: LocatedDiagnostic) {
        self.step = step
        self.located = located
    }

    /// A finding about something that has no text.
    ///
    /// - Parameter evidence: The lines that were seen; received bytes.
    package init(
        _ step: Step.ID, _ rule: RuleDescription, as severity: Severity? = nil, subject: String, _ message: String,
        evidence: [String] = [], notes: [String] = [], help: String? = nil
    ) {
        let diagnostic = Diagnostic(
            rule, as: severity, message, subject: .item(subject, path: nil, index: nil), advice: help, notes: notes)
        self.init(step, LocatedDiagnostic(diagnostic, at: subject, evidence: evidence))
    }

    /// A finding about a text.
    package init(_ step: Step.ID, _ diagnostic: Diagnostic, in source: SourceText) {
        self.init(step, LocatedDiagnostic(diagnostic, in: source, largestSource: .max))
    }

    package var diagnostic: Diagnostic {
        get { located.diagnostic }
        set { located.diagnostic = newValue }
    }
}

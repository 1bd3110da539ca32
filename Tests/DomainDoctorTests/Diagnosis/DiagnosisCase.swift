import AssociationLint
import Diagnostics
import DomainDoctor
import FindingCatalogue
import Testing

/// A departure from the good domain, and all that is found then.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
    /// The codes in their order; the first one is what the case is about.
    let codes: [String]
    let step: Step.ID
    /// Where it is not that of the description.
    let severity: Severity?
    let change: @Sendable (inout Observation, inout DiagnosisOptions) throws -> Void
    private let remark: String

    init(
        _ codes: String..., at step: Step.ID, _ remark: String = "", as severity: Severity? = nil,
        change: @escaping @Sendable (inout Observation, inout DiagnosisOptions) throws -> Void
    ) {
        (self.codes, self.step, self.severity, self.change, self.remark) = (codes, step, severity, change, remark)
    }

    var testDescription: String {
        ([codes.joined(separator: ", ")] + [remark]).filter { !$0.isEmpty }.joined(separator: ": ")
    }

    func diagnosis() throws -> Diagnosis { try GoodDomain.observation().diagnosis(change) }
}

extension Observation {
    /// The diagnosis after a change, which keeps the rules that hold for every diagnosis.
    func diagnosis(
        _ change: (inout Observation, inout DiagnosisOptions) throws -> Void = { _, _ in }
    ) throws -> Diagnosis {
        var (seen, options) = (self, DiagnosisOptions())
        try change(&seen, &options)
        let diagnosis = Diagnosis(seen, options)
        diagnosis.checkInvariants()
        return diagnosis
    }
}

extension Diagnosis {
    var codes: [String] { findings.map(\.diagnostic.code.rawValue) }

    func finding(_ code: String) throws -> Diagnostic {
        try #require(findings.first { $0.diagnostic.code.rawValue == code }?.diagnostic)
    }

    func evidence(_ id: Step.ID) throws -> [String: JSONOutput] { try #require(step(id)).evidence }
}

extension Diagnosis {
    /// Checks the rules that hold for every diagnosis.
    fileprivate func checkInvariants(_ location: SourceLocation = #_sourceLocation) {
        #expect(steps.map(\.id) == Step.ID.allCases, sourceLocation: location)
        let keys: [Step.ID: Set<String>] = [
            .dns: ["a", "aaaa", "refused"],
            .tls: ["address", "versions", "notAfter", "daysLeft", "warningDays", "state", "issuer", "names"],
            .http: Self.exchange, .assetlinks: Self.exchange, .agents: ["answers"], .addresses: ["answers"],
            .file: ["appIDs", "services", "rules"],
            .cdn: ["url", "status", "age", "maxAge", "expiresAt", "sameMeaning", "changes", "failure"],
            .google: ["url", "status", "errorCodes", "debugString", "missing", "extra"], .app: [], .link: [],
        ]
        for step in steps {
            #expect(Set(step.evidence.keys) == keys[step.id], "\(step.id)", sourceLocation: location)
            #expect(!step.summary.isEmpty, "\(step.id)", sourceLocation: location)
            let found = findings.filter { $0.step == step.id }.map(\.diagnostic)
            if step.status == .skipped {
                #expect(step.reason == step.summary, "\(step.id)", sourceLocation: location)
                #expect(
                    found.allSatisfy { $0.code.rawValue == "check-incomplete" }, "\(found)", sourceLocation: location)
            } else {
                #expect(step.reason == nil, "\(step.id)", sourceLocation: location)
                let worst = found.map(\.severity).max() ?? .note
                let status: Step.Status = worst >= .error ? .error : worst == .warning ? .warning : .ok
                // A malformed entry is reported with the app's files, not with the domain, and what keeps a link from the
                // app in the step that it belongs to.
                if ![.app, .link].contains(step.id) || found.contains(where: { $0.severity >= .error }) {
                    #expect(step.status == status, "\(step.id)", sourceLocation: location)
                }
            }
        }
        for finding in findings { Self.checkWording(finding, location) }
        let order = findings.map { ($0.step, $0.diagnostic.range.start, $0.diagnostic.code.rawValue) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0.0 <= $0.1 }, sourceLocation: location)
    }

    private static let exchange: Set<String> = [
        "url", "address", "status", "contentType", "contentEncoding", "bytes", "sha256", "headerMilliseconds",
        "cacheControl", "redirect",
    ]

    /// Clauses without a final period, and something to do about everything that is not a note.
    private static func checkWording(_ finding: StepFinding, _ location: SourceLocation) {
        let diagnostic = finding.diagnostic
        let isLive = AllRules.catalogue[diagnostic.code.rawValue]?.subject.isLive == true
        guard isLive else { return }
        let texts = [diagnostic.message] + diagnostic.notes + [diagnostic.help].compactMap { $0 }
        for text in texts {
            #expect(
                !text.hasSuffix(".") && !text.contains("\n") && !text.contains("  "), "\(text)",
                sourceLocation: location)
            let isName = ["Apple", "Google", "TLS", "SWCERR", "App"].contains { text.hasPrefix($0) }
            #expect(text.first?.isUppercase == false || isName, "\(text)", sourceLocation: location)
        }
        #expect(diagnostic.severity == .note || diagnostic.help != nil, "\(diagnostic)", sourceLocation: location)
        #expect(!finding.located.path.isEmpty, sourceLocation: location)
        for line in finding.located.evidence {
            #expect(!line.contains("\n") && line.utf8.count < 400, "\(line)", sourceLocation: location)
        }
    }
}

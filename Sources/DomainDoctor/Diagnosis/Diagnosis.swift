package import AppProjects
internal import AssociationFiles
package import AssociationLint
internal import Diagnostics

/// The options by which a domain is judged.
package struct DiagnosisOptions: Sendable {
    /// Checks the association file and `assetlinks.json`.
    package var linter = Linter(unwrap: SignedAssociationFile.unwrap)
    /// The choice of the findings that are reported.
    package var settings = FindingSettings()
    /// A certificate with fewer days left is worth a warning; nil for the time that `aasa serve` takes.
    package var certificateDays: Int?
    package var allowsPrivateAddresses = false
    /// The apps that must be associated; empty for those of `projects`.
    package var appIDs: [String] = []
    /// The services in which the apps must be if no projects were given.
    package var services: [String] = ["applinks"]
    package var androidPackages: [String] = []
    package var androidFingerprints: [String] = []
    /// The app's side.
    package var projects: [AppProject] = []

    package init() {}
}

/// The diagnosis of a domain: the steps, the findings in their order, and the links.
package struct Diagnosis: Sendable {
    package let target: Target
    /// All of them, in their order.
    package private(set) var steps: [Step]
    package let findings: [StepFinding]
    /// The findings that `.aasa.json` ignores.
    package let ignored: [IgnoredFinding]
    package let links: [LinkResult]
    /// When the certificate expires, in seconds since 1970; nil if none was presented.
    package let certificateExpiry: Int64?
    /// The time of the check, in seconds since 1970.
    package let checkedAt: Int64
    /// The files that were got, for those who want to work on them.
    package private(set) var files = ServedFiles()

    /// The worst of its findings and steps.
    package var status: Step.Status {
        let ofFindings = Self.status(of: findings.map(\.diagnostic.severity))
        if ofFindings == .error || steps.contains(where: { $0.status == .error }) { return .error }
        return steps.contains { $0.status == .warning } ? .warning : ofFindings
    }

    package func step(_ id: Step.ID) -> Step? { steps.first { $0.id == id } }

    static func status(of severities: [Severity]) -> Step.Status {
        if severities.contains(where: { $0 >= .error }) { return .error }
        return severities.contains(.warning) ? .warning : .ok
    }
}

extension Diagnosis {
    /// One that was made elsewhere, for reports of it.
    package init(
        _ target: Target, steps: [Step], findings: [StepFinding] = [], ignored: [IgnoredFinding] = [],
        links: [LinkResult] = [], certificateExpiry: Int64? = nil, checkedAt: Int64
    ) {
        (self.target, self.steps, self.findings, self.ignored) = (target, steps, findings, ignored)
        (self.links, self.certificateExpiry, self.checkedAt) = (links, certificateExpiry, checkedAt)
    }

    /// Judges what was seen. Nothing but the arguments decides: not the time, and not the network.
    ///
    /// - Parameter isOverdue: Whether the time for the domain is over; steps that are not done then are skipped.
    package init(
        _ observation: Observation, _ options: DiagnosisOptions, isOverdue: @escaping () -> Bool = { false }
    ) {
        var diagnoser = DomainDiagnoser(observation, options, isOverdue)
        diagnoser.run()
        let (reported, ignored) = options.settings.apply(to: diagnoser.findings)
        let findings = reported.enumerated().sorted { Self.key($0) < Self.key($1) }.map(\.element)
        self.init(
            observation.target, steps: diagnoser.steps, findings: findings, ignored: ignored, links: diagnoser.links,
            certificateExpiry: diagnoser.certificateExpiry, checkedAt: observation.checkedAt)
        files = diagnoser.files
        for index in steps.indices where steps[index].status == .ok {
            let id = steps[index].id
            let ofStep = findings.filter {
                $0.step == id || id == .link && diagnoser.linkObstacles.contains($0.diagnostic.code)
            }
            steps[index].status = Self.status(of: ofStep.map(\.diagnostic.severity))
        }
    }

    /// The key by which findings are sorted: step, position, code, and then the order in which they were found.
    private static func key(_ finding: (offset: Int, element: StepFinding)) -> (Step.ID, Int, String, Int) {
        let diagnostic = finding.element.diagnostic
        return (finding.element.step, diagnostic.range.start, diagnostic.code.rawValue, finding.offset)
    }
}

/// Goes through the steps, in their order; each looks at what the ones before it have found out.
struct DomainDiagnoser {
    let seen: Observation
    let options: DiagnosisOptions
    var steps: [Step] = []
    /// The findings as in the tables of doctor.md; the severities that the user has changed are applied at the end.
    var findings: [StepFinding] = []
    var links: [LinkResult] = []
    /// The codes of the errors of earlier steps that keep a link from the app.
    var linkObstacles: Set<DiagnosticCode> = []
    /// The end of the certificate that step `tls` shows, in seconds since 1970.
    var certificateExpiry: Int64?
    /// Why nothing can be fetched from the host; nil if something can.
    var unreachable: String?
    /// The association file that Apple's fetcher gets.
    var live: LiveFile?
    var reader: AnswerReader
    /// Whether the time for the domain is over.
    let isOverdue: () -> Bool
    /// The steps that were not done when it was.
    private var overdue: [Step.ID] = []

    init(_ seen: Observation, _ options: DiagnosisOptions, _ isOverdue: @escaping () -> Bool) {
        (self.seen, self.options, self.isOverdue) = (seen, options, isOverdue)
        reader = AnswerReader(
            options.linter, url: seen.target.url(Self.wellKnownPath), authority: seen.target.authority)
    }

    mutating func run() {
        examineNames()
        if isUnfinished(.dns) { unreachable = Self.timeIsOver }
        examineHandshakes()
        if isUnfinished(.tls), seen.wellKnown == nil { unreachable = Self.timeIsOver }
        examineAnswers()
        examineAddresses()
        examineFile()
        unlessOverdue([.cdn]) { $0.examineAppleCopy() }
        unlessOverdue([.assetlinks, .google]) { $0.examineAssetLinks() }
        unlessOverdue([.app]) { $0.examineApps() }
        unlessOverdue([.link]) { $0.examineLinks() }
        skipUnfinished()
    }

    private mutating func unlessOverdue(_ ids: [Step.ID], _ examine: (inout DomainDiagnoser) -> Void) {
        guard isOverdue() else { return examine(&self) }
        for id in ids {
            if !isUnfinished(id) { setOverdue(id) }
            steps.append(Step(id, skipped: Self.timeIsOver))
        }
        if ids == [.link] { links = seen.target.urls.map { LinkResult(url: $0, answer: nil) } }
    }

    mutating func setOverdue(_ step: Step.ID) { overdue.append(step) }

    static let timeIsOver = "the time was over"

    func isUnfinished(_ step: Step.ID) -> Bool { seen.unfinished.contains(step) || overdue.contains(step) }

    /// Why there is no association file to look at.
    var reasonForNoFile: String {
        if isUnfinished(.http) || unreachable == Self.timeIsOver { return Self.timeIsOver }
        return live == nil ? "the file cannot be fetched" : "the file cannot be read"
    }

    var host: String { seen.target.authority }

    mutating func report(
        _ step: Step.ID, _ rule: RuleDescription, as severity: Severity? = nil, subject: String? = nil,
        _ message: String,
        evidence: [String] = [], notes: [String] = [], help: String? = nil
    ) {
        findings.append(
            StepFinding(
                step, rule, as: severity, subject: subject ?? host, message, evidence: evidence, notes: notes,
                help: help))
    }

    /// Nothing is reported about what was not finished.
    private mutating func skipUnfinished() {
        let unfinished = Step.ID.allCases.filter { isUnfinished($0) }
        guard let first = unfinished.first else { return }
        findings = findings.filter { !isUnfinished($0.step) }
        steps = steps.map { isUnfinished($0.id) ? Step($0.id, skipped: Self.timeIsOver) : $0 }
        report(
            first, .checkIncomplete,
            "the time for this domain was over after \(seen.timeLimit.shown); not finished: "
                + unfinished.map(\.rawValue).joined(separator: ", "),
            help: "give it more time with --timeout, and find out what is slow; nothing is known about these steps")
    }
}

extension Duration {
    /// Like `84 ms`, `3.4 s` or `50 s`.
    package var shown: String {
        let milliseconds = milliseconds
        if milliseconds < 1_000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

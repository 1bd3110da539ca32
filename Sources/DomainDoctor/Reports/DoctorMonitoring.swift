internal import Diagnostics
internal import ServiceHealth
internal import SystemSupport

/// A line for Nagios and its relatives, with the findings after it, worst first.
package struct DoctorNagiosReport: DoctorReport {
    /// The state that the exit code tells.
    package enum State: Int32, Sendable {
        case ok, warning, critical, unknown

        fileprivate var word: String {
            switch self {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        }
    }

    private let isStrict: Bool
    private let context: DoctorContext
    private var problems: [(subject: String, diagnostic: Diagnostic)] = []
    /// The fewest days that a certificate has left, and from when on that is worth a warning.
    private var fewestDays: (left: Int, warning: Int?)?
    private var longestTime: Int?

    /// - Parameter isStrict: Whether warnings are as bad as errors.
    package init(_ context: DoctorContext, isStrict: Bool) {
        self.isStrict = isStrict
        self.context = context
    }

    package mutating func add(_ diagnosis: Diagnosis) -> String {
        for finding in diagnosis.findings { add(finding, diagnosis.target.authority) }
        if let days = diagnosis.number("daysLeft", of: .tls), days < fewestDays?.left ?? .max {
            fewestDays = (days, diagnosis.number("warningDays", of: .tls))
        }
        if let time = diagnosis.number("headerMilliseconds", of: .http) { longestTime = max(longestTime ?? time, time) }
        return ""
    }

    private mutating func add(_ finding: StepFinding, _ subject: String) {
        if finding.diagnostic.severity >= .warning { problems.append((subject, finding.diagnostic)) }
    }

    private func isCritical(_ diagnostic: Diagnostic) -> Bool { diagnostic.severity >= .error || isStrict }

    package mutating func end(_ tally: DoctorTally) -> String {
        for finding in context.findings { add(finding, finding.location) }
        let state = state(tally)
        let sorted = problems.filter { isCritical($0.diagnostic) } + problems.filter { !isCritical($0.diagnostic) }
        let text =
            switch (sorted.first, sorted.count) {
            case (nil, _): "\(counted(tally.domains, "domain")) checked"
            case (let first?, 1): "\(first.subject): \(first.diagnostic.message)"
            case (let first?, let count): "\(first.subject): \(first.diagnostic.message) and \(grouped(count - 1)) more"
            }
        var data = ["errors=\(tally.errors)", "warnings=\(tally.warnings)"]
        if let fewestDays {
            data.append("certificate_days=\(fewestDays.left)\(fewestDays.warning.map { ";\($0):" } ?? "")")
        }
        if let longestTime { data.append("header_seconds=\(PrometheusMetric.seconds(longestTime))") }
        let lines = sorted.map { subject, diagnostic in
            let state: State = isCritical(diagnostic) ? .critical : .warning
            return "\(state.word): \(HealthText.plain("\(subject): \(diagnostic.message)")) [\(diagnostic.code)]"
        }
        return String(
            lines: ["AASA \(state.word) - \(HealthText.plain(text)) | \(data.joined(separator: " "))"] + lines)
    }

    /// The state of the whole run.
    package func state(_ tally: DoctorTally) -> State {
        switch tally.status {
        case .ok, .skipped: .ok
        case .error: .critical
        case .warning: tally.isOnlyIncomplete ? .unknown : isStrict ? .critical : .warning
        }
    }
}

/// Metrics for the textfile collector of Prometheus' node exporter, in its text format 0.0.4.
package struct DoctorPrometheusReport: DoctorReport {
    private var success = gauge("success", "Whether the check of the domain found no error.")
    private var steps = gauge("step", "The result of a step: 0 ok, 1 warning, 2 error, 3 skipped.")
    private var findings = gauge("findings", "A finding; the value is always 1.")
    private var notAfter = gauge(
        "certificate_not_after_seconds", "When the certificate expires, in seconds since 1970.")
    private var header = gauge("header_seconds", "How long the header of the association file took.")
    private var sameMeaning = gauge(
        "cdn_same_meaning", "Whether Apple's copy means the same as the association file.")
    private var age = gauge("cdn_age_seconds", "How old Apple's copy is.")
    private var checked = gauge("checked_at_seconds", "When the domain was checked, in seconds since 1970.")

    package init() {}

    package mutating func add(_ diagnosis: Diagnosis) -> String {
        let labels: PrometheusLabels = ["domain": diagnosis.target.authority]
        success.add(labels, diagnosis.status == .error ? 0 : 1)
        for step in diagnosis.steps { steps.add(labels.with("step", step.id.rawValue), step.status.number) }
        for finding in diagnosis.findings.map(\.diagnostic) {
            findings.add(labels.with("code", finding.code.rawValue).with("severity", finding.severity.rawValue), 1)
        }
        if let expiry = diagnosis.certificateExpiry { notAfter.add(labels, expiry) }
        if let time = diagnosis.number("headerMilliseconds", of: .http) { header.add(labels, milliseconds: time) }
        if case .boolean(let isSame)? = diagnosis.step(.cdn)?.evidence["sameMeaning"] {
            sameMeaning.add(labels, isSame ? 1 : 0)
        }
        if let seconds = diagnosis.number("age", of: .cdn) { age.add(labels, Int64(seconds)) }
        checked.add(labels, diagnosis.checkedAt)
        return ""
    }

    package mutating func end(_ tally: DoctorTally) -> String {
        [success, steps, findings, notAfter, header, sameMeaning, age, checked].map(\.text).joined()
    }

    private static func gauge(_ name: String, _ help: String) -> PrometheusMetric {
        PrometheusMetric("aasa_doctor_\(name)", .gauge, help)
    }
}

extension Step.Status {
    fileprivate var number: Int64 {
        switch self {
        case .ok: 0
        case .warning: 1
        case .error: 2
        case .skipped: 3
        }
    }
}

extension Diagnosis {
    /// A number of a step's evidence.
    fileprivate func number(_ key: String, of id: Step.ID) -> Int? {
        if case .number(let number)? = step(id)?.evidence[key] { number } else { nil }
    }
}

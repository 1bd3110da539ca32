internal import Diagnostics
internal import SystemSupport

/// A line for Nagios and its relatives, with the findings after it.
package struct NagiosReport: Sendable {
    package enum State: Int32, Sendable {
        case ok, warning, critical, unknown

        var word: String {
            switch self {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        }
    }

    package let state: State
    package let lines: [String]

    /// Nothing could be checked.
    package init(unknown message: String) {
        state = .unknown
        lines = ["AASA UNKNOWN - \(Self.plain(message))"]
    }

    /// - Parameter certificateDays: From when on a certificate is worth a warning.
    package init(_ diagnoses: [Diagnosis], others: [Finding], certificateDays: Int) {
        let findings =
            diagnoses.flatMap { diagnosis in diagnosis.findings.map { (diagnosis.target.authority, $0) } }
            + others.map { ($0.subject, $0) }
        let errors = findings.filter { $0.1.diagnostic.severity >= .error }
        let warnings = findings.filter { $0.1.diagnostic.severity == .warning }
        let isIncomplete =
            errors.isEmpty && !warnings.isEmpty
            && warnings.allSatisfy { $0.1.diagnostic.code.rawValue == "check-incomplete" }
        state = !errors.isEmpty ? .critical : isIncomplete ? .unknown : !warnings.isEmpty ? .warning : .ok
        let text =
            switch (errors.first ?? warnings.first, errors.count + warnings.count) {
            case (nil, _): "\(counted(diagnoses.count, "domain")) checked"
            case (let first?, 1): "\(first.0): \(first.1.diagnostic.message)"
            case (let first?, let count): "\(first.0): \(first.1.diagnostic.message) and \(count - 1) more"
            }
        var data = ["errors=\(errors.count)", "warnings=\(warnings.count)"]
        if let days = diagnoses.compactMap({ $0.number("daysLeft", of: .tls) }).min() {
            data.append("certificate_days=\(days);\(certificateDays):")
        }
        if let time = diagnoses.compactMap({ $0.number("headerMilliseconds", of: .http) }).max() {
            data.append("header_seconds=\(Self.seconds(time))")
        }
        let worst = (errors + warnings).map { host, finding in
            let state = finding.diagnostic.severity >= .error ? State.critical : .warning
            return "\(state.word): \(Self.plain("\(host): \(finding.diagnostic.message)")) [\(finding.diagnostic.code)]"
        }
        lines = ["AASA \(state.word) - \(Self.plain(text)) | \(data.joined(separator: " "))"] + worst
    }

    /// What is after a `|` would be performance data.
    private static func plain(_ text: String) -> String { VisibleText.escaped(text.replacing("|", with: "/")) }

    private static func seconds(_ milliseconds: Int) -> String {
        let rest = milliseconds % 1_000
        return "\(milliseconds / 1_000).\(rest < 10 ? "00" : rest < 100 ? "0" : "")\(rest)"
    }
}

/// The metrics of a check, for the textfile collector of Prometheus' node exporter.
package enum DoctorMetrics {
    /// - Parameter checkedAt: Seconds since 1970.
    package static func text(_ diagnoses: [Diagnosis], checkedAt: Int64) -> String {
        var success = gauge("success", "Whether the check of the domain found no error.")
        var steps = gauge("step", "The result of a step: 0 ok, 1 warning, 2 error, 3 skipped.")
        var findings = gauge("findings", "A finding, with the value 1.")
        var notAfter = gauge("certificate_not_after_seconds", "When the certificate expires, in seconds since 1970.")
        var header = gauge("header_seconds", "How long the header of the file took.")
        var sameMeaning = gauge("cdn_same_meaning", "Whether Apple's copy means the same as the file.")
        var age = gauge("cdn_age_seconds", "How old Apple's copy is.")
        var checked = gauge("checked_at_seconds", "When the domain was checked, in seconds since 1970.")
        for diagnosis in diagnoses {
            let labels: PrometheusLabels = ["domain": diagnosis.target.authority]
            success.add(labels, diagnosis.status == .error ? 0 : 1)
            for step in diagnosis.steps { steps.add(labels.with("step", step.id.rawValue), step.status.number) }
            var codes = Set<String>()
            for finding in diagnosis.findings.map(\.diagnostic) where codes.insert(finding.code.rawValue).inserted {
                findings.add(
                    labels.with("code", finding.code.rawValue).with("severity", finding.severity.rawValue), 1)
            }
            if let expiry = diagnosis.certificateExpiry { notAfter.add(labels, expiry) }
            if let time = diagnosis.number("headerMilliseconds", of: .http) { header.add(labels, milliseconds: time) }
            if case .boolean(let isSame)? = diagnosis.step(.cdn)?.evidence["sameMeaning"] {
                sameMeaning.add(labels, isSame ? 1 : 0)
            }
            if let seconds = diagnosis.number("age", of: .cdn) { age.add(labels, Int64(seconds)) }
            checked.add(labels, checkedAt)
        }
        return [success, steps, findings, notAfter, header, sameMeaning, age, checked].map(\.text).joined()
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

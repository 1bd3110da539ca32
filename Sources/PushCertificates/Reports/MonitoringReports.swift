internal import Diagnostics

/// A report as a plugin of Nagios, Icinga and their like says it (push-certificates.md, section 9).
package struct NagiosReport: Sendable {
    private let isStrict: Bool

    /// - Parameter isStrict: Whether findings that are warnings count: the first word must be what the exit code says.
    package init(isStrict: Bool = false) {
        self.isStrict = isStrict
    }

    /// Lines without an end of line after the last one.
    package func render(_ report: CheckReport) -> String {
        let model = ReportModel(report)
        let entries = model.lines
        let warnings = isStrict ? Self.warnings(report) : []
        let status = report.status(isStrict: isStrict)
        let texts = [mostUrgent(report, entries, warnings), model.summary.sentence]
        let text = texts.compactMap { $0 }.joined(separator: "; ")
        let first = "CERTCHECK \(Self.word(status)) - \(Self.plain(text)) | \(Self.performance(report))"
        let lines = entries.map { "\(Self.word($0.status)): \(Self.sentence($0))" }
        let raised = warnings.map { "\(Self.word(.warning)): \($0)" }
        return ([first] + (lines + raised).map(Self.plain)).joined(separator: "\n")
    }

    private func mostUrgent(_ report: CheckReport, _ entries: [ReportEntry], _ warnings: [String]) -> String? {
        guard let first = entries.first else { return nil }
        let raised = report.status == .ok ? warnings.first : nil
        // A file that cannot be read has no topic; that of the next certificate tells at least what is known.
        let next = first.check == nil ? entries.first { $0.check != nil } : nil
        let sentences = [first, next].compactMap { $0.map(Self.sentence) }
        return ((raised.map { [$0] } ?? []) + sentences).joined(separator: "; ")
    }

    private static func sentence(_ entry: ReportEntry) -> String {
        guard let check = entry.check else {
            let error = entry.file.error.map { "\($0.sentence) [\($0.code)]" } ?? ""
            return "\(entry.file.path): \(error)"
        }
        let replaced =
            check.supersededBy.map { ", replaced by the one in \(ShownText.line($0.path, limit: 4096))" } ?? ""
        let obstacle =
            check.obstacle.map { "\(check.isUnusable ? "cannot be used" : "may not work"): \($0.clause); " } ?? ""
        return "\(check.title) \(obstacle)\(check.time)\(replaced) (\(entry.label))"
    }

    /// The warnings that `isStrict` raises.
    private static func warnings(_ report: CheckReport) -> [String] {
        report.files.flatMap { file in
            file.findings.filter { $0.severity == .warning }.map { finding in
                "\(file.path): \(finding.sentence) [\(finding.code)]"
            }
        }
    }

    private static func performance(_ report: CheckReport) -> String {
        let days = report.files.lazy.flatMap(\.certificates).filter(\.counts).compactMap(\.daysLeft).min()
        let thresholds = report.thresholds
        return "days_left=\(days.map(String.init) ?? "U");\(thresholds.warning):;\(thresholds.critical):"
    }

    private static func word(_ status: CheckStatus) -> String { status.rawValue.uppercased() }

    /// A line without what ends one, and without the mark of performance data, which counts as a byte, whatever follows.
    private static func plain(_ text: String) -> String {
        let bytes = VisibleText.escaped(text).utf8
        let parts = bytes.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        return parts.map { String(Substring($0)) }.joined(separator: "\\x7c")
    }
}

/// A report for the textfile collector of Prometheus' node exporter (push-certificates.md, section 9).
package struct PrometheusReport: Sendable {
    package init() {}

    /// Text that ends with a line feed, as the format wants.
    package func render(_ report: CheckReport) -> String {
        var notAfter = PrometheusMetric(
            "certcheck_certificate_not_after_seconds", .gauge, "The last second in which it is valid, since 1970.")
        var notBefore = PrometheusMetric(
            "certcheck_certificate_not_before_seconds", .gauge,
            "The first second in which it is valid, since 1970.")
        var superseded = PrometheusMetric(
            "certcheck_certificate_superseded", .gauge,
            "Whether a newer certificate of the same run replaces it, 0 or 1."
        )
        var usable = PrometheusMetric(
            "certcheck_certificate_usable", .gauge,
            "0 if a push certificate cannot be used to send as it is in its file; else 1.")
        var status = PrometheusMetric(
            "certcheck_certificate_status", .gauge, "What a check says of it: 0 ok, 1 warning, 2 critical.")
        var readable = PrometheusMetric(
            "certcheck_file_readable", .gauge,
            "Whether the file could be read, 0 or 1; the label 'error' has the reason.")
        var run = PrometheusMetric(
            "certcheck_last_run_timestamp_seconds", .gauge, "When certcheck ran, in seconds since 1970.")
        for file in report.files {
            let error = file.error?.code.description ?? ""
            readable.add(["path": file.path, "error": error], file.error == nil ? 1 : 0)
            for (index, check) in file.certificates.enumerated() {
                guard let validity = check.validity else { continue }
                let labels = Self.labels(check.certificate, path: file.path, index: index)
                notAfter.add(labels, validity.notAfter)
                notBefore.add(labels, validity.notBefore)
                superseded.add(labels, check.isSuperseded ? 1 : 0)
                usable.add(labels, check.isUnusable ? 0 : 1)
                status.add(labels, Int64(check.status.exitCode))
            }
        }
        run.add([:], report.now)
        return [notAfter, notBefore, superseded, usable, status, readable, run].map(\.text).joined()
    }

    private static func labels(_ certificate: PushCertificate, path: String, index: Int) -> PrometheusLabels {
        [
            "path": path, "index": String(index), "kind": certificate.kind.rawValue,
            "topic": certificate.topics.first?.name ?? "", "team": certificate.team ?? "",
            "serial": certificate.serial ?? "",
        ]
    }
}

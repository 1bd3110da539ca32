import ArgumentParser
import AssociationServer
import CommandLineSupport
import Diagnostics

/// How `aasa serve --check` says what it has found.
enum ServeHealthFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, nagios

    /// The exit code, once everything could be read.
    ///
    /// - Parameter isStrict: whether warnings count as errors.
    func exitStatus(_ status: HealthReport.Status, isStrict: Bool) -> Int32 {
        switch (self, status) {
        case (_, .ok): 0
        case (.nagios, .warning): isStrict ? 2 : 1
        case (.nagios, .broken): 2
        case (_, .warning): isStrict ? 1 : 0
        case (_, .broken): 1
        }
    }

    func lines(_ report: HealthReport, isStrict: Bool) -> [String] {
        switch self {
        case .text: ServeHealthText(report: report).lines
        case .json: [JSONOutput.object(Self.members(report)).text]
        case .nagios: [Self.nagios(report, isStrict: isStrict)]
        }
    }

    /// What is printed if not even that could be found out; none for text, which goes to standard error.
    func lines(_ error: ServerError) -> [String] {
        let message = error.findings.isEmpty ? error.messages.first ?? "" : error.findings[0].logLine
        switch self {
        case .text: return []
        case .json:
            return [
                JSONOutput.object([
                    "version": .number(1), "error": .string(error.messages.last ?? message),
                    "status": .string("broken"),
                    "problems": .array(error.findings.map(Self.json)), "sites": .array([]),
                ]).text
            ]
        case .nagios:
            let isCritical = error.code == .nothingToServe
            let reason = isCritical ? error.messages.last ?? message : message
            return ["AASA \(isCritical ? "CRITICAL" : "UNKNOWN") - \(Self.plain(reason))"]
        }
    }

    /// The exit code if not even that could be found out.
    func exitStatus(_ error: ServerError) -> Int32 {
        guard self == .nagios else { return error.exitStatus.rawValue }
        return error.code == .nothingToServe ? 2 : 3
    }

    // MARK: JSON

    private static func members(_ report: HealthReport) -> [String: JSONOutput] {
        [
            "version": .number(1), "status": .string(report.status.rawValue),
            "sites": .array(report.sites.map(json)), "problems": .array(report.problems.map(json)),
            "summary": .object([
                "sites": .number(report.siteCount), "certificates": .number(report.certificateCount),
                "broken": .number(report.count(.broken)), "warning": .number(report.count(.warning)),
                "ok": .number(report.siteCount - report.sites.count),
                "fewestDaysLeft": report.fewestDaysLeft.map(JSONOutput.number) ?? .null,
            ]),
        ]
    }

    private static func json(_ site: HealthReport.Site) -> JSONOutput {
        .object([
            "domain": .string(site.domain), "status": .string(site.status.rawValue), "errors": .number(site.errors),
            "warnings": .number(site.warnings), "findings": .array(site.findings.prefix(20).map(json)),
            "certificate": .object([
                "state": .string(state(site.certificate)), "daysLeft": daysLeft(site.certificate),
                "notAfter": .optional(site.notAfter), "folder": .optional(site.folder),
            ]),
        ])
    }

    private static func state(_ certificate: HealthReport.CertificateState) -> String {
        switch certificate {
        case .ok: "ok"
        case .expires: "expires"
        case .expired: "expired"
        case .notYetValid: "not-yet-valid"
        case .partial: "partial"
        case .missing: "missing"
        }
    }

    private static func daysLeft(_ certificate: HealthReport.CertificateState) -> JSONOutput {
        if case .expires(let days) = certificate { .number(days) } else { .null }
    }

    /// As `aasa validate` gives it.
    private static func json(_ finding: Finding) -> JSONOutput {
        if let diagnostic = finding.diagnostic, let start = finding.start, let end = finding.end {
            return .object(diagnostic.members(path: finding.path, from: start, to: end))
        }
        return .object([
            "code": .null, "severity": .string(finding.severity.rawValue), "message": .string(finding.message),
            "path": .string(finding.path), "range": .null, "pointer": .null, "notes": .array([]), "fixIts": .array([]),
        ])
    }

    // MARK: Nagios

    private static let mostNamed = 3

    /// One line, with performance data (Monitoring Plugins Development Guidelines).
    private static func nagios(_ report: HealthReport, isStrict: Bool) -> String {
        let isCritical = report.status == .broken || report.status == .warning && isStrict
        let word = isCritical ? "CRITICAL" : report.status == .warning ? "WARNING" : "OK"
        let worst = report.sites.filter { $0.status == .broken } + report.sites.filter { $0.status != .broken }
        var named = worst.map { "\($0.domain): \(reasons($0))" }
        named += report.problems.map(\.logLine)
        let rest = named.count > mostNamed ? "; …" : ""
        let names = named.isEmpty ? "" : "; \(named.prefix(mostNamed).joined(separator: "; "))\(rest)"
        var data = [
            "sites=\(report.siteCount);;;0", "broken=\(report.count(.broken));;0;0",
            "attention=\(report.count(.warning));0;;0",
        ]
        if let days = report.fewestDaysLeft {
            data.append("days=\(days);\(HealthReport.warningDays):;\(HealthReport.criticalDays):")
        }
        let text = plain("\(ServeHealthText(report: report).summary)\(names)")
        return "AASA \(word) - \(text) | \(data.joined(separator: " "))"
    }

    private static func reasons(_ site: HealthReport.Site) -> String {
        let file = ServeHealthText.file(site)
        let certificate = ServeHealthText.certificate(site)
        var parts = file == "ok" ? [] : [file]
        if site.certificate == .missing {
            parts.append("no certificate")
        } else if site.certificate != .ok {
            parts.append("certificate \(certificate)")
        }
        return parts.joined(separator: ", ")
    }

    /// A bar begins the performance data, and the text is one line.
    private static func plain(_ text: String) -> String {
        VisibleText.escaped(text).replacing("|", with: "/")
    }
}

import ACME
import ArgumentParser
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import EventLoops
import FindingCatalogue
import Logging
import ServiceHealth

// aasa serve --check
extension Serve {
    /// Reads everything and prints what is not right.
    func printHealth() throws {
        let logger = Logger(label: "aasa") { _ in SwiftLogNoOpLogHandler() }
        let format = format ?? .text
        var output = StandardOutput()
        let status: Int32
        do throws(ServerError) {
            let report = try health(logger)
            if format == .text {
                let findings = report.sites.flatMap(\.findings) + report.problems
                for line in findings.flatMap(\.block) { StandardError.write(line) }
            }
            switch format {
            case .text:
                let text = ServeHealthText(report: report, style: self.output.style, width: self.output.width)
                for line in text.lines { output.write(line) }
            case .json: output.write(JSONOutput.object(ServeHealthFormat.members(report)).text)
            case .nagios: output.write(ServeHealthFormat.nagios(report, isStrict: strict))
            }
            status = format.exitStatus(report.severity, isStrict: strict)
        } catch {
            if format == .text { for message in error.messages { StandardError.write(message) } }
            for line in format.lines(error) { output.write(line) }
            status = format.exitStatus(error)
        }
        output.flush()
        if status != 0 { throw ExitCode(status) }
    }

    private func health(_ logger: Logger) throws(ServerError) -> HealthReport {
        var tolerated: [LocatedDiagnostic] = []
        let configuration: ServerConfiguration
        do throws(ServerError) {
            configuration = try flags.configuration { tolerated.append($0) }
        } catch {
            throw adding(to: error, logger)
        }
        let server = try LinkServer(configuration, logger: logger, rules: AllRules.catalogue)
        try Self.readStore(configuration, into: server, logger)
        if let log = AccessLog.problem(configuration.log) { tolerated.append(log) }
        let now = Clock.wallSeconds()
        let records = configuration.store.isOn ? try StoreIssuanceSource(configuration).records() : nil
        let issuance = DomainStatuses(server.issuanceInput, records, now: now)
        if let problem = issuance.problem {
            tolerated.append(LocatedDiagnostic(.acmeOrderFailed, configuration.issuancePlace, problem.message))
        }
        return server.health(others: tolerated, issuance: issuance.report, now: now)
    }

    /// The error about server.json, with those about sites and certificates added, as far as it says where they are.
    private func adding(to error: ServerError, _ logger: Logger) -> ServerError {
        guard let usable = error.usableConfiguration else { return error }
        do throws(ServerError) {
            let server = try LinkServer(flags.applied(to: usable), logger: logger, rules: AllRules.catalogue)
            return ServerError(error.code, findings: error.findings + server.findings)
        } catch let other {
            return ServerError(error.code, other.causes, findings: error.findings + other.findings)
        }
    }
}

/// The format in which `aasa serve --check` prints its findings.
enum ServeHealthFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, nagios

    /// The exit code, once everything could be read.
    ///
    /// - Parameter isStrict: whether warnings count as errors.
    func exitStatus(_ severity: CertificateSeverity, isStrict: Bool) -> Int32 {
        self == .nagios ? severity.pluginCode(isStrict: isStrict) : severity.exitCode(isStrict: isStrict)
    }

    /// The lines that are printed if nothing could be checked; none for text, which goes to standard error.
    func lines(_ error: ServerError) -> [String] {
        let message = error.logLines.first ?? ""
        let cause = error.causes.last?.logText ?? message
        switch self {
        case .text: return []
        case .json:
            return [
                JSONOutput.object([
                    "version": .number(1), "error": .string(cause),
                    "status": .string("broken"),
                    "problems": .array(error.findings.map { .object($0.members) }), "sites": .array([]),
                ]).text
            ]
        case .nagios:
            let isCritical = error.code == .nothingToServe
            let reason = isCritical ? cause : message
            return ["AASA \(isCritical ? "CRITICAL" : "UNKNOWN") - \(Self.plain(reason))"]
        }
    }

    /// The exit code if nothing could be checked.
    func exitStatus(_ error: ServerError) -> Int32 {
        guard self == .nagios else { return error.exitStatus.rawValue }
        return error.code == .nothingToServe ? 2 : 3
    }

    static func members(_ report: HealthReport) -> [String: JSONOutput] {
        [
            "version": .number(1), "status": .string(word(report.severity)),
            "sites": .array(report.sites.map(json)), "problems": .array(report.problems.map { .object($0.members) }),
            "summary": .object([
                "sites": .number(report.siteCount), "certificates": .number(report.certificateCount),
                "broken": .number(report.count(.critical)), "warning": .number(report.count(.warning)),
                "ok": .number(report.siteCount - report.sites.count),
                "fewestDaysLeft": report.firstToExpire.map { .number($0.daysLeft) } ?? .null,
            ]),
        ]
    }

    /// The word for a site, or for all of them.
    private static func word(_ severity: CertificateSeverity) -> String {
        severity == .critical ? "broken" : severity.word
    }

    private static func json(_ site: HealthReport.Site) -> JSONOutput {
        var certificate = site.certificate.members
        certificate["daysLeft"] = site.daysLeft.map(JSONOutput.number) ?? .null
        certificate["notAfter"] = .optional(site.notAfter)
        certificate["folder"] = .optional(site.folder)
        return .object([
            "domain": .string(site.domain), "status": .string(word(site.severity)), "errors": .number(site.errors),
            "warnings": .number(site.warnings),
            "findings": .array(site.findings.prefix(20).map { .object($0.members) }),
            "certificate": .object(certificate),
        ])
    }

    private static let mostNamed = 3

    /// One line, with performance data (Monitoring Plugins Development Guidelines).
    static func nagios(_ report: HealthReport, isStrict: Bool) -> String {
        let words = ["OK", "WARNING", "CRITICAL"]
        let word = words[Int(report.severity.pluginCode(isStrict: isStrict))]
        let worst = report.sites.filter { $0.severity == .critical } + report.sites.filter { $0.severity != .critical }
        var named = worst.map { "\($0.domain): \(reasons($0))" }
        named += report.problems.map(\.logLine)
        let rest = named.count > mostNamed ? "; …" : ""
        let names = named.isEmpty ? "" : "; \(named.prefix(mostNamed).joined(separator: "; "))\(rest)"
        var data = [
            "sites=\(report.siteCount);;;0", "broken=\(report.count(.critical));;0;0",
            "attention=\(report.count(.warning));0;;0",
        ]
        if let first = report.firstToExpire {
            data.append("days=\(first.daysLeft);\(first.warningDays):;\(first.criticalDays):")
        }
        let text = plain("\(ServeHealthText(report: report).summary)\(names)")
        return "AASA \(word) - \(text) | \(data.joined(separator: " "))"
    }

    private static func reasons(_ site: HealthReport.Site) -> String {
        let file = ServeHealthText.file(site)
        var parts = file == "ok" ? [] : [file]
        if site.certificate.severity > .ok { parts.append(site.certificate.clause) }
        return parts.joined(separator: ", ")
    }

    /// A bar begins the performance data, and the text is one line.
    static func plain(_ text: String) -> String {
        VisibleText.escaped(text).replacing("|", with: "/")
    }
}

/// The text of `aasa serve --check` for people: a table of the sites that are not right, then counts.
struct ServeHealthText {
    let report: HealthReport
    var style = TextStyle(isColored: false)
    /// The columns of the terminal; nil if it is none.
    var width: Int?

    var lines: [String] {
        var lines = table
        let fine = report.siteCount - report.sites.count
        if fine > 0, fine < report.siteCount {
            lines.append(fine == 1 ? "1 more site is fine." : "\(fine) more sites are fine.")
        }
        let help = CertificatesHelp(sites: report.sites.map { ($0.domain, $0.certificate) }, width: width)
        return lines + help.lines + wrapped(summary)
    }

    private func wrapped(_ line: String, margin: Int = 0) -> [String] {
        let blanks = String(repeating: " ", count: margin)
        guard let width, width > 20 else { return [blanks + line] }
        return WrappedText.lines(line, columns: width - margin, indent: margin == 0 ? 2 : 0).map { blanks + $0 }
    }

    /// `500 sites, 3 certificates: 2 critical, 1 needs attention`.
    var summary: String {
        let certificates = report.needsCertificates ? ", \(counted(report.certificateCount, "certificate"))" : ""
        return "\(counted(report.siteCount, "site"))\(certificates): \(result)"
    }

    /// `2 critical, 1 needs attention`, or that all is well.
    var result: String {
        var parts: [String] = []
        let (critical, attention) = (report.count(.critical), report.count(.warning))
        if critical > 0 { parts.append("\(critical) critical") }
        if attention > 0 { parts.append("\(attention) \(attention == 1 ? "needs" : "need") attention") }
        // A site is counted once, whatever is reported about it.
        let domains = Set(report.sites.map(\.domain))
        let others = report.problems.filter { !domains.contains($0.path) }
        let errors = others.count(where: \.isError)
        let warnings = others.count - errors
        if errors > 0 { parts.append(counted(errors, "other error")) }
        if warnings > 0 { parts.append(counted(warnings, "other warning")) }
        return parts.isEmpty ? "all is well" : parts.joined(separator: ", ")
    }

    /// A line for each site, or a block where the terminal is too narrow for that.
    private var table: [String] {
        guard !report.sites.isEmpty else { return [] }
        let rows = [["SITE", "FILE", "CERTIFICATE", ""]] + report.sites.map(Self.cells)
        let widths = (0..<4).map { column in rows.map { TerminalWidth.columns($0[column]) }.max() ?? 0 }
        if let width, widths.reduce(2 + 3 * Self.gap.count, +) > width { return blocks }
        let marks = [" "] + report.sites.map(mark)
        return zip(marks, rows).map { mark, row in
            var line = mark + " "
            // Blanks are owed until something follows.
            var blanks = ""
            for (column, text) in row.enumerated() where !text.isEmpty {
                line += blanks + (mark == " " ? style.dim(text) : column == 0 ? style.bold(text) : text)
                blanks = String(repeating: " ", count: widths[column] - TerminalWidth.columns(text)) + Self.gap
            }
            return line
        }
    }

    private static let gap = "   "

    private var blocks: [String] {
        report.sites.flatMap { site in
            let cells = Self.cells(site)
            let file = "\(cells[1] == "ok" ? "file ok" : cells[1]), certificate: \(cells[2])"
            return ["\(mark(site)) \(style.bold(cells[0]))"]
                + [file, cells[3]].filter { !$0.isEmpty }.flatMap { wrapped($0, margin: 4) }
        }
    }

    private func mark(_ site: HealthReport.Site) -> String {
        site.severity == .critical ? style.red("x") : style.yellow("!")
    }

    private static func cells(_ site: HealthReport.Site) -> [String] {
        var paths: [String] = []
        if let finding = site.findings.first { paths.append(position(finding)) }
        if site.certificate.severity > .ok, let folder = site.folder { paths.append(folder) }
        return [site.domain, file(site), site.certificate.summary, paths.joined(separator: ", ")].map(
            VisibleText.escaped)
    }

    static func file(_ site: HealthReport.Site) -> String {
        if site.errors > 0 { return counted(site.errors, "error") }
        return site.warnings > 0 ? counted(site.warnings, "warning") : "ok"
    }

    private static func position(_ finding: LocatedDiagnostic) -> String {
        guard let start = finding.start else { return finding.path }
        return "\(finding.path):\(start.line):\(start.column)"
    }
}

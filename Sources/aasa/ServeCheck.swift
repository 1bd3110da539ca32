import ACME
import ArgumentParser
import AssociationFiles
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import EventLoops
import FindingCatalogue
import Logging
import ServiceHealth
import SystemSupport

// aasa serve --check
extension Serve {
    /// Reads everything and prints what is not right.
    func printHealth() throws {
        let logger = Logger(label: "aasa") { _ in SwiftLogNoOpLogHandler() }
        let format = format ?? .text
        let now = Clock.wallSeconds()
        var output = StandardOutput()
        let status: Int32
        do throws(ServerError) {
            let facts = try facts(logger, now: now)
            let health = SiteHealth(facts, SiteHealth.Options(isStrict: strict), now: now)
            let text = HealthText(health, style: self.output.style, width: self.output.width, now: now)
            switch format {
            case .text:
                for line in facts.diagnostics.flatMap(\.block) { StandardError.write(line) }
                for line in text.lines(hasRemarks: true) { output.write(line) }
            case .json: output.write(JSONOutput.object(HealthFormat.members(facts, health, now: now)).text)
            case .nagios: for line in text.nagios(isStrict: strict) { output.write(line) }
            }
            status = format.exitStatus(health.severity, isStrict: strict)
        } catch {
            if format == .text { for message in error.messages { StandardError.write(message) } }
            for line in format.lines(error) { output.write(line) }
            status = format.exitStatus(error)
        }
        output.flush()
        if status != 0 { throw ExitCode(status) }
    }

    private func facts(_ logger: Logger, now: Int64) throws(ServerError) -> HealthFacts {
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
        let records = configuration.store.isOn ? try StoreIssuanceSource(configuration).records() : nil
        let issuance = DomainStatuses(server.issuanceInput, records, now: now)
        if let problem = issuance.problem {
            tolerated.append(LocatedDiagnostic(.acmeOrderFailed, configuration.issuancePlace, problem.message))
        }
        var sites: [SiteFacts] = []
        var facts = server.facts(issuance.report, now: now) { sites.append($0) }
        var checker = FileChecker(rules: AllRules.catalogue)
        facts.sites =
            configuration.store.isOn
            ? sites : sites.map { $0.comparingLinks(in: configuration.sites, &checker) }
        facts.findings = tolerated + facts.findings
        return facts
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

/// The format in which `aasa status` and `aasa serve --check` print the health of a server.
enum HealthFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, nagios

    /// The exit code, once everything could be read.
    ///
    /// - Parameter isStrict: whether warnings count as errors.
    func exitStatus(_ severity: HealthSeverity, isStrict: Bool) -> Int32 {
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
            return [HealthText.nagios(unavailable: reason, isCritical: isCritical)]
        }
    }

    /// The exit code if nothing could be checked.
    func exitStatus(_ error: ServerError) -> Int32 {
        guard self == .nagios else { return error.exitStatus.rawValue }
        return error.code == .nothingToServe ? 2 : 3
    }

    /// The members of JSON; those that `/api/v1/status` has are in `health`.
    static func members(_ facts: HealthFacts, _ health: SiteHealth, now: Int64) -> [String: JSONOutput] {
        let severities = health.severities
        let listed = facts.sites.filter { severities[$0.domain] != nil || !$0.site.findings.isEmpty }
        return [
            "version": .number(1), "status": .string(word(health.severity)),
            "sites": .array(listed.map { json($0, severities[$0.domain] ?? .ok, now: now) }),
            "problems": .array(facts.otherDiagnostics.map { .object($0.members) }),
            "summary": .object([
                "sites": .number(health.sites.total),
                "certificates": .number(facts.pairs.count { $0.state == .loaded }),
                "broken": .number(health.sites.broken), "warning": .number(health.sites.attention),
                "ok": .number(health.sites.fine),
                "fewestDaysLeft": health.nextExpiry.map { .number($0.daysLeft) } ?? .null,
            ]), "health": .object(health.members),
        ]
    }

    /// The word for a site, or for all of them.
    private static func word(_ severity: HealthSeverity) -> String {
        severity == .critical ? "broken" : severity.word
    }

    private static func json(_ facts: SiteFacts, _ severity: HealthSeverity, now: Int64) -> JSONOutput {
        let findings = facts.findings
        let errors = findings.count(where: \.isError)
        var certificate = facts.judgement.members
        certificate["daysLeft"] = facts.certificate.map { .number($0.validity.daysLeft(at: now)) } ?? .null
        certificate["notAfter"] = .optional(facts.certificate.map { InternetDate.string($0.notAfter) })
        certificate["folder"] = .optional(facts.certificate?.folder)
        return .object([
            "domain": .string(facts.domain), "status": .string(word(severity)), "errors": .number(errors),
            "warnings": .number(findings.count { $0.severity == .warning }),
            "findings": .array(findings.prefix(20).map { .object($0.members) }), "certificate": .object(certificate),
        ])
    }
}

extension SiteFacts {
    /// The findings in its files, errors first.
    fileprivate var findings: [LocatedDiagnostic] {
        let findings = site.findings
        return findings.filter(\.isError) + findings.filter { !$0.isError }
    }
}

extension HealthFacts {
    /// Everything that was found, that in files of sites first.
    fileprivate var diagnostics: [LocatedDiagnostic] { sites.flatMap(\.findings) + otherDiagnostics }

    /// The findings elsewhere than in files of sites.
    fileprivate var otherDiagnostics: [LocatedDiagnostic] {
        findings + pairs.compactMap { $0.state == .refused ? $0.finding : nil } + certificateFindings
            + store.map(\.finding) + sites.flatMap(\.issuanceFindings)
    }
}

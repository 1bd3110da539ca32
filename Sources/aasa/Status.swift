import ArgumentParser
import AssociationServer
import BoundedText
import CommandLineSupport
import Diagnostics
import EventLoops
import Glibc
import ServiceHealth
import SystemSupport

struct Status: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether a running server is healthy, and what is wrong.",
        discussion: manual.discussion(
            """
            Asks the admin listener of 'aasa serve' about every site: whether its newest files are served, whether its \
            certificate is valid, and what Apple's last fetch got; and about the server itself, its last reload, and the \
            store that it follows. Problems are listed worst first, each with where it is and what to do.

            With DOMAIN, only what concerns that site or the whole server is shown, and decides the exit code.

            ADDRESS is a loopback address like 127.0.0.1:9443, [::1]:9443 or localhost:9443, a port of 127.0.0.1, the URL that \
            the log of the server prints, or unix:/run/aasa/admin.sock. Without --admin it is 'admin' of server.json, and \
            where there is no server.json, 127.0.0.1:9443.

            Certificates are judged as by 'aasa certificates' and 'aasa serve --check'. With --certificate-days, a \
            certificate that the server does not renew is a warning if fewer than DAYS days are left.

            --format nagios prints what monitoring plugins print: one line with performance data, then at most 10 problems. \
            A server that cannot be reached is CRITICAL, unless --unreachable says otherwise.

            Warnings of the validator about files that are served change nothing, unless --strict is given.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa status --admin 127.0.0.1:9443", "show what is wrong with the server on this machine"),
            .init("aasa status shop.example.com", "show what is wrong with one site"),
            .init("aasa status --watch", "show it again whenever it changes"),
            .init("aasa status --config /etc/aasa/server.json --format nagios", "check it from a monitoring system"),
        ],
        exits: [
            .init(.done, "if all is well"), .init(.failed, "if there are warnings only (with --strict: 2)"),
            .init(2, "if there is a critical problem"),
            .init(.usage, "if an option is wrong, no admin listener is known, or the server has no site DOMAIN"),
            .init(.unusableData, "if server.json cannot be used"), .init(.missingFile, "if it cannot be read"),
            .init(.unavailable, "if no server answers within 5 seconds, or another program does"),
        ],
        exitRemark:
            "With --format nagios it is 2 (CRITICAL) if no server answers (with --unreachable unknown: 3), and 3 (UNKNOWN) if "
            + "there is no status for another reason.",
        files: [.init("/etc/aasa/server.json", "The configuration of the service that the Debian package installs.")],
        seeAlso: ["aasa-certificates(1)", "aasa-doctor(1)", "aasa-serve(1)", "aasa-server.json(5)"])

    enum Unreachable: String, ExpressibleByArgument, CaseIterable {
        case critical, unknown
    }

    @Argument(
        help: ArgumentHelp("The site to show (default: all).", valueName: "domain"), transform: DomainArgument.read)
    var domain: DomainArgument?

    @Option(help: ArgumentHelp("Ask the admin listener at ADDRESS.", valueName: "address"))
    var admin: String?

    @Option(
        help: ArgumentHelp(
            "Read the address from FILE, a server.json (default: Config/server.json where it exists).",
            valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            """
            Warn if a certificate that the server does not renew has fewer than DAYS days left (default: 30, or a \
            quarter of its lifetime if that is less).
            """, valueName: "days"))
    var certificateDays: Int?

    @Flag(help: "Count every warning, also those of the validator, as critical.")
    var strict = false

    @Option(help: "With --format nagios, report a server that does not answer as this.")
    var unreachable = Unreachable.critical

    @Flag(help: "Ask every 2 seconds, and print the text again whenever it changes, until interrupted.")
    var watch = false

    @Option(help: "Set the output format.")
    var format = HealthFormat.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let admin {
            if admin == AdminAddress.none { throw ValidationError("'--admin none' is not an address") }
            if let problem = AdminAddress.problem(AdminAddress.fromOption(admin)) {
                throw ValidationError("'--admin \(admin)' cannot be used; \(problem)")
            }
        }
        if watch, format != .text { throw ValidationError("'--watch' is for '--format text' only") }
        guard let certificateDays else { return }
        guard 0...Self.maxCertificateDays ~= certificateDays else {
            throw ValidationError("--certificate-days is \(certificateDays); expected 0 to \(Self.maxCertificateDays)")
        }
    }

    func run() throws {
        var results = StandardOutput()
        let code: Int32
        do throws(ServerError) {
            if watch { try follow() }
            let (health, json) = try ask()
            let text = HealthText(health, style: output.style, width: output.width, now: Clock.wallSeconds())
            switch format {
            case .text: for line in text.lines() { results.write(line) }
            case .json: results.write(text: String(text: json))
            case .nagios: for line in text.nagios(isStrict: strict) { results.write(line) }
            }
            code = health.severity.pluginCode(isStrict: strict)
        } catch {
            guard format == .nagios else {
                let shown = error.code == .addressUnavailable && isGuessed ? Self.unknown(error) : error
                throw shown.exitStatus.failure(shown.messages)
            }
            let isCritical = error.code == .addressUnavailable && unreachable == .critical
            results.write(HealthText.nagios(unavailable: error.logLines.first ?? "", isCritical: isCritical))
            code = isCritical ? 2 : 3
        }
        results.flush()
        if code != 0 { throw ExitCode(code) }
    }

    /// Prints the text whenever it changes, until the process is interrupted.
    private func follow() throws(ServerError) -> Never {
        var shown: [String] = []
        var known: SiteHealth?
        while true {
            let lines: [String]
            do throws(ServerError) {
                let health = try ask().health
                let text = HealthText(health, style: output.style, width: output.width, now: Clock.wallSeconds())
                // Ages grow by themselves: only a terminal shows them anew.
                lines = output.width == nil && health == known ? shown : text.lines()
                known = health
            } catch {
                // A restart is what is being watched, perhaps; a wrong option is not.
                guard error.code == .addressUnavailable || !shown.isEmpty else { throw error }
                lines = error.messages
                known = nil
            }
            if lines != shown {
                var results = StandardOutput()
                // On a terminal in place of what was shown before.
                if output.width != nil { results.write(text: "\u{1B}[H\u{1B}[2J\u{1B}[3J") }
                for line in lines { results.write(line) }
                results.flush()
                shown = lines
            }
            sleep(Self.secondsBetweenQuestions)
        }
    }

    private static let secondsBetweenQuestions: UInt32 = 2
    private static let maxCertificateDays = 10_000

    /// The health that the server answers with, and its text.
    private func ask() throws(ServerError) -> (health: SiteHealth, json: [UInt8]) {
        let address = try address()
        var query = certificateDays.map { ["certificateDays=\($0)"] } ?? []
        if strict { query.append("strict=1") }
        if let domain { query.append("domain=\(domain.domain)") }
        let target = "/api/v1/status" + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
        let answer = try AdminQuestion.ask(target, at: address, limit: Self.longest) {
            StatusAnswer($0, isOfSite: domain != nil)
        }
        switch answer {
        case .health(let health, let json): return (health, json)
        case .noSite:
            throw ServerError(
                .usage, "the server at \(address) has no site \(quoted(domain?.domain ?? ""))",
                help: "'aasa status' shows all sites with problems, and /sites lists all")
        }
    }

    /// The most that is read of an answer, in bytes: 1,000 problems and as many remarks are less.
    private static let longest = 8 << 20

    /// Whether nothing names the address to ask.
    private var isGuessed: Bool {
        admin == nil && config == nil && Path.isMissing(ServerConfiguration.defaultPath)
    }

    /// The address to ask.
    private func address() throws(ServerError) -> String {
        if let admin { return AdminAddress.fromOption(admin) }
        if isGuessed { return AdminAddress.usual }
        let path = config ?? ServerConfiguration.defaultPath
        guard let address = try ServeFlags(config: path).configuration({ _ in }).admin else {
            throw ServerError(
                .usage, "'\(path)' does not set 'admin', so there is no server to ask",
                help:
                    "set 'admin' in it, for example to \"\(AdminAddress.usual)\", and restart the server; or give the "
                    + "address that its log prints with --admin")
        }
        return address
    }

    /// The places where a server was looked for, if it was at none of them.
    private static func unknown(_ error: ServerError) -> ServerError {
        ServerError(
            .usage,
            "no server is known: there is no '\(ServerConfiguration.defaultPath)' in this folder; and "
                + (error.causes.first?.message ?? ""),
            help: "name its server.json with --config, or the admin address that its log prints with --admin")
    }
}

/// The answer to `aasa status`.
private enum StatusAnswer {
    case health(SiteHealth, json: [UInt8])
    case noSite

    /// - Parameter isOfSite: whether one site was asked about; otherwise another program has answered with 404.
    init?(_ answer: AdminQuestion.Answer, isOfSite: Bool) {
        switch answer.status {
        case 200:
            guard let health = SiteHealth(answer.body) else { return nil }
            self = .health(health, json: answer.body)
        case 404 where isOfSite: self = .noSite
        default: return nil
        }
    }
}

import ArgumentParser
import AssociationServer
import BoundedText
import CommandLineSupport
import Diagnostics
import ServiceHealth
import SystemSupport

struct Status: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether a running server is healthy, and what is wrong.",
        discussion: manual.discussion(
            """
            Asks the admin listener of 'aasa serve' about every site: whether its newest file is served, whether its \
            certificate is valid, and what Apple's last fetch got. Problems are listed worst first.

            ADDRESS is a loopback address like 127.0.0.1:9443, [::1]:9443 or localhost:9443, a port of 127.0.0.1, the URL that \
            the log of the server prints, or unix:/run/aasa/admin.sock. Without --admin it is 'admin' of server.json, and \
            where there is no server.json, 127.0.0.1:9443.

            Certificates are judged as by 'aasa certificates' and 'aasa serve --check'. With --certificate-days, a \
            certificate that the server does not renew is a warning if fewer than DAYS days are left.

            --format nagios prints what monitoring plugins print: one line with performance data, then at most 10 problems.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa status --admin 127.0.0.1:9443", "show what is wrong with the server on this machine"),
            .init("aasa status --config /etc/aasa/server.json --format nagios", "check it from a monitoring system"),
        ],
        exits: [
            .init(.done, "if all is well"), .init(.failed, "if there are warnings only"),
            .init(2, "if there is a critical problem"),
            .init(.usage, "if an option is wrong, or no admin listener is known"),
            .init(.unusableData, "if server.json cannot be used"), .init(.missingFile, "if it cannot be read"),
            .init(.unavailable, "if no server answers within 5 seconds, or another program does"),
        ],
        exitRemark: "With --format nagios it is 3 (UNKNOWN) if there is no status, whatever the reason.",
        files: [.init("/etc/aasa/server.json", "The configuration of the service that the Debian package installs.")],
        seeAlso: ["aasa-certificates(1)", "aasa-doctor(1)", "aasa-serve(1)", "aasa-server.json(5)"])

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, nagios
    }

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

    @Option(help: "Set the output format.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let admin {
            if admin == AdminAddress.none { throw ValidationError("'--admin none' is not an address") }
            if let problem = AdminAddress.problem(AdminAddress.fromOption(admin)) {
                throw ValidationError("'--admin \(admin)' cannot be used; \(problem)")
            }
        }
        guard let certificateDays else { return }
        guard 0...ServerStatus.mostCertificateDays ~= certificateDays else {
            throw ValidationError(
                "--certificate-days is \(certificateDays); expected 0 to \(ServerStatus.mostCertificateDays)")
        }
    }

    func run() throws {
        var results = StandardOutput()
        let code: Int32
        do throws(ServerError) {
            let (address, isGuessed) = try address()
            let query = certificateDays.map { "?certificateDays=\($0)" } ?? ""
            let (status, json): (ServerStatus, [UInt8])
            do throws(ServerError) {
                (status, json) = try AdminQuestion.ask("/api/v1/status\(query)", at: address, limit: Self.longest) {
                    answer in
                    guard answer.status == 200 else { return nil as (ServerStatus, [UInt8])? }
                    return ServerStatus(answer.body).map { ($0, answer.body) }
                }
            } catch {
                throw isGuessed ? Self.unknown(error) : error
            }
            let report = StatusReport(
                status: status, style: output.style, width: output.width, symbols: output.symbols)
            switch format {
            case .text: for line in report.lines { results.write(line) }
            case .json: results.write(text: String(text: json))
            case .nagios: for line in report.nagios { results.write(line) }
            }
            code = status.severity.pluginCode(isStrict: false)
        } catch {
            guard format == .nagios else { throw error.exitStatus.failure(error.messages) }
            results.write("AASA UNKNOWN - \(ServeHealthFormat.plain(error.logLines.first ?? ""))")
            code = 3
        }
        results.flush()
        if code != 0 { throw ExitCode(code) }
    }

    /// The most that is read of an answer, in bytes: 1,000 problems are far less.
    private static let longest = 8 << 20

    /// The address to ask, and whether nothing has named it.
    private func address() throws(ServerError) -> (text: String, isGuessed: Bool) {
        if let admin { return (AdminAddress.fromOption(admin), false) }
        let path = config ?? ServerConfiguration.defaultPath
        if config == nil, Path.isMissing(path) { return (AdminAddress.usual, true) }
        guard let address = try ServeFlags(config: path).configuration({ _ in }).admin else {
            throw ServerError(
                .usage, "'\(path)' does not set 'admin', so there is no server to ask",
                help:
                    "set 'admin' in it, for example to \"\(AdminAddress.usual)\", and restart the server; or give the "
                    + "address that its log prints with --admin")
        }
        return (address, false)
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

/// A status for people and for monitoring plugins.
struct StatusReport {
    let status: ServerStatus
    let style: TextStyle
    /// The width of the terminal, in columns; nil if it is none.
    let width: Int?
    let symbols: Symbols

    /// A table of the problems, and one line that sums up.
    var lines: [String] {
        var lines = table
        if status.more > 0 { lines.append("and \(counted(status.more, "more problem"))") }
        return lines + [summary]
    }

    /// `500 sites: 2 broken, 1 needs attention, 497 fine`.
    var summary: String {
        let sites = status.sites
        var parts: [String] = []
        if sites.broken > 0 { parts.append("\(sites.broken) broken") }
        if sites.attention > 0 {
            parts.append("\(sites.attention) \(sites.attention == 1 ? "needs" : "need") attention")
        }
        let fine = sites.total - sites.broken - sites.attention
        if fine > 0 { parts.append("\(fine) fine") }
        let text = counted(sites.total, "site")
        return parts.isEmpty ? text : "\(text): \(parts.joined(separator: ", "))"
    }

    private static let markWidth = 2
    private static let longestDomain = 40

    private var table: [String] {
        guard !status.problems.isEmpty else { return [] }
        let rows = status.problems.map { problem in
            [problem.domain ?? "-", problem.kind.rawValue, problem.message].map(VisibleText.escaped)
        }
        let header = ["DOMAIN", "PROBLEM", "DETAIL"]
        let widest = (0..<2).map { column in ([header] + rows).map { TerminalWidth.columns($0[column]) }.max() ?? 0 }
        let widths = width == nil ? widest : [min(widest[0], Self.longestDomain), widest[1]]
        var lines = line("  ", header.map(style.dim), header, widths)
        for (row, problem) in zip(rows, status.problems) {
            lines += line(mark(problem.severity), [style.bold(row[0]), row[1], row[2]], row, widths)
        }
        return lines
    }

    /// A row; what is too long for a terminal goes on below its column.
    private func line(_ mark: String, _ painted: [String], _ row: [String], _ widths: [Int]) -> [String] {
        var line = TableLine(mark)
        for column in 0..<2 {
            let text = TableLine.cut(row[column], to: widths[column], ellipsis: symbols.ellipsis)
            line.add(text, painted: text == row[column] ? painted[column] : style.bold(text), width: widths[column])
        }
        let margin = Self.markWidth + widths.reduce(0, +) + 2 * TableLine.gap
        guard let width else {
            line.add(row[2], painted: painted[2], width: 0)
            return [line.text]
        }
        // Where nearly nothing is left for the last column, its text goes below the others.
        let isBelow = width - margin < 20
        let indent = isBelow ? 4 : margin
        var details = WrappedText.lines(painted[2], columns: max(1, width - indent))
        if !isBelow {
            let first = details.removeFirst()
            line.add(first, painted: first, width: 0)
        }
        return [line.text] + details.map { String(repeating: " ", count: indent) + $0 }
    }

    private func mark(_ severity: CertificateSeverity) -> String {
        severity == .critical ? "\(style.red("x")) " : "\(style.yellow("!")) "
    }

    // MARK: Monitoring plugins

    private static let mostNamed = 10

    /// One line with performance data, then the first problems (Monitoring Plugins Development Guidelines).
    var nagios: [String] {
        let word = ["OK", "WARNING", "CRITICAL"][Int(status.severity.pluginCode(isStrict: false))]
        let sites = status.sites
        let data = [
            "sites=\(sites.total);;;0", "stale=\(sites.stale);0;;0", "refused=\(sites.refused);;0;0",
            "without_certificate=\(sites.withoutCertificate);;0;0",
        ]
        let general = status.problems.filter { $0.domain == nil }.map(\.message)
        let text = ([summary] + general).joined(separator: "; ")
        let named = status.problems.prefix(Self.mostNamed).map { problem in
            ServeHealthFormat.plain(
                "\(problem.severity.word.uppercased()): \(problem.domain.map { "\($0): " } ?? "")\(problem.message) "
                    + "[\(problem.kind.rawValue)]")
        }
        return ["AASA \(word) - \(ServeHealthFormat.plain(text)) | \(data.joined(separator: " "))"] + named
    }
}

import ArgumentParser
import BoundedText
import CommandLineSupport
import Diagnostics
import DomainDoctor
import ServiceHealth
import SystemSupport

struct Doctor: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the live chain from a web link to an opened app, and show what is broken and how to fix it.",
        discussion: manual.discussion(
            """
            Requests the files of each domain as Apple's crawler, a device and a browser do, and checks DNS, TLS, HTTP, \
            the file, the cached copies of Apple and Google, and with --app the app's own configuration. It shows each \
            step; each finding says what is wrong and who has to change what. A URL is decided by the file that is served \
            now. Three paths of a domain are requested, always over HTTPS, and no redirect is followed. Apple's and \
            Google's servers are asked about each domain unless --no-cdn and --no-google are given.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa doctor example.com", "check a domain"),
            .init("aasa doctor https://example.com/buy/7", "see whether a link opens the app"),
            .init("aasa doctor --app Shop.entitlements example.com", "also check the app's own configuration"),
            .init("aasa doctor --strict --format github example.com", "fail a CI job after a deployment"),
            .init("aasa doctor --format prometheus - <domains", "write metrics for many domains"),
        ],
        exits: [
            .init(.done, "if there is no error"), .init(.failed, "if there is one (with --strict: or a warning)"),
            .init(.usage, "if a target or an option is wrong"),
            .init(.unusableData, "if an --app or --ca-file file cannot be used"),
            .init(.missingFile, "if one cannot be read"), .init(.unavailable, "if libcurl cannot be loaded"),
        ],
        exitRemark: """
            With --format nagios 0 is OK, 1 WARNING, 2 CRITICAL and 3 UNKNOWN. Nothing is contacted if an option, a \
            target or a file is wrong.
            """,
        files: [.init(".aasa.json", "Sets which findings are reported, and their severity.")],
        seeAlso: ["aasa-explain(1)", "aasa-export(1)", "aasa-rules(1)", "aasa-validate(1)", "aasa.json(5)"])

    @Argument(
        help: ArgumentHelp(
            """
            Domains (HOST or HOST:PORT) and http or https URLs; - reads more from standard input, one per line \
            (default: the domains of the --app files).
            """, valueName: "target"))
    var targets: [String] = []

    @OptionGroup(title: "App") var app: DoctorAppOptions
    @OptionGroup(title: "Network") var network: DoctorNetworkOptions
    @OptionGroup(title: "Network") var pace: DoctorPaceOptions
    @OptionGroup(title: "Findings") var findings: DoctorFindingOptions
    @OptionGroup(title: "Findings") var rules: RuleOptions
    @OptionGroup(title: "Output") var results: DoctorOutputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if targets.isEmpty, app.paths.isEmpty {
            throw ValidationError("nothing to check; name a domain or a URL, or an app with --app")
        }
        if targets.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
    }

    func run() throws {
        let run: DoctorRun
        do throws(DoctorFailure) {
            run = try DoctorRun(self)
        } catch {
            throw error.report(in: results.format)
        }
        let status = BlockingTask.run { await run.check() }
        if status != 0 { throw ExitCode(status) }
    }
}

/// Why `aasa doctor` checks nothing. It says so in every format in which silence would be taken for success.
struct DoctorFailure: Error {
    struct Reason {
        /// One clause.
        let message: String
        /// The file that it is about, with the line and column if they are known.
        var location: String?
        var path: String?
        var help: String?

        /// The location before a text.
        fileprivate func located(_ text: String) -> String { (location.map { "\($0): " } ?? "") + text }
    }

    let code: CommandFailure.Code
    let reasons: [Reason]

    init(_ code: CommandFailure.Code, _ reasons: [Reason]) { (self.code, self.reasons) = (code, reasons) }

    init(_ code: CommandFailure.Code, _ message: String, path: String? = nil, help: String? = nil) {
        self.init(code, [Reason(message: message, path: path, help: help)])
    }

    private var status: ExitStatus {
        switch code {
        case .usage: .usage
        case .unreadableFile: .missingFile
        case .missingLibrary: .unavailable
        default: .unusableData
        }
    }

    /// All reasons on one line.
    private var message: String { reasons.map { $0.located($0.message) }.joined(separator: "; ") }

    /// Writes why.
    ///
    /// - Returns: what to end with.
    func report(in format: DoctorOutputOptions.Format) -> ExitCode {
        for reason in reasons {
            StandardError.write(reason.located("error: \(reason.message)"))
            if let help = reason.help { StandardError.write("help: \(help)") }
        }
        if code == .usage { StandardError.write("help: see 'aasa doctor --help'") }
        let lines: [String] =
            switch format {
            case .text, .sarif, .prometheus: []
            case .json, .jsonl: [json]
            case .github:
                reasons.map { reason in
                    GitHubRenderer().command(
                        .error, path: reason.path, title: code.rawValue,
                        message: [reason.message] + (reason.help.map { ["help: \($0)"] } ?? []))
                }
            case .nagios: [HealthText.nagios(unavailable: message, isCritical: false)]
            }
        StandardOutput.print(lines)
        return format == .nagios && code != .usage
            ? ExitCode(DoctorNagiosReport.State.unknown.rawValue) : status.code
    }

    var json: String {
        CommandFailure(
            status: status, code: code, message: message, help: reasons.first?.help, path: reasons.first?.path
        ).json(tool: "aasa doctor")
    }
}

/// The hosts that are named as targets, each once, with the URLs that were given for it.
struct DoctorTargets {
    /// More is not read from standard input, in bytes.
    private static let limit = 16 << 20

    private(set) var targets: [Target] = []
    private var indices: [HostAndPort: Int] = [:]
    private var reasons: [DoctorFailure.Reason] = []

    private struct HostAndPort: Hashable {
        let host: String
        let port: Int
    }

    /// - Parameters:
    ///   - arguments: `-` stands for the lines of standard input.
    ///   - allowsAddresses: Whether a host may be an IP address.
    /// - Throws: All that is wrong with them.
    init(_ arguments: [String], allowsAddresses: Bool) throws(DoctorFailure) {
        for argument in arguments {
            if argument == "-" {
                try readInput(allowsAddresses)
            } else {
                add(argument, allowsAddresses, line: nil)
            }
        }
        guard reasons.isEmpty else { throw DoctorFailure(.usage, reasons) }
        if targets.isEmpty, !arguments.isEmpty {
            throw DoctorFailure(.usage, "standard input contains no target; expected one per line")
        }
    }

    private mutating func readInput(_ allowsAddresses: Bool) throws(DoctorFailure) {
        let input: [UInt8]
        do throws(SystemError) {
            input = try InputFile.read("-", limit: Self.limit)
        } catch {
            throw DoctorFailure(.unreadableFile, "cannot read the targets from standard input: \(error.reason)")
        }
        guard input.count <= Self.limit else {
            throw DoctorFailure(.usage, "standard input has more than \(Self.limit >> 20) MiB of targets")
        }
        let source = SourceText(input, path: "")
        for number in 1...source.lineCount {
            let line = source.line(number).drop(while: Self.isSpace)
            guard let last = line.lastIndex(where: { !Self.isSpace($0) }), line.first != UInt8(ascii: "#") else {
                continue
            }
            add(String(text: line[...last]), allowsAddresses, line: number)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func add(_ text: String, _ allowsAddresses: Bool, line: Int?) {
        do throws(TargetError) {
            add(try Target(text, allowsAddresses: allowsAddresses))
        } catch {
            let start = line.map { "line \($0): " } ?? ""
            let isFile = line == nil && Path.exists(text)
            let clause =
                isFile ? "is a file; to check it: aasa validate \(FileArgument.quotedForShell(text))" : error.clause
            reasons.append(DoctorFailure.Reason(message: "\(start)\(quoted(text, limit: 100)) \(clause)"))
        }
    }

    /// Several URLs of a host share one check of it.
    private mutating func add(_ target: Target) {
        let key = HostAndPort(host: target.host, port: target.port)
        guard let index = indices[key] else {
            indices[key] = targets.count
            return targets.append(target)
        }
        targets[index].fileInFolder = targets[index].fileInFolder ?? target.fileInFolder
        for url in target.urls where !targets[index].urls.contains(url) { targets[index].urls.append(url) }
    }

    /// The hosts that the app names, for a run without targets.
    init(appHosts: [String]) {
        for host in appHosts {
            guard var target = try? Target(host, allowsAddresses: false) else { continue }
            target.isNamedByUser = false
            add(target)
        }
    }
}

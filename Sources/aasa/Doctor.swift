import ArgumentParser
import CommandLineSupport

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

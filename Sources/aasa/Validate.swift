import ArgumentParser
import AssociationFiles
import AssociationLint
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import Synchronization
import SystemSupport

struct Validate: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract:
            "Check association files for iOS, asset links files and manifests for Android, and show how to fix them.",
        discussion: manual.discussion(
            """
            Folders, except .git and node_modules, are searched for files named apple-app-site-association, with or without \
            .json, assetlinks.json and AndroidManifest.xml, and for links.json beside an association file. Files with other names, and standard input, are recognized by their content, unless \
            --kind is given. Findings can be suppressed in .aasa.json (the nearest one in the file's folder or above). With \
            --config server.json, files are judged as that server judges them: by 'limits.fileBytes' and 'wellKnown'. \
            'aasa rules' lists all findings.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa validate .well-known/apple-app-site-association", "check a file"),
            .init("aasa validate --fix --suggested site/", "fix the files in a folder, then review the changes"),
            .init("aasa validate --strict --format github .", "fail a build on warnings, too, and annotate the files"),
            .init("curl -fsS $url | aasa validate -", "check what a web server sends"),
            .init(
                "aasa validate --fingerprint-of app-release.apk assetlinks.json",
                "check that the file lists the certificate of an app"),
            .init("aasa validate --min-api 24 app/src/main/AndroidManifest.xml", "check the filters of an Android app"),
        ],
        exits: [
            .init(.done, "if there is no error"), .init(.failed, "if there is one (with --strict: or a warning)"),
            .init(
                .unusableData,
                "if a manifest is compiled, or not XML, the file of an app has no certificate, or server.json cannot be used"
            ),
            .init(.missingFile, "if a file cannot be read"),
        ],
        exitRemark: "With --diff, exit 1 if a file would change, otherwise 0.",
        files: [.init(".aasa.json", "Sets which findings are reported, and their severity.")],
        seeAlso: ["aasa-explain(1)", "aasa-rules(1)", "aasa.json(5)"])

    @Argument(help: ArgumentHelp("Files and folders; - is standard input.", valueName: "path"), completion: .file())
    var paths: [String]

    @Option(help: "Set the output format; github writes annotations for GitHub Actions.")
    var format = ReportFormat.text

    @Option(help: ArgumentHelp("Check all files as this kind (default: by name and content).", valueName: "kind"))
    var kind: Kind?

    /// A kind of file that can be asked for.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case aasa, assetlinks, manifest

        var file: FileKind {
            switch self {
            case .aasa: .association
            case .assetlinks: .assetLinks
            case .manifest: .manifest
            }
        }
    }

    @Option(
        name: .customLong("min-api"),
        help: ArgumentHelp(
            "Set the oldest Android version that manifests support, as an API level, e.g. 24.", valueName: "level"))
    var minimumAPI: Int?

    @OptionGroup var apps: SignerOptions

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @OptionGroup var rules: RuleOptions

    @Flag(help: "Apply the automatic fixes. With '-', write the fixed text to standard output.")
    var fix = false

    @Flag(help: "With --fix or --diff, also apply suggested fixes, which are right in most cases; review the result.")
    var suggested = false

    @Flag(help: "Show what --fix would change as a unified diff, and write nothing.")
    var diff = false

    @Flag(name: .shortAndLong, help: "Print findings only, without notes and summary.")
    var quiet = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if paths.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
        if fix, !diff, paths.contains("-"), paths.count > 1 {
            throw ValidationError(
                "with --fix, standard input must be the only file, because its fixed text is the output")
        }
        if let minimumAPI, !(1...10_000).contains(minimumAPI) {
            throw ValidationError("--min-api: \(minimumAPI) is not an API level; write it as 24, which is Android 7")
        }
        try apps.validate(with: paths)
        if suggested, !fix, !diff { throw ValidationError("--suggested needs --fix or --diff") }
        if diff, format != .text { throw ValidationError("--diff cannot be combined with --format") }
    }

    private var mode: ValidationRun.Mode {
        let fixes = FixIt.Applicability.automatic
        if diff { return .diff(upTo: suggested ? .suggested : fixes) }
        return fix ? .fix(upTo: suggested ? .suggested : fixes) : .check
    }

    func run() throws {
        try rules.prepare()
        let server = try rules.config.flatMap(ServerSettings.init)
        var lintOptions = LintOptions(settings: rules.settings, minimumIOS: rules.minimumIOS)
        lintOptions.minimumAPI = minimumAPI
        lintOptions.signers = try apps.signers()
        func run(_ mode: ValidationRun.Mode, isSilent: Bool) throws -> ValidationRun {
            var run = ValidationRun(
                options: lintOptions, configuration: server == nil ? rules.config : nil, kind: kind?.file,
                server: server, mode: mode, isSilent: isSilent)
            for path in paths { run.check(path) }
            try apps.check(assetLinksFiles: run.assetLinksFiles)
            return run
        }
        // Where one person sees both, it is shown once: as a finding.
        var isSilent = format == .text && output.showsBoth && !diff
        // No file is changed before it is known that the apps have one that they belong to.
        if fix, !diff, !apps.files.isEmpty, paths != ["-"] {
            _ = try run(.check, isSilent: isSilent)
            isSilent = true
        }
        let run = try run(mode, isSilent: isSilent)
        let report = run.report
        var results = StandardOutput()
        if diff {
            run.writeDifferences(to: &results, style: output.style)
        } else {
            let isFilter = fix && paths == ["-"]
            let text = format.text(
                report, style: isFilter ? output.errorStyle : output.style,
                width: isFilter ? output.errorWidth : output.width, showsFixed: fix, isQuiet: quiet,
                preface: run.searched)
            if isFilter {
                results.write(bytes: run.fixedInput)
                if !text.isEmpty { StandardError.writeShown(text) }
            } else if !text.isEmpty {
                results.write(text)
            }
        }
        results.flush()
        if diff, !quiet { StandardError.write(summary(of: report)) }
        let isFailure = diff ? run.hasDifferences : report.errorCount > 0 || strict && report.warningCount > 0
        if let status = run.status ?? (isFailure ? .failed : nil) { throw status.code }
    }

    private func summary(of report: Report) -> String {
        let left = report.fixableCount(.suggested)
        let more = left > 0 && !suggested ? "; \(grouped(left)) more with --suggested." : "."
        let fixed = report.fixedCount
        return (fixed == 0 ? "Nothing to fix" : "\(counted(fixed, "finding")) would be fixed") + more
    }
}

/// By which rules and configuration findings are judged.
struct RuleOptions: ParsableArguments {
    /// One of the options, with its position among them.
    struct Choice: Sendable {
        let order: Int
        let code: String
        let setting: LintOptions.Setting
    }

    @Option(
        help: ArgumentHelp("Do not report CODE (repeatable, or separated by commas).", valueName: "code"),
        completion: .list(RuleOptions.changeableCodes),
        transform: RuleOptions.disabled)
    var disable: [[Choice]] = []

    @Option(
        help: ArgumentHelp(
            "Override the severity of CODE: CODE=error|warning|off (repeatable; last one wins).",
            valueName: "code=severity"),
        completion: .list(RuleOptions.severitiesOfCodes),
        transform: RuleOptions.severity)
    var severity: [[Choice]] = []

    @Option(
        name: .customLong("minimum-ios"),
        help: ArgumentHelp("Set the oldest iOS version that the files support, e.g. 13.0.", valueName: "version"),
        transform: RuleOptions.systemVersion)
    var minimumIOS: SystemVersion?

    @Option(
        help: ArgumentHelp("Read the configuration from FILE (default: the nearest .aasa.json).", valueName: "file"),
        completion: .file())
    var config: String?

    func validate() throws {
        if config == "-" { throw ValidationError("the configuration cannot be standard input; name a file") }
    }

    /// Makes sure that the configuration is there, and says what cannot be changed.
    func prepare() throws {
        if let reason = unreadableConfiguration {
            throw ExitStatus.missingFile.failure("error: cannot read the configuration '\(config ?? "")': \(reason)")
        }
        for objection in objections { StandardError.write("warning: \(objection)") }
    }

    /// Why the configuration that was named cannot be read; nil if it can, or none was.
    var unreadableConfiguration: String? {
        guard let config else { return nil }
        do throws(SystemError) {
            _ = try InputFile.read(config, limit: 0)
            return nil
        } catch {
            return error.reason
        }
    }

    /// The severities that options give to codes; the last option about a code decides.
    var settings: [DiagnosticCode: LintOptions.Setting] {
        let choices = (disable + severity).flatMap { $0 }.sorted { $0.order < $1.order }
        return Dictionary(
            choices.map { (DiagnosticCode(rawValue: $0.code), $0.setting) }, uniquingKeysWith: { _, last in last })
    }

    /// The note about the codes that stay errors whatever is set, sorted by code.
    var objections: [String] {
        let codes = settings.filter { $0.value != .error }.keys.sorted { $0.rawValue < $1.rawValue }
        return codes.compactMap(RuleRegistry.objection)
    }

    /// The codes of findings that can be turned off.
    private static let changeableCodes = AllRules.catalogue.rules.map(\.code.rawValue).filter {
        RuleRegistry.objection(toChanging: DiagnosticCode(rawValue: $0)) == nil
    }
    private static let severitiesOfCodes = changeableCodes.flatMap { ["\($0)=error", "\($0)=warning", "\($0)=off"] }

    private static func systemVersion(_ text: String) throws -> SystemVersion {
        guard let version = SystemVersion(text) else {
            throw ValidationError("'\(text)' is not a version of iOS; write it as 13.0")
        }
        return version
    }

    private static func disabled(_ codes: String) throws -> [Choice] {
        try parts(codes).map { Choice(order: nextOrder(), code: try known($0), setting: .off) }
    }

    private static func severity(_ settings: String) throws -> [Choice] {
        try parts(settings).map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let setting = LintOptions.Setting(rawValue: parts[1]) else {
                throw ValidationError(
                    "\(quoted(text)) is not a severity of a code; write CODE=error, CODE=warning or CODE=off")
            }
            return Choice(order: nextOrder(), code: try known(parts[0]), setting: setting)
        }
    }

    /// The parts between commas; a comma at the end adds nothing.
    private static func parts(_ list: String) -> [String] {
        let parts = list.split(separator: ",").map(String.init)
        return parts.isEmpty ? [list] : parts
    }

    private static func known(_ code: String) throws -> String {
        guard AllRules.catalogue[code] == nil else { return code }
        throw ValidationError("unknown code \(quoted(code))\(UnknownCode.hint(code))")
    }

    /// The options are read from left to right.
    private static let count = Atomic(0)

    private static func nextOrder() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// The answer to a mistyped code.
enum UnknownCode {
    static func hint(_ code: String) -> String {
        let near = AllRules.catalogue.codes(near: code).map { "'\($0)'" }
        return near.isEmpty ? "; 'aasa rules' lists them" : "; did you mean \(near.joined(separator: " or "))?"
    }
}

/// The format in which findings are written.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, jsonl, sarif, github

    /// - Parameters:
    ///   - width: The columns of the terminal; nil if there is none.
    ///   - isQuiet: Whether text for people is nothing but findings.
    ///   - preface: The line of text for people before the summary.
    ///   - showsFixed: Whether fixes were applied, so that there may be something to say about them.
    func text(
        _ report: Report, style: TextStyle, width: Int?, showsFixed: Bool, isQuiet: Bool, preface: String? = nil
    ) -> String {
        switch self {
        case .text: return TextRenderer(style: style, width: width, isQuiet: isQuiet, preface: preface).render(report)
        case .json: return JSONOutput.object(report.members(showsFixed: showsFixed)).text
        case .jsonl: return report.jsonLines(showsFixed: showsFixed)
        case .sarif: return Self.sarifRenderer.render(report)
        case .github: return GitHubRenderer().render(report)
        }
    }

    static var sarifRenderer: SARIFRenderer {
        let folder = Path.workingDirectory ?? "/"
        return SARIFRenderer(
            rules: AllRules.catalogue.rules, toolVersion: AASA.version, root: Path.repositoryRoot(around: folder),
            workingDirectory: folder)
    }
}

import ArgumentParser
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check association files, and asset links files for Android, and show how to fix them.",
        discussion: """
            Folders are searched for files named apple-app-site-association, with or without .json, and assetlinks.json. Other \
            names, and standard input, are recognised by their content, unless --kind is given. Findings can be silenced in \
            .aasa.json (nearest one in the file's folder or above). Exit 0 if there is no error, 1 if there is one (with --strict: or \
            a warning), 66 if a file cannot be read. 'aasa rules' lists what can be found.
            """
    )

    @Argument(help: ArgumentHelp("Files and folders; - is standard input.", valueName: "path"), completion: .file())
    var paths: [String]

    @Option(help: "text, json, jsonl, sarif or github.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp(
            "Check all files as this kind (default: by name and content).", valueName: "kind"))
    var kind: Kind?

    /// A kind of file that can be asked for.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case aasa, assetlinks

        var file: FileKind {
            switch self {
            case .aasa: .association
            case .assetlinks: .assetLinks
            }
        }
    }

    @Flag(help: "Warnings fail as errors do.")
    var strict = false

    @OptionGroup var settings: SettingOptions

    @Option(
        name: .customLong("minimum-ios"),
        help: ArgumentHelp("The oldest iOS that the files are for, like 13.0.", valueName: "version"),
        transform: SettingOptions.systemVersion)
    var minimumIOS: SystemVersion?

    @Option(help: ArgumentHelp("The configuration (default: the nearest .aasa.json).", valueName: "file"))
    var config: String?

    @Flag(help: "Apply the automatic fixes. Of standard input the fixed text goes to standard output.")
    var fix = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if paths.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
        if config == "-" { throw ValidationError("the configuration cannot be standard input; name a file") }
        if fix, paths.contains("-"), paths.count > 1 {
            throw ValidationError("with --fix standard input is the only file: its fixed text is the output")
        }
    }

    func run() throws {
        if let config, case .unreadable(let reason) = InputFile.read(config, limit: 0) {
            throw ExitStatus.missingFile.failure("error: cannot read the configuration '\(config)': \(reason)")
        }
        for objection in settings.objections { StandardError.write("warning: \(objection)") }
        var run = ValidationRun(
            options: LintOptions(settings: settings.settings, minimumIOS: minimumIOS), configuration: config,
            kind: kind?.file,
            fixes: fix)
        for path in paths { run.check(path) }
        let report = run.report
        var results = StandardOutput()
        let isFilter = fix && paths == ["-"]
        if isFilter {
            results.write(bytes: run.fixedInput)
            let text = format.text(report, style: output.errorStyle, width: output.errorWidth, showsFixed: true)
            if !text.isEmpty { StandardError.writeShown(text) }
        } else {
            let text = format.text(report, style: output.style, width: output.width, showsFixed: fix)
            if !text.isEmpty { results.write(text) }
        }
        results.flush()
        let isFailure = report.errorCount > 0 || strict && report.warningCount > 0
        if let status = run.status ?? (isFailure ? .failed : nil) { throw status.code }
    }
}

import ArgumentParser
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check association files, and asset links files for Android, and show how to fix them.",
        discussion: """
            Folders, but for .git and node_modules, are searched for files named apple-app-site-association, with or without \
            .json, and assetlinks.json. Other names, and standard input, are recognised by their content, unless --kind is \
            given. Findings can be silenced in .aasa.json (nearest one in the file's folder or above).

            Exit 0 if there is no error, 1 if there is one (with --strict: or a warning), 66 if a file cannot be read. With \
            --diff exit 1 if a file would be changed, otherwise 0. 'aasa rules' lists what can be found.
            """
    )

    @Argument(help: ArgumentHelp("Files and folders; - is standard input.", valueName: "path"), completion: .file())
    var paths: [String]

    @Option(help: "Output format; github writes annotations for GitHub Actions.")
    var format = ReportFormat.text

    @Option(help: ArgumentHelp("Check all files as this kind (default: by name and content).", valueName: "kind"))
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

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @OptionGroup var settings: SettingOptions

    @Option(
        name: .customLong("minimum-ios"),
        help: ArgumentHelp("The oldest iOS that the files are for, like 13.0.", valueName: "version"),
        transform: SettingOptions.systemVersion)
    var minimumIOS: SystemVersion?

    @Option(help: ArgumentHelp("The configuration (default: the nearest .aasa.json).", valueName: "file"))
    var config: String?

    @Flag(help: "Apply the automatic fixes. With '-', the fixed text is written to standard output.")
    var fix = false

    @Flag(help: "With --fix or --diff: apply suggested fixes too, which are right in most cases; review the result.")
    var suggested = false

    @Flag(help: "Show what --fix would change as a unified diff, and write nothing.")
    var diff = false

    @Flag(name: .shortAndLong, help: "Print findings only, without notes and summary.")
    var quiet = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if paths.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
        if config == "-" { throw ValidationError("the configuration cannot be standard input; name a file") }
        if fix, !diff, paths.contains("-"), paths.count > 1 {
            throw ValidationError("with --fix standard input is the only file: its fixed text is the output")
        }
        if suggested, !fix, !diff { throw ValidationError("--suggested is about fixes; add --fix or --diff") }
        if diff, format != .text { throw ValidationError("--diff has a format of its own; leave --format out") }
    }

    private var mode: ValidationRun.Mode {
        let fixes = FixIt.Applicability.automatic
        if diff { return .diff(upTo: suggested ? .suggested : fixes) }
        return fix ? .fix(upTo: suggested ? .suggested : fixes) : .check
    }

    func run() throws {
        if let config, case .unreadable(let reason) = InputFile.read(config, limit: 0) {
            throw ExitStatus.missingFile.failure("error: cannot read the configuration '\(config)': \(reason)")
        }
        for objection in settings.objections { StandardError.write("warning: \(objection)") }
        var run = ValidationRun(
            options: LintOptions(settings: settings.settings, minimumIOS: minimumIOS), configuration: config,
            kind: kind?.file,
            mode: mode,
            // Where one person sees both, it is said once: as a finding.
            isSilent: format == .text && output.showsBoth && !diff)
        for path in paths { run.check(path) }
        let report = run.report
        var results = StandardOutput()
        if diff {
            run.writeDifferences(to: &results, style: output.style)
        } else {
            let isFilter = fix && paths == ["-"]
            let text = format.text(
                report, style: isFilter ? output.errorStyle : output.style,
                width: isFilter ? output.errorWidth : output.width, showsFixed: fix, isQuiet: quiet)
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
        let more = left > 0 && !suggested ? "; \(left) more with --suggested" : ""
        return (report.fixedCount == 0 ? "nothing to fix" : "\(report.fixedCount) would be fixed") + more
    }
}

import Android
import AppSiteAssociation
import ArgumentParser
import AssociationFiles
import CommandLineSupport
import Diagnostics
import DomainNames
import FindingCatalogue

struct LinksCheck: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check link pages, and whether the apps open them.",
        discussion: manual.discussion(
            """
            The links and pages are compared with the association file and the assetlinks.json in the same folder, and \
            with the association file of 'openHost' in the folder beside it. A URL is shown for everything that these \
            files do not open. 'aasa rules link' lists all findings; .aasa.json can suppress warnings.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa links check sites/go.example.com/links.json", "check a file and those beside it"),
            .init(
                "aasa links check links.json --association file.json --domain go.example.com",
                "check a file that is not in the folder of its site"),
        ],
        exits: [
            .init(.done, "if there is no error"), .init(.failed, "if there is one (with --strict: or a warning)"),
            .init(.unusableData, "if a file of --association or --assetlinks is not valid"),
            .init(.missingFile, "if a file cannot be read"),
        ],
        files: [.init(".aasa.json", "Sets which findings are reported, and their severity.")],
        seeAlso: ["aasa-validate(1)", "aasa-rules(1)", "aasa.json(5)"])

    @Argument(help: ArgumentHelp("The links.json; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("Compare with this association file (default: the one in the folder).", valueName: "file"),
        completion: .file())
    var association: String?

    @Option(
        help: ArgumentHelp("Compare with this assetlinks.json (default: the one in the folder).", valueName: "file"),
        completion: .file())
    var assetlinks: String?

    @Option(
        help: ArgumentHelp("Set the domain of the file (default: the name of the folder).", valueName: "host"),
        transform: LinkDomain.read)
    var domain: Domain?

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @Option(help: "Set the output format; github writes annotations for GitHub Actions.")
    var format = ReportFormat.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if [file, association, assetlinks].count(where: { $0 == "-" }) > 1 {
            throw ValidationError("standard input can be only one of the files")
        }
    }

    func run() throws {
        let failures: CommandFailure.Format =
            switch format {
            case .text, .sarif: .text
            case .json, .jsonl: .json
            case .github: .github
            }
        try CommandFailure.reporting(in: failures, "aasa links check", output, check)
    }

    private func check() throws {
        let input = try LinksInput(file, for: "aasa links check -")
        var neighbours = input.neighbours
        if let association {
            neighbours.association = try AssociationFile.read(association, for: "aasa links check FILE --association -")
        }
        if let assetlinks {
            neighbours.assetLinks = try LinkFile.readAssetLinks(
                assetlinks, for: "aasa links check FILE --assetlinks -")
        }
        var checker = FileChecker(rules: AllRules.catalogue)
        let linter = checker.linter(forFileAt: file)
        let judgement = checker.judge(
            input.bytes, as: .links, path: input.name, by: linter, links: neighbours.surroundings(domain: domain))
        let report = Report(
            [judgement.report] + checker.configurationReports(), fileCount: 1,
            notes: [neighbours.note(about: input.name)].compactMap { $0 })
        let text = format.text(report, style: output.style, width: output.width, showsFixed: false, isQuiet: false)
        StandardOutput.print(text.isEmpty ? [] : [text])
        if report.errorCount > 0 || strict && report.warningCount > 0 { throw ExitStatus.failed.code }
    }
}

extension LinkNeighbours {
    /// Says which files there are none of, so that nobody takes silence for their consent.
    func note(about path: String) -> Report.Note? {
        guard association == nil else { return nil }
        return Report.Note(
            path: path, message: "not compared with an association file: there is none beside it that can be used")
    }
}

import AppSiteAssociation
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import PatternAnalysis
import UniversalLinks

struct Diff: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show which links change when one file replaces another.",
        discussion: manual.discussion(
            """
            Compares the meaning of the files, not their text: whether each possible URL opens an app, and which apps. \
            Each change is shown with a URL that proves it. Changes to services without links are shown as notes and do \
            not count.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa diff old.json new.json", "show which links change"),
            .init("git show HEAD:aasa.json | aasa diff - aasa.json", "compare a file with its last commit"),
        ],
        exits: [
            .init(.done, "if no link changes"), .init(.failed, "if some do"),
            .init(.unusableData, "if a file is not valid JSON"), .init(.missingFile, "if one cannot be read"),
        ],
        seeAlso: ["aasa-route(1)", "aasa-validate(1)"])

    @Argument(
        help: ArgumentHelp("The old association file; - is standard input.", valueName: "old"),
        completion: .file())
    var old: String

    @Argument(
        help: ArgumentHelp("The new association file; - is standard input.", valueName: "new"),
        completion: .file())
    var new: String

    @Option(
        help: ArgumentHelp(
            "Set the domain of the URLs that are shown, e.g. shop.example or *.shop.example (default: example.com).",
            valueName: "host"))
    var domain: String?

    @Option(help: "Set the output format; github writes annotations for GitHub Actions.")
    var format = CommandFailure.Format.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if old == "-", new == "-" { throw ValidationError("standard input cannot be both files; name one of them") }
        _ = try host
    }

    /// The host of the URLs; with a wildcard one of the hosts that it stands for.
    private var host: String {
        get throws {
            guard let domain else { return "example.com" }
            do throws(RouterError) {
                let name = try DomainName(domain)
                return name.isWildcard ? "www.\(name.ascii)" : name.ascii
            } catch {
                throw ValidationError("--domain: \(error)")
            }
        }
    }

    func run() throws {
        try CommandFailure.reporting(in: format, "aasa diff", output, compare)
    }

    private func compare() throws {
        let oldDocument = try AssociationFile.read(old, for: "aasa diff - \(new)")
        let newDocument = try AssociationFile.read(new, for: "aasa diff \(old) -")
        let errors = (old: FileErrors(oldDocument), new: FileErrors(newDocument))
        if format != .json {
            errors.old.warn()
            errors.new.warn()
        }
        let comparison = LinkComparison(old: oldDocument, new: newDocument, host: try host)
        let (oldPath, newPath) = (oldDocument.source.path, newDocument.source.path)
        var results = StandardOutput()
        switch format {
        case .json: results.write(DiffJSONReport.text(comparison, errors))
        case .github, .junit:
            let report = DiffCheckReport(oldPath: oldPath, newPath: newPath)
            let text = format == .junit ? report.junit(comparison) : report.github(comparison)
            if !text.isEmpty { results.write(text) }
        case .text:
            let report = DiffTextReport(oldPath: oldPath, newPath: newPath, style: output.style, width: output.width)
            for line in report.lines(comparison) { results.write(line) }
        }
        results.flush()
        if !comparison.isWithoutChange { throw ExitStatus.failed.code }
    }
}

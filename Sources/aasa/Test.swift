import AppSiteAssociation
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import UniversalLinks

struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a list of URLs that must and must not open; for CI.",
        discussion: """
            CASES is JSON: [{"url": "https://example.com/buy/7", "opens": ["APPID"]}, {"url": "…", "opens": []}, \
            {"url": "…", "opens": "any"}, {"url": "…", "excluded": true}]. Exit 0 if every case holds, 1 if one does not, \
            65 if the file or the list is unusable, 66 if one cannot be read.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("The association file; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Argument(help: ArgumentHelp("The list of cases; - is standard input.", valueName: "cases"), completion: .file())
    var cases: String

    @OptionGroup var domain: DomainOption

    @Option(help: "text or json.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if file == "-", cases == "-" { throw ValidationError("standard input cannot be the file and the cases") }
    }

    func run() throws {
        let document = try AssociationFile.read(file, output)
        let list = try readCases()
        let router = try domain.router(document)
        let run = CaseRun(list.cases, document) { router.decide($0).document != nil }
        var results = StandardOutput()
        switch format {
        case .json:
            results.write(CaseReport.json(run, list))
            for warning in run.diagnostics where warning.severity == .warning {
                StandardError.write("warning: \(warning.message)")
            }
        case .text:
            let report = CaseReport(document: document, style: output.style, width: output.width)
            for line in report.lines(run, list) { results.write(line) }
        }
        results.flush()
        if run.failedCount > 0 { throw ExitStatus.failed.code }
    }

    private func readCases() throws -> CaseList {
        let name = InputFile.name(cases)
        let bytes: [UInt8]
        switch InputFile.read(cases, limit: AssociationFile.limit) {
        case .bytes(let content): bytes = content
        case .unreadable(let reason): throw ExitStatus.missingFile.failure("error: cannot read '\(name)': \(reason)")
        }
        let list = CaseList.read(bytes, path: name) { WebURL(Array($0.utf8)) != nil }
        guard !list.diagnostics.contains(where: { $0.severity == .error }) else {
            let renderer = TextRenderer(style: output.errorStyle, width: output.errorWidth)
            for line in list.diagnostics.flatMap({ renderer.render($0, in: list.source) }) {
                StandardError.writeShown(line)
            }
            throw ExitStatus.unusableData.code
        }
        return list
    }
}

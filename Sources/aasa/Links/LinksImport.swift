import ArgumentParser
import CommandLineSupport
import Diagnostics
import DomainDoctor
import DomainNames
import JSONSyntax
import LinkImport
import LinkPages
import OpenSSL
import SystemSupport

struct LinksImport: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Write a links.json from another service's short links.",
        discussion: manual.discussion(
            """
            firebase reads the CSV file of Google Takeout, or JSON; branch-csv an export of Branch; csv a table with the \
            columns path, to, title, description, image, appURL and answer. urls reads a list of short links, one per line, \
            whoever made them: each is asked once where it leads, eight at a time, at public addresses only.

            Rows that cannot be used are listed on standard error and left out; the rest is written to standard output.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init(
                "aasa links import --from firebase links.csv --name Shop", "import an export of Firebase Dynamic Links"),
            .init("aasa links import --from csv table.csv --domain go.example.com", "import a table of your own"),
            .init("aasa links import --from urls list.txt", "ask short links of any service where they lead"),
        ],
        exits: [
            .init(.done, "if it succeeded"), .init(.failed, "if rows were left out because of errors"),
            .init(.unusableData, "if the file is not such an export, or has no usable row"),
            .init(.missingFile, "if it cannot be read"),
        ],
        seeAlso: ["aasa-links-check(1)"])

    /// The services and files that links come from.
    enum Origin: String, ExpressibleByArgument, CaseIterable {
        case firebase, csv, urls
        case branch = "branch-csv"

        var format: LinkExport.Format {
            switch self {
            case .firebase: .firebase
            case .branch: .branch
            case .csv, .urls: .table
            }
        }
    }

    @Option(help: "Set what the file is.")
    var from: Origin

    @Argument(help: ArgumentHelp("The export; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("Take the links of this domain (default: the only one of the file).", valueName: "host"),
        transform: LinkDomain.read)
    var domain: Domain?

    @Option(
        help: ArgumentHelp(
            "Set the app's name on pages (default: the first label of the domain).", valueName: "app-name"))
    var name: String?

    @Flag(help: "Import archived links, too.")
    var archived = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try CommandFailure.reporting(in: .text, "aasa links import", output, importLinks)
    }

    private func importLinks() throws {
        let command = "aasa links import --from \(from.rawValue) -"
        let bytes = try AssociationFile.content(file, for: command)
        guard bytes.count <= FileSizes.read else {
            throw CommandFailure(
                status: .unusableData, code: .unusableFile,
                message: "'\(InputFile.name(file))' has more than \(grouped(FileSizes.read)) bytes")
        }
        let export: LinkExport
        if from == .urls {
            export = try answered(ShortLinkList(bytes, path: InputFile.name(file)))
        } else {
            export = LinkExport(bytes, path: InputFile.name(file), as: from.format)
        }
        let options = ImportedLinks.Options(domain: domain, appName: name, keepsArchived: archived)
        let result = ImportedLinks(export, as: from.format, options)
        if result.needsName {
            throw CommandFailure.usage(
                "the pages show the name of the app, which the file does not tell; give --name, or --domain")
        }
        if let text = result.text { StandardOutput.print(text.hasSuffix("\n") ? [String(text.dropLast())] : [text]) }
        let path = InputFile.name(file)
        let notes = result.notes + ["\(counted(result.count, "link")) imported"]
        let report = Report([result.report], fileCount: 1, notes: notes.map { Report.Note(path: path, message: $0) })
        StandardError.writeShown(TextRenderer(style: output.errorStyle, width: output.errorWidth).render(report))
        if result.text == nil { throw ExitStatus.unusableData.code }
        if result.hasErrors { throw ExitStatus.failed.code }
    }

    /// Asks the links of a list.
    private func answered(_ list: ShortLinkList) throws -> LinkExport {
        guard list.links.count <= LinkLimits.maxLinks else {
            throw CommandFailure(
                status: .unusableData, code: .unusableFile,
                message: "'\(InputFile.name(file))' has more than \(grouped(LinkLimits.maxLinks)) links; split it")
        }
        let examination: ShortLinkExamination
        do {
            examination = try ShortLinkExamination(
                ExaminationSettings(version: AASA.version), trust: try TrustStore(additional: nil))
        } catch let library as MissingLibrary {
            throw CommandFailure(
                status: .unavailable, code: .missingLibrary, message: "\(library)", help: library.help)
        }
        return LinkExport(list, BlockingTask.run { await examination.answers(to: list) })
    }
}

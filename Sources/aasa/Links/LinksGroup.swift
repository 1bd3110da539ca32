import AppSiteAssociation
import ArgumentParser
import AssociationFiles
import CommandLineSupport
import Diagnostics
import DomainNames
import JSONSyntax
import LinkPages
import SystemSupport

/// `aasa links`: the commands about link pages and short links.
struct LinksGroup: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Check, try and import link pages and short links (links.json).",
        discussion: manual.discussion(
            """
            A links.json beside an association file says what people get who open a link and do not have the app. 'aasa \
            serve' answers with it; docs/link-pages.md describes it.
            """),
        subcommands: [LinksCheck.self, LinksResolve.self, LinksQR.self, LinksImport.self])

    static let manual = CommandManual(
        examples: [
            .init(
                "aasa links check sites/go.example.com/links.json", "check a file and the association files beside it"),
            .init("aasa links resolve links.json https://go.example.com/summer", "show what a URL gets"),
            .init("aasa links import --from firebase links.csv", "import an export of Firebase Dynamic Links"),
        ],
        exits: [
            .init(.done, "if it succeeded"),
            .init(.failed, "if errors were found, or rows of an export were left out because of errors"),
            .init(.usage, "if a URL or an option is wrong"),
            .init(.unusableData, "if a file cannot be used because of its errors"),
            .init(.missingFile, "if a file cannot be read"),
        ],
        seeAlso: ["aasa-serve(1)", "aasa-validate(1)"])
}

/// The domain of a `links.json`, as an option.
enum LinkDomain {
    static func read(_ text: String) throws -> Domain {
        do throws(DomainError) {
            return try Domain(text: text)
        } catch {
            throw ValidationError("--domain: '\(text)' \(error.message)" + (error.help.map { "; \($0)" } ?? ""))
        }
    }
}

/// A `links.json` that a command was given, and the files around it.
struct LinksInput {
    let bytes: [UInt8]
    /// The name of the file in messages.
    let name: String
    /// None beside standard input.
    private(set) var neighbours = LinkNeighbours()

    /// - Parameter command: The command with `-` for the file.
    init(_ path: String, for command: String) throws(CommandFailure) {
        bytes = try AssociationFile.content(path, for: command)
        name = InputFile.name(path)
        if path != "-" { neighbours = LinkNeighbours(ofFileAt: path) }
    }

    /// The file with what a URL gets.
    ///
    /// - Parameter domain: nil for the name of the folder.
    func table(domain: Domain?) throws(CommandFailure) -> (document: LinksDocument, table: LinksTable) {
        let document = neighbours.surroundings(domain: domain).document(bytes, path: name)
        guard let content = document.content else {
            throw .unusable(FileReport(document.source, document.diagnostics.filter { $0.severity >= .error }))
        }
        return (document, LinksTable(content))
    }
}

import ArgumentParser
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import JSONSyntax

struct Schema: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of a file, for editors.",
        discussion: manual.discussion(
            """
            KIND is aasa (an association file, the default), assetlinks, server (server.json), config (.aasa.json) or cases \
            (a list for 'aasa test'). The schema is draft-07 and means the same under 2020-12. It rejects what has the wrong \
            shape or type; 'aasa validate' finds much more.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa schema >aasa.schema.json", "write the schema of association files"),
            .init("aasa schema server", "show that of server.json"),
        ],
        exits: [.init(.done, "if the schema is printed"), .init(.usage, "if there is no such kind")],
        seeAlso: ["aasa-validate(1)"])

    @Argument(help: ArgumentHelp("The kind of file (default: aasa).", valueName: "kind"), completion: .list(Kind.names))
    var kind: Kind = .aasa

    @Option(help: ArgumentHelp("The URL at which the schema is published, for its $id.", valueName: "url"))
    var id: String?

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case aasa, assetlinks, server, config, cases

        static let names = allCases.map(\.rawValue)
        /// The names of the files themselves.
        private static let files: [String: Kind] = [
            "apple-app-site-association": .aasa, "assetlinks.json": .assetlinks, "server.json": .server,
            ".aasa.json": .config, "aasa.json": .config, "cases.json": .cases,
        ]

        init?(argument: String) {
            guard let kind = Kind(rawValue: argument) ?? Self.files[argument] else { return nil }
            self = kind
        }

        var schema: JSONSchema {
            switch self {
            case .aasa: AssociationSchema.schema
            case .assetlinks: AssetLinksSchema.schema
            case .server: ServerConfiguration.schema
            case .config: LintConfiguration.schema(AllRules.catalogue)
            case .cases: CaseList.schema
            }
        }
    }

    func run() { StandardOutput.print([kind.schema.document(id: id)]) }
}

import Android
import AppSiteAssociation
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import PatternAnalysis

struct AndroidComponents: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "components",
        abstract: "Write what an association file says for an app as dynamic rules for Android 15 and later.",
        discussion: manual.discussion(
            """
            The result is the list for 'dynamic_app_link_components', or with --package a whole statement for \
            assetlinks.json, in which the fingerprint has to be replaced. It never opens a link on Android that iOS leaves \
            in the browser. Links that open on iOS only, because Android's rules cannot say the same, are listed with an \
            example. The result is compared with the file before it is written.
            """)
    )

    static let exits: [CommandManual.Exit] = [
        .init(.failed, "if the result opens fewer links than the file"),
        .init(.unusableData, "if the file is not valid JSON"), .init(.missingFile, "if it cannot be read"),
    ]

    static let manual = CommandManual(
        examples: [
            .init(
                "aasa android components apple-app-site-association --app ABCDE12345.com.example.app",
                "write the list of components"),
            .init(
                "aasa android components aasa.json --app ABCDE12345.com.example.app --package com.example.app",
                "write a statement for assetlinks.json"),
        ],
        exits: [.init(.done, "if the result says the same as the file")] + exits,
        seeAlso: ["aasa-diff(1)", "aasa-android-fingerprint(1)"])

    @Argument(help: ArgumentHelp("The association file; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Name the app of the association file.", valueName: "app-id"))
    var app: String

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp("Write a whole statement for this Android app.", valueName: "name"))
    var packageName: String?

    @Option(help: "Set the output format.")
    var format = ResultFormat.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let packageName, !AndroidPackageName.isValid(packageName) {
            throw ValidationError("--package: '\(packageName)' is not the package name of an Android app")
        }
    }

    func run() throws {
        try CommandFailure.reporting(in: format.failures, "aasa android components", output, convert)
    }

    private func convert() throws {
        let document = try AssociationFile.read(file, for: "aasa android components -")
        if format == .text { FileErrors(document).warn() }
        _ = try PlatformSelection.checked(app, in: document)
        let conversion = ComponentConversion(document, app: app)
        if let witness = conversion.wrongWitness {
            throw CommandFailure(
                status: .internalError, code: .unusableFile,
                message: "the components would open '\(witness)' on Android only, which is a bug; nothing was written",
                help: "report it with the file")
        }
        let text = ComponentText(conversion, package: packageName)
        format.print([text.text], json: text.json)
        if format == .text {
            let renderer = TextRenderer(style: output.errorStyle, width: output.errorWidth)
            for finding in ConversionRules.findings(conversion) {
                for line in renderer.render(finding, in: document.source) { StandardError.writeShown(line) }
            }
        }
        if !conversion.differences.isEmpty || !conversion.undecided.isEmpty { throw ExitStatus.failed.code }
    }
}

/// Dynamic rules as JSON.
struct ComponentText {
    private let conversion: ComponentConversion
    private let package: String?

    /// The text in the place of a fingerprint.
    private static let fingerprint = "REPLACE:WITH:SHA-256"

    init(_ conversion: ComponentConversion, package: String?) {
        self.conversion = conversion
        self.package = package
    }

    /// For people, ready to paste.
    var text: String {
        guard let package else { return list(indent: "") }
        let relation = AssetLinksStatement.handleAllURLs
        return """
            {
              "relation": ["\(relation)"],
              "target": {
                "namespace": "android_app",
                "package_name": \(Self.quoted(package)),
                "sha256_cert_fingerprints": ["\(Self.fingerprint)"]
              },
              "relation_extensions": {
                "\(relation)": {
                  "\(DynamicRules.listKey)": \(list(indent: "      "))
                }
              }
            }
            """
    }

    private func list(indent: String) -> String {
        let lines = conversion.components.map { "\(indent)  { \(Self.members($0).joined(separator: ", ")) }" }
        return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    }

    private static func members(_ component: ComponentConversion.Component) -> [String] {
        var members: [String] = []
        if let path = component.path { members.append("\"/\": \(quoted(path))") }
        if !component.query.isEmpty {
            let items = component.query.map { "\(quoted($0.name)): \(quoted($0.value))" }
            members.append("\"?\": { \(items.joined(separator: ", ")) }")
        }
        if let fragment = component.fragment { members.append("\"#\": \(quoted(fragment))") }
        if component.excludes { members.append("\"exclude\": true") }
        return members
    }

    private static func quoted(_ text: String) -> String { JSONOutput.string(text).text }

    /// For programs.
    var json: [String: JSONOutput] {
        let components = JSONOutput.array(conversion.components.map(Self.object))
        return [
            "components": components, "statement": statement(components),
            "differences": .array(
                conversion.differences.map { difference in
                    .object([
                        "kind": .string(PlatformComparison.Change.Kind.onlyIOS.rawValue),
                        "witness": .string(difference.witness), "pointer": .optional(difference.rule?.pointer),
                        "line": difference.rule.map { .number($0.position.line) } ?? .null,
                        "reason": .string(difference.reason),
                    ])
                }),
            "undecided": .array(
                conversion.undecided.map { rule in
                    .object(["pointer": .string(rule.pointer), "line": .number(rule.position.line)])
                }),
        ]
    }

    private func statement(_ components: JSONOutput) -> JSONOutput {
        guard let package else { return .null }
        let relation = AssetLinksStatement.handleAllURLs
        return .object([
            "relation": .array([.string(relation)]),
            "target": .object([
                "namespace": .string("android_app"), "package_name": .string(package),
                "sha256_cert_fingerprints": .array([.string(Self.fingerprint)]),
            ]),
            "relation_extensions": .object([relation: .object([DynamicRules.listKey: components])]),
        ])
    }

    private static func object(_ component: ComponentConversion.Component) -> JSONOutput {
        var members: [String: JSONOutput] = [:]
        if let path = component.path { members["/"] = .string(path) }
        if !component.query.isEmpty {
            members["?"] = .object(
                Dictionary(
                    component.query.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { first, _ in first }))
        }
        if let fragment = component.fragment { members["#"] = .string(fragment) }
        if component.excludes { members["exclude"] = .boolean(true) }
        return .object(members)
    }
}

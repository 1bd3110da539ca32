import Android
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
        abstract: "Show which links change when one file replaces another, or differ between iOS and Android.",
        discussion: manual.discussion(
            """
            Compares the meaning of the files, not their text: whether each possible URL opens an app, and which apps. \
            Each change is shown with a URL that proves it. Changes to services without links are shown as notes and do \
            not count. The files are association files for iOS, or asset links files for Android.

            --platforms compares an association file with an asset links file: which links open on one platform only, by \
            the dynamic rules of Android 15 and later, by the intent filters of manifests, or by both.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa diff old.json new.json", "show which links change"),
            .init("git show HEAD:aasa.json | aasa diff - aasa.json", "compare a file with its last commit"),
            .init(
                "aasa diff --platforms apple-app-site-association assetlinks.json",
                "show which links open on one platform only"),
            .init(
                "aasa diff --platforms --manifest AndroidManifest.xml aasa.json assetlinks.json",
                "decide by the intent filters of the Android app, too"),
        ],
        exits: [
            .init(.done, "if no link changes"), .init(.failed, "if some do"),
            .init(.unusableData, "if a file is not valid JSON, or does not decide the links"),
            .init(.missingFile, "if one cannot be read"),
        ],
        seeAlso: ["aasa-route(1)", "aasa-validate(1)"])

    @Argument(
        help: ArgumentHelp("The old file; - is standard input.", valueName: "old"),
        completion: .file())
    var old: String

    @Argument(
        help: ArgumentHelp("The new file; with --platforms, the asset links file.", valueName: "new"),
        completion: .file())
    var new: String

    @Option(
        help: ArgumentHelp(
            "Set the domain of the URLs that are shown, e.g. shop.example or *.shop.example (default: example.com).",
            valueName: "host"))
    var domain: String?

    @Flag(help: "Compare iOS with Android: an association file with an asset links file.")
    var platforms = false

    @OptionGroup var selection: PlatformSelection

    @Option(help: "Set the output format; github writes annotations for GitHub Actions.")
    var format = CommandFailure.Format.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if old == "-", new == "-" { throw ValidationError("standard input cannot be both files; name one of them") }
        if ([old, new] + selection.manifests.files).count(where: { $0 == "-" }) > 1 {
            throw ValidationError("standard input can be read only once")
        }
        if !platforms, let option = selection.firstOption { throw ValidationError("\(option) needs --platforms") }
        _ = try host
    }

    /// The host of the URLs; with a wildcard one of the hosts that it stands for.
    private var host: String {
        get throws {
            _ = try domain.map(DomainOption.read)
            return DomainName.exampleHost(of: domain)
        }
    }

    func run() throws {
        try CommandFailure.reporting(in: format, "aasa diff", output, compare)
    }

    private func compare() throws {
        let oldBytes = try AssociationFile.content(old, for: "aasa diff - \(new)")
        let newBytes = try AssociationFile.content(new, for: "aasa diff \(old) -")
        switch (FileKind(path: old, oldBytes), FileKind(path: new, newBytes)) {
        case (.association, .assetLinks) where platforms: try comparePlatforms(oldBytes, newBytes)
        case _ where platforms:
            throw CommandFailure(
                status: .usage, code: .usage,
                message: "--platforms compares an association file with an asset links file",
                help:
                    "give the association file first: aasa diff --platforms apple-app-site-association assetlinks.json")
        case (.association, .assetLinks), (.assetLinks, .association):
            throw CommandFailure(
                status: .usage, code: .usage,
                message: "'\(InputFile.name(old))' and '\(InputFile.name(new))' are files for different platforms",
                help: "to see which links open on one platform only: aasa diff --platforms FILE ASSETLINKS")
        case (.assetLinks, .assetLinks): try compareAssetLinks(oldBytes, newBytes)
        default: try compareAssociations(oldBytes, newBytes)
        }
    }

    private func comparePlatforms(_ file: [UInt8], _ assetLinks: [UInt8]) throws {
        let document = try AssociationFile.document(file, path: old)
        let links = try AssetLinksInput.document(assetLinks, path: new)
        let errors = FileErrors(document)
        if format != .json { errors.warn() }
        let manifests = try selection.manifests.read(
            for: links, api: selection.api, "aasa diff --platforms \(old) \(new) --manifest -")
        let host = try (domain == nil ? selection.host(manifests) : nil) ?? host
        let comparison = PlatformComparison(
            document, app: try selection.app(of: document),
            android: try selection.apps(of: links, manifests, host: host), host: host)
        let report = DiffReport(
            comparison, document.source.path, assetLinks: links.source.path,
            manifest: manifests.count == 1 ? manifests.values.first?.source.path : nil)
        try finish(report, comparison.json)
    }

    private func compareAssetLinks(_ oldBytes: [UInt8], _ newBytes: [UInt8]) throws {
        let oldLinks = try AssetLinksInput.document(oldBytes, path: old)
        let newLinks = try AssetLinksInput.document(newBytes, path: new)
        for links in [oldLinks, newLinks] { AssetLinksInput.warn(links) }
        let comparison = AssetLinksComparison(old: oldLinks, new: newLinks, host: try host)
        try finish(
            DiffReport(comparison, old: oldLinks.source.path, new: newLinks.source.path), comparison.json)
    }

    /// Writes what was found; differences fail the command.
    private func finish(_ report: DiffReport, _ json: @autoclosure () -> JSONOutput) throws {
        let text =
            switch format {
            case .json: json().text
            case .text: report.lines(output.style, width: output.width).joined(separator: "\n")
            case .github: report.github
            case .junit: report.junit
            }
        StandardOutput.print(text.isEmpty ? [] : [text])
        if !report.isEmpty { throw ExitStatus.failed.code }
    }

    private func compareAssociations(_ oldBytes: [UInt8], _ newBytes: [UInt8]) throws {
        let oldDocument = try AssociationFile.document(oldBytes, path: old)
        let newDocument = try AssociationFile.document(newBytes, path: new)
        let errors = (old: FileErrors(oldDocument), new: FileErrors(newDocument))
        if format != .json {
            errors.old.warn()
            errors.new.warn()
        }
        let comparison = LinkComparison(old: oldDocument, new: newDocument, host: try host)
        try finish(
            DiffReport(comparison, old: oldDocument.source.path, new: newDocument.source.path),
            comparison.json(fileErrors: (errors.old.count, errors.new.count)))
    }
}

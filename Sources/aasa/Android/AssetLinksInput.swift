import AppSiteAssociation
import ArgumentParser
import AssetLinks
import AssociationLint
import CommandLineSupport
import Diagnostics
import JSONSyntax

/// Asset links files that a command has to be able to read.
enum AssetLinksInput {
    /// The document in what was read of a file, without repairs.
    static func document(_ bytes: [UInt8], path: String) throws(CommandFailure) -> AssetLinksDocument {
        let json = JSONReader.read(bytes, path: InputFile.name(path), limits: .assetLinksFile)
        guard json.isUsableWithoutRepairs, let root = json.root else {
            throw .unusable(FileReport(json.source, json.fatalFindings))
        }
        guard root.array != nil else {
            let errors = Linter().checkAssetLinks(bytes).diagnostics.filter { $0.severity == .error }
            throw .unusable(FileReport(json.source, errors))
        }
        return AssetLinksDocument(json)
    }

    /// Says on standard error what makes the file say less than it seems to.
    static func warn(_ document: AssetLinksDocument) {
        let path = VisibleText.escaped(document.source.path)
        if document.hasInclude { StandardError.write("warning: \(path) includes another list, which is not read") }
        for app in document.apps where app.isDiscarded {
            StandardError.write(
                "warning: Android drops the dynamic rules of \(VisibleText.escaped(app.package)) in \(path); "
                    + "run 'aasa validate \(path)'")
        }
    }
}

/// The apps and the device for which platforms are compared.
struct PlatformSelection: ParsableArguments {
    @Option(help: ArgumentHelp("Look at this app of the association file only.", valueName: "app-id"))
    var app: String?

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp("Look at this app of the asset links file only.", valueName: "name"))
    var packageName: String?

    @Option(
        help: ArgumentHelp(
            "Set the Android version of the device (default: 35, which is Android 15).", valueName: "level"))
    var api: Int?

    /// The first API level whose systems read dynamic rules.
    private static let firstAPI = 35

    /// An option that was given; nil if none was.
    var firstOption: String? {
        app != nil ? "--app" : packageName != nil ? "--package" : api != nil ? "--api" : nil
    }

    /// The app to look at, if it is in the document; nil for all.
    func app(of document: AssociationDocument) throws(CommandFailure) -> String? {
        guard let app else { return nil }
        return try Self.checked(app, in: document)
    }

    /// An app that has to be in the document.
    static func checked(_ app: String, in document: AssociationDocument) throws(CommandFailure) -> String {
        let named = (document.appLinks?.details ?? []).flatMap(\.appIDs).map(\.value)
        guard named.contains(where: { $0.utf8.elementsEqual(app.utf8) }) else {
            throw .usage("--app: '\(document.source.path)' does not name \(quoted(app)); \(list(named))")
        }
        return app
    }

    private static func list(_ names: [String]) -> String {
        var seen = Set<String>()
        let distinct = names.filter { seen.insert($0).inserted }
        guard !distinct.isEmpty else { return "it names none" }
        return "it names " + distinct.prefix(5).map { quoted($0) }.joined(separator: ", ")
            + (distinct.count > 5 ? " and \(grouped(distinct.count - 5)) more" : "")
    }

    /// The apps of an asset links file with the dynamic rules in force, which decide their links.
    func apps(of document: AssetLinksDocument) throws(CommandFailure) -> [(
        package: String, components: [DynamicComponent]
    )] {
        let path = document.source.path
        let apps = document.apps.filter { packageName == nil || $0.package == packageName }
        if let packageName, apps.isEmpty {
            throw .usage(
                "--package: '\(path)' lets no app \(quoted(packageName)) handle links; \(Self.list(document.apps.map(\.package)))"
            )
        }
        func unknown(_ message: String, _ help: String) -> CommandFailure {
            CommandFailure(
                status: .unusableData, code: .unusableFile, message: message, help: help, path: path)
        }
        let manifest = "without dynamic rules the manifest decides: give --manifest"
        if document.hasInclude, packageName == nil {
            throw unknown(
                "'\(path)' includes another list, which is not read", "name an app of the file with --package")
        }
        if let api, api < Self.firstAPI, !apps.isEmpty {
            throw unknown(
                "systems of API level \(api) read no dynamic rules; those of \(Self.firstAPI) and later do", manifest)
        }
        var result: [(package: String, components: [DynamicComponent])] = []
        for app in apps {
            guard let components = app.components else {
                throw unknown(
                    app.isDiscarded
                        ? "Android drops the dynamic rules of \(quoted(app.package)) in '\(path)'"
                        : "'\(path)' has no dynamic rules for \(quoted(app.package))", manifest)
            }
            result.append((app.package, components))
        }
        return result
    }
}

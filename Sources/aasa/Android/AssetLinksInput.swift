import Android
import AppSiteAssociation
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import JSONSyntax
import PatternAnalysis

/// Asset links files that a command has to be able to read.
enum AssetLinksInput {
    /// The document in what was read of a file, without repairs.
    static func document(_ bytes: [UInt8], path: String) throws(CommandFailure) -> AssetLinksDocument {
        do throws(UnusableFile) {
            return try AssociationFile.reader.assetLinks(bytes, path: InputFile.name(path))
        } catch {
            throw .unusable(error.report)
        }
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

    @OptionGroup var manifests: ManifestOptions

    @OptionGroup var device: DeviceOption

    var api: Int? { device.api }

    /// The first API level whose systems read dynamic rules.
    private static let firstAPI = 35

    /// An option that was given; nil if none was.
    var firstOption: String? {
        let given = [("--app", app != nil), ("--package", packageName != nil), ("--api", api != nil)] + manifests.given
        return given.first(where: \.1)?.0
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

    /// The clause about the names that a file has.
    static func list(_ names: [String]) -> String {
        var seen = Set<String>()
        let distinct = names.filter { seen.insert($0).inserted }
        guard !distinct.isEmpty else { return "it names none" }
        return "it names " + distinct.prefix(5).map { quoted($0) }.joined(separator: ", ")
            + (distinct.count > 5 ? " and \(grouped(distinct.count - 5)) more" : "")
    }

    /// The apps of an asset links file, with what decides their links.
    ///
    /// - Parameters:
    ///   - manifests: The manifests that are given, by package.
    ///   - host: The host of the links, in lower case and in Punycode.
    func apps(
        of document: AssetLinksDocument, _ manifests: [String: (manifest: AppManifest, source: SourceText)],
        host: String
    ) throws(CommandFailure) -> [ComparedAndroidApp] {
        let path = document.source.path
        if let packageName { try ManifestOptions.check(packageName, "--package", document) }
        let apps = document.apps.filter { packageName == nil || $0.package == packageName }
        func unknown(_ message: String, _ help: String) -> CommandFailure {
            CommandFailure(
                status: .unusableData, code: .unusableFile, message: message, help: help, path: path)
        }
        let help = "without dynamic rules the manifest decides: give --manifest"
        if document.hasInclude, packageName == nil {
            throw unknown(
                "'\(path)' includes another list, which is not read", "name an app of the file with --package")
        }
        var result: [ComparedAndroidApp] = []
        for app in apps {
            let manifest = manifests[app.package]
            if let manifest { try Self.check(manifest.manifest, manifest.source, host) }
            let isTooOld = (api ?? Self.firstAPI) < Self.firstAPI
            let components = isTooOld ? nil : app.components
            guard components != nil || manifest != nil else {
                if isTooOld, let api {
                    throw unknown(
                        "systems of API level \(api) read no dynamic rules; those of \(Self.firstAPI) and later do",
                        help)
                }
                throw unknown(
                    app.isDiscarded
                        ? "Android drops the dynamic rules of \(quoted(app.package)) in '\(path)'"
                        : "'\(path)' has no dynamic rules for \(quoted(app.package))", help)
            }
            result.append(ComparedAndroidApp(app.package, components: components, manifest: manifest))
        }
        return result
    }

    /// Makes sure that no value of a manifest is known only in a build.
    private static func check(
        _ manifest: AppManifest, _ source: SourceText, _ host: String
    ) throws(CommandFailure) {
        guard case .unresolved(let filter, let value) = manifest.rules(for: host) else { return }
        let line = filter.map { ":\(source.position(at: $0.range.start).line)" } ?? ""
        throw CommandFailure(
            status: .unusableData, code: .unusableFile,
            message: "\(source.path)\(line): \(value.map { quoted($0) } ?? "a value") of "
                + "\(filter == nil ? "the filters" : "this filter") is known only in a build",
            help: value.map { manifest.advice(about: $0) } ?? "give it with --define NAME=VALUE", path: source.path)
    }

    /// The host of the URLs, where no option sets it: the one whose links the apps ask for.
    func host(
        _ manifests: [String: (manifest: AppManifest, source: SourceText)]
    ) throws(CommandFailure) -> String? {
        guard !manifests.isEmpty else { return nil }
        let hosts = Set(manifests.values.flatMap { $0.manifest.verifiedHosts }).sorted()
        if hosts.count == 1 { return hosts[0] }
        let unresolved = manifests.sorted { $0.key < $1.key }.lazy.compactMap { _, entry in
            entry.manifest.unresolvedHost.map { (raw: $0, manifest: entry.manifest) }
        }.first
        throw .usage(
            hosts.isEmpty
                ? "--manifest: no filter asks for the verification of a host by its name; set the host with --domain"
                    + (unresolved.map {
                        ", or \($0.manifest.advice(about: $0.raw, name: quoted($0.raw) + " its value"))"
                    } ?? "")
                : "--manifest: the filters are for \(counted(hosts.count, "host")), such as \(hosts[0]); "
                    + "set one of them with --domain")
    }
}

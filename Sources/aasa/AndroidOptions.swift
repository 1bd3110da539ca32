import AndroidManifest
import AndroidRouting
import AppProjects
import AppSiteAssociation
import ArgumentParser
import AssetLinks
import AssociationLint
import CommandLineSupport
import Diagnostics
import JSONSyntax
import SystemSupport
import URLPatterns
import UniversalLinks

/// The options about the Android side of links, of `aasa route` and `aasa test`.
struct AndroidOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Decide for Android, too, by this asset links file; - is standard input.", valueName: "assetlinks"),
        completion: .file())
    var android: String?

    @Option(
        help: ArgumentHelp(
            "Read the AndroidManifest.xml of an app (repeatable; PACKAGE= for one without a package).",
            valueName: "[package=]manifest"),
        completion: .file())
    var manifest: [String] = []

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp("Decide for this Android app only (repeatable).", valueName: "name"))
    var packages: [String] = []

    @Option(
        help: ArgumentHelp(
            "Set the Android version of the device (default: 35, which is Android 15).", valueName: "level"))
    var api: Int?

    @Option(
        help: ArgumentHelp(
            "Give @string/NAME and ${NAME} in manifests a value (repeatable).", valueName: "name=value"))
    var define: [String] = []

    /// The files that standard input can be.
    var files: [String] { [android].compactMap { $0 } + manifest.map { Self.manifest($0).path } }

    func validate() throws {
        if let api, !(1...10_000).contains(api) {
            throw ValidationError("--api: \(api) is not an API level; write it as 35, which is Android 15")
        }
        for text in define where !text.dropFirst().contains("=") {
            throw ValidationError("--define: \(quoted(text)) has no value; write it as NAME=VALUE")
        }
    }

    /// Says which of these options needs a file that is not there; call it where no file is one of asset links.
    func checkUnused() throws(CommandFailure) {
        let unused =
            !manifest.isEmpty
            ? "--manifest" : !packages.isEmpty ? "--package" : api != nil ? "--api" : !define.isEmpty ? "--define" : nil
        if let unused { throw .usage("\(unused) needs an asset links file: give it with --android") }
    }

    /// The parts of an argument of `--manifest`; a text before `=` that is no package is part of the path.
    private static func manifest(_ argument: String) -> (package: String?, path: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, AndroidPackageName.isValid(parts[0]) else { return (nil, argument) }
        return (parts[0], parts[1])
    }

    private var values: BuildValues {
        BuildValues(
            Dictionary(
                define.map { text in
                    let mark = text.firstIndex(of: "=") ?? text.endIndex
                    return (String(text[..<mark]), String(text[mark...].dropFirst()))
                }, uniquingKeysWith: { _, last in last }))
    }

    /// The router for a file of asset links.
    ///
    /// - Parameters:
    ///   - domain: Whose file it is, as it was given; nil if it is taken for that of any host.
    ///   - command: The command with `-` for a manifest.
    func router(_ document: AssetLinksDocument, domain: String?, for command: String) throws -> AndroidRouter {
        let named = document.apps.map(\.package)
        func check(_ package: String, _ option: String) throws(CommandFailure) {
            guard !named.contains(package) else { return }
            let list = named.prefix(5).map { quoted($0) }.joined(separator: ", ")
            throw .usage(
                "\(option): '\(document.source.path)' lets no app \(quoted(package)) handle links; "
                    + (named.isEmpty ? "it names none" : "it names \(list)"))
        }
        for package in packages { try check(package, "--package") }
        var manifests: [String: AndroidRouter.Manifest] = [:]
        for argument in manifest {
            let (given, path) = Self.manifest(argument)
            let file = try Self.read(path, for: command)
            let manifest = AppManifest(file.root, api: api ?? ManifestDecisions.api, values: values)
            guard let package = given ?? manifest.package ?? (named.count == 1 ? named.first : nil) else {
                throw CommandFailure.usage(
                    "--manifest: '\(InputFile.name(path))' does not name its app; write --manifest PACKAGE=\(path)")
            }
            try check(package, "--manifest")
            guard manifests[package] == nil else {
                throw CommandFailure.usage(
                    "--manifest: there are two manifests of \(quoted(package)); give the merged one")
            }
            manifests[package] = AndroidRouter.Manifest(manifest, source: file.source)
        }
        let name = try domain.map { try DomainName($0) }
        return AndroidRouter(
            document, manifests: manifests, packages: packages.isEmpty ? nil : Set(packages),
            api: api ?? ManifestDecisions.api,
            isForHost: { host in
                guard let name else { return true }
                return name.isWildcard ? host.hasSuffix(".\(name.ascii)") : host == name.ascii
            })
    }

    private static func read(_ path: String, for command: String) throws(CommandFailure) -> ManifestFile {
        let bytes = try AssociationFile.content(path, for: command)
        do throws(AppProjectError) {
            return try ManifestFile(bytes, path: InputFile.name(path))
        } catch {
            throw CommandFailure(
                status: error.code == .missingLibrary ? .unavailable : .unusableData, code: .unusableFile,
                message:
                    "\(error.position.map { "\(error.path):\($0.line):\($0.column)" } ?? error.path): \(error.message)",
                help: error.help, path: error.path)
        }
    }
}

/// A file of links that a command was given: for Apple's systems, or for Android.
enum LinkFile {
    case association(AssociationDocument)
    case assetLinks(AssetLinksDocument)

    /// Reads a file and finds out what it is, by its name and its content.
    static func read(_ path: String, for command: String) throws(CommandFailure) -> LinkFile {
        let bytes = try AssociationFile.content(path, for: command)
        guard FileKind(path: path, bytes) == .assetLinks else {
            return .association(try AssociationFile.document(bytes, path: path))
        }
        return .assetLinks(try document(bytes, path: path))
    }

    /// Reads a file of asset links.
    static func readAssetLinks(_ path: String, for command: String) throws(CommandFailure) -> AssetLinksDocument {
        try document(try AssociationFile.content(path, for: command), path: path)
    }

    private static func document(_ bytes: [UInt8], path: String) throws(CommandFailure) -> AssetLinksDocument {
        let name = InputFile.name(path)
        let json = JSONReader.read(bytes, path: name, limits: .assetLinksFile)
        guard json.isUsableWithoutRepairs, let root = json.root else {
            throw .unusable(FileReport(json.source, json.fatalFindings))
        }
        guard root.array != nil else {
            let result = Linter().checkAssetLinks(bytes, path: name)
            throw .unusable(FileReport(result.source, result.diagnostics.filter { $0.severity == .error }))
        }
        return AssetLinksDocument(root, source: json.source)
    }
}

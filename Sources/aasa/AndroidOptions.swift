import Android
import AppProjects
import AppSiteAssociation
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import UniversalLinks

/// The options about the Android side of links, of `aasa route` and `aasa test`.
struct AndroidOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Decide for Android, too, by this asset links file; - is standard input.", valueName: "assetlinks"),
        completion: .file())
    var android: String?

    @OptionGroup var manifests: ManifestOptions

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp("Decide for this Android app only (repeatable).", valueName: "name"))
    var packages: [String] = []

    @OptionGroup var device: DeviceOption

    /// The files that standard input can be.
    var files: [String] { [android].compactMap { $0 } + manifests.files }

    /// Says which of these options needs a file that is not there; call it where no file is one of asset links.
    func checkUnused() throws(CommandFailure) {
        let given = [("--package", !packages.isEmpty), ("--api", device.api != nil)] + manifests.given
        if let (unused, _) = given.first(where: \.1) {
            throw .usage("\(unused) needs an asset links file: give it with --android")
        }
    }

    /// The router for a file of asset links.
    ///
    /// - Parameters:
    ///   - domain: Whose file it is, as it was given; nil if it is taken for that of any host.
    ///   - command: The command with `-` for a manifest.
    ///   - other: A manifest that was given without an option.
    func router(
        _ document: AssetLinksDocument, domain: String?, for command: String, and other: ManifestFile? = nil
    ) throws -> AndroidRouter {
        for package in packages { try ManifestOptions.check(package, "--package", document) }
        let manifests = try manifests.read(for: document, api: device.api, command, and: other)
        let name = try domain.map { try DomainName($0) }
        return AndroidRouter(
            document, manifests: manifests.mapValues { AndroidRouter.Manifest($0.manifest, source: $0.source) },
            packages: packages.isEmpty ? nil : Set(packages),
            api: device.api ?? ManifestDecisions.api,
            isForHost: { name?.covers($0) ?? true })
    }

    /// The router for a manifest that was given in place of a file of links: with the asset links file of `--android`,
    /// or as if that of each host let the app handle links.
    func router(_ manifest: ManifestFile, domain: String?, for command: String) throws -> AndroidRouter {
        if let android {
            let document = try LinkFile.readAssetLinks(android, for: "\(command) --android -")
            return try router(document, domain: domain, for: "\(command) --manifest -", and: manifest)
        }
        guard manifests.manifest.isEmpty else {
            throw CommandFailure.usage(
                "'\(manifest.source.path)' is a manifest already; several need the file that names their apps: give an "
                    + "asset links file with --android")
        }
        let app = AppManifest(manifest.root, values: manifests.values).package ?? packages.first ?? "the app"
        return try router(
            AssetLinksDocument(assumedFor: app, source: manifest.source), domain: domain, for: command, and: manifest)
    }
}

/// `--api`: the device for which links are decided.
struct DeviceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Set the Android version of the device (default: 35, which is Android 15).", valueName: "level"))
    var api: Int?

    func validate() throws {
        if let api, !(1...10_000).contains(api) {
            throw ValidationError("--api: \(api) is not an API level; write it as 35, which is Android 15")
        }
    }
}

/// A file of links that a command was given: for Apple's systems, or for Android.
enum LinkFile {
    case association(AssociationDocument)
    case assetLinks(AssetLinksDocument)
    case manifest(ManifestFile)

    /// Reads a file and finds out what it is, by its name and its content.
    static func read(_ path: String, for command: String) throws(CommandFailure) -> LinkFile {
        let bytes = try AssociationFile.content(path, for: command)
        switch FileKind(path: path, bytes) {
        case .assetLinks: return .assetLinks(try AssetLinksInput.document(bytes, path: path))
        case .manifest: return .manifest(try ManifestOptions.file(bytes, path: path))
        default: return .association(try AssociationFile.document(bytes, path: path))
        }
    }

    /// Reads a file of asset links.
    static func readAssetLinks(_ path: String, for command: String) throws(CommandFailure) -> AssetLinksDocument {
        try AssetLinksInput.document(try AssociationFile.content(path, for: command), path: path)
    }
}

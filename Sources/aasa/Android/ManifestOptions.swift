import Android
import AppProjects
import ArgumentParser
import CommandLineSupport
import Diagnostics

/// The options about the manifests of Android apps.
struct ManifestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the AndroidManifest.xml of an app (repeatable; PACKAGE= for one without a package).",
            valueName: "[package=]manifest"),
        completion: .file())
    var manifest: [String] = []

    @Option(
        help: ArgumentHelp(
            "Give @string/NAME, @bool/NAME and ${NAME} in manifests a value (repeatable).", valueName: "name=value"))
    var define: [String] = []

    /// The files that standard input can be.
    var files: [String] { manifest.map { Self.packageAndPath($0).path } }

    /// The options, and whether they were given.
    var given: [(String, Bool)] { [("--manifest", !manifest.isEmpty), ("--define", !define.isEmpty)] }

    func validate() throws {
        for text in define where !text.dropFirst().contains("=") {
            throw ValidationError("--define: \(quoted(text)) has no value; write it as NAME=VALUE")
        }
    }

    /// The parts of an argument `[PACKAGE=]PATH`; a text before `=` that is no package is part of the path.
    static func packageAndPath(_ argument: String) -> (package: String?, path: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, AndroidPackageName.isValid(parts[0]) else { return (nil, argument) }
        return (parts[0], parts[1])
    }

    var values: BuildValues {
        BuildValues(
            Dictionary(
                define.map { text in
                    let mark = text.firstIndex(of: "=") ?? text.endIndex
                    return (String(text[..<mark]), String(text[mark...].dropFirst()))
                }, uniquingKeysWith: { _, last in last }))
    }

    /// Makes sure that an asset links file lets an app handle links.
    static func check(_ package: String, _ option: String, _ document: AssetLinksDocument) throws(CommandFailure) {
        let named = document.apps.map(\.package)
        guard !named.contains(package) else { return }
        throw .usage(
            "\(option): '\(document.source.path)' lets no app \(quoted(package)) handle links; "
                + PlatformSelection.list(named))
    }

    /// The manifests that are given, by the packages of their apps.
    ///
    /// - Parameters:
    ///   - document: The asset links file that names the apps.
    ///   - api: The version of Android on the device.
    ///   - command: The command with `-` for a manifest.
    ///   - other: A manifest that was given without an option.
    func read(
        for document: AssetLinksDocument, api: Int?, _ command: String, and other: ManifestFile? = nil
    ) throws(CommandFailure) -> [String: (manifest: AppManifest, source: SourceText)] {
        let named = document.apps.map(\.package)
        var manifests: [String: (manifest: AppManifest, source: SourceText)] = [:]
        var files: [(package: String?, path: String, file: ManifestFile)] = []
        if let other { files.append((nil, other.source.path, other)) }
        for argument in manifest {
            let (given, path) = Self.packageAndPath(argument)
            files.append((given, path, try Self.file(try AssociationFile.content(path, for: command), path: path)))
        }
        for (given, path, file) in files {
            let manifest = AppManifest(file.root, api: api ?? ManifestDecisions.api, values: values)
            guard let package = given ?? manifest.package ?? (named.count == 1 ? named.first : nil) else {
                throw .usage(
                    "--manifest: '\(InputFile.name(path))' does not name its app; write --manifest PACKAGE=\(path)")
            }
            try Self.check(package, "--manifest", document)
            guard manifests[package] == nil else {
                throw .usage("--manifest: there are two manifests of \(quoted(package)); give the merged one")
            }
            manifests[package] = (manifest, file.source)
        }
        return manifests
    }

    /// The manifest in what was read of a file.
    static func file(_ bytes: [UInt8], path: String) throws(CommandFailure) -> ManifestFile {
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

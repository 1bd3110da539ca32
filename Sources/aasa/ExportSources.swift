import AssociationFiles
import AssociationLint
import CommandLineSupport
import Diagnostics
import HostRecipes
import SystemSupport

/// The files that `aasa export` is given: read once, told apart, and checked as `aasa validate` checks them.
enum ExportSources {
    private struct File {
        let path: String
        let bytes: [UInt8]
        let kind: FileKind

        init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
            kind = Self.kind(path, bytes)
        }

        /// By what the text begins with; a name, or the contents, tell of what is not JSON.
        private static func kind(_ path: String, _ bytes: [UInt8]) -> FileKind {
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
            switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            case UInt8(ascii: "{"): return .association
            case UInt8(ascii: "["): return .assetLinks
            default: return FileKind(path: path, bytes)
            }
        }
    }

    /// - Parameters:
    ///   - paths: Those of the arguments; none for those that are there.
    ///   - isStrict: Whether warnings are errors.
    static func read(
        _ paths: [String], isStrict: Bool, _ output: OutputOptions
    ) throws(CommandFailure) -> ExportPlan.Sources {
        var files: [File] = []
        for path in try paths.isEmpty ? found(in: "") : whole(paths) {
            let bytes = try AssociationFile.content(path, for: "aasa export HOST -")
            files.append(File(path: path, bytes: bytes))
        }
        let association = try single(files, .association, "an association file (an object)")
        let links = try single(files, .assetLinks, "an assetlinks.json (an array)")
        try check(files, isStrict: isStrict, output)
        return ExportPlan.Sources(association: association?.bytes, links: links?.bytes)
    }

    /// The arguments with the files of a folder in its place.
    private static func whole(_ paths: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for path in paths {
            let isFolder = path != "-" && RawPath(argument: path).isFolder
            files += isFolder ? try found(in: path.hasSuffix("/") ? path : "\(path)/") : [path]
        }
        return files
    }

    /// The files in a folder, or else in its `.well-known`.
    ///
    /// - Parameter folder: Ends in a slash; empty for the working directory.
    private static func found(in folder: String) throws(CommandFailure) -> [String] {
        let names = [AssociationFileName.name, "assetlinks.json"]
        for inner in ["", ".well-known/"] {
            let found = names.map { folder + inner + $0 }.filter { !Path.isMissing($0) }
            if !found.isEmpty { return found }
        }
        let place = folder.isEmpty ? "here or in '.well-known'" : "in \(quoted(folder)) or in its '.well-known'"
        throw CommandFailure(
            status: .missingFile, code: .unreadableFile,
            message: "there is no '\(names[0])' or '\(names[1])' \(place)",
            help: "name the files: aasa export HOST FILE", path: folder.isEmpty ? nil : folder)
    }

    private static func single(
        _ files: [File], _ kind: FileKind, _ description: String
    ) throws(CommandFailure) -> File? {
        let found = files.filter { $0.kind == kind }
        guard found.count > 1 else { return found.first }
        let names = found.prefix(2).map { "'\(InputFile.name($0.path))'" }.joined(separator: " and ")
        throw CommandFailure.usage("\(names) are each \(description); a host has at most one")
    }

    /// Shows what is wrong with the files.
    private static func check(_ files: [File], isStrict: Bool, _ output: OutputOptions) throws(CommandFailure) {
        var run = ValidationRun(options: LintOptions(), configuration: nil, kind: nil, mode: .check, isSilent: false)
        for file in files { run.check(file.bytes, of: file.path) }
        let report = run.report
        if report.errorCount + report.warningCount > 0 {
            let renderer = TextRenderer(style: output.errorStyle, width: output.errorWidth)
            StandardError.writeShown(renderer.render(report))
        }
        guard report.errorCount > 0 || isStrict && report.warningCount > 0 else { return }
        throw CommandFailure(
            status: .failed, code: .unusableFile,
            message: "nothing is exported until this is fixed", shown: report.files)
    }
}

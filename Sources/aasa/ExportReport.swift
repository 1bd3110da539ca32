import AssociationFiles
import AssociationLint
import BoundedText
import CommandLineSupport
import Diagnostics
import HostRecipes
import SystemSupport

/// The text that `aasa export` prints.
struct ExportReport {
    private let plan: ExportPlan
    /// The folder that was written; nil if the configuration is only shown.
    private let folder: String?
    /// The outcome for each file; nil if none was written.
    private let outcomes: [ExportWriter.Outcome]?
    /// Warnings besides the notes for every export.
    let warnings: [String]

    init(_ plan: ExportPlan, folder: String?, outcomes: [ExportWriter.Outcome]?) {
        self.plan = plan
        self.folder = folder
        self.outcomes = outcomes
        let replaced = zip(plan.files, outcomes ?? []).filter { file, outcome in
            plan.recipe.isMerged && file.role == .configuration && outcome == .replaced
        }
        let root = folder ?? ""
        warnings =
            replaced.map { file, _ in
                "'\(Path.join(root, file.path))' was replaced, not merged: its other content is gone"
            } + plan.warnings
    }

    private var notes: [String] { Array(warnings.dropLast(plan.warnings.count)) + copies + plan.notes }

    /// That replacing files changes nothing that was deployed.
    private var copies: [String] {
        outcomes?.contains(.replaced) == true
            ? ["what is live may be a copy of the files that were replaced: deploy them again"] : []
    }

    var json: JSONOutput {
        let files = plan.files.enumerated().map { number, file in
            var members: [String: JSONOutput] = [
                "path": .string(file.path), "role": .string(file.role.rawValue),
                "content": file.role == .association ? .null : .string(String(text: file.bytes)),
            ]
            if let outcomes {
                members["status"] = .string(outcomes[number] == .unchanged ? "unchanged" : "written")
            }
            return JSONOutput.object(members)
        }
        return .object([
            "version": .number(1), "host": .string(plan.recipe.name), "title": .string(plan.recipe.title),
            "files": .array(files), "steps": .array(plan.steps.map(JSONOutput.string)),
            "notes": .array(notes.map(JSONOutput.string)), "checks": .array(plan.checks.map(JSONOutput.string)),
        ])
    }

    /// - Parameter width: The columns of the terminal that the steps go to; nil if there is none.
    func writeText(width: Int?) {
        var results = StandardOutput()
        if let outcomes, let folder {
            for (file, outcome) in zip(plan.files, outcomes) {
                let path = VisibleText.escaped(Path.join(folder, file.path))
                results.write(outcome == .unchanged ? "unchanged \(path)" : "wrote \(path)")
            }
            for line in advice(width) { results.write(line) }
            results.flush()
        } else {
            let shown = plan.files.filter { $0.role == .configuration }
            for (number, file) in shown.enumerated() {
                if shown.count > 1 { results.write("\(number > 0 ? "\n" : "")==> \(file.path) <==") }
                results.write(bytes: file.bytes)
            }
            results.flush()
            for line in advice(width) { StandardError.writeShown(line) }
        }
    }

    /// The steps, the notes and the checks.
    private func advice(_ width: Int?) -> [String] {
        let steps = plan.steps.enumerated().flatMap { number, step in
            Self.lines(step, mark: "\(number + 1).", width)
        }
        let notes = (copies + plan.notes.dropLast(plan.warnings.count)).flatMap { Self.lines($0, mark: "-", width) }
        return ["", "Next steps:"] + steps + (notes.isEmpty ? [] : ["", "Notes:"] + notes)
            + ["", "Check it when it is live:"] + plan.checks.map { "  \($0)" }
    }

    private static func lines(_ text: String, mark: String, _ width: Int?) -> [String] {
        let line = "  \(mark) \(VisibleText.escaped(text))"
        return width.map { WrappedText.lines(line, columns: $0, indent: 3 + mark.count) } ?? [line]
    }
}

extension ExportReport {
    static func writeList(_ format: ResultFormat) {
        let recipes = HostRecipe.all()
        let monitoring = MonitoringExport.allCases
        let width = (recipes.map(\.name) + monitoring.map(\.rawValue)).map(\.utf8.count).max() ?? 0
        let lines = recipes.map { recipe in
            let also = recipe.aliases.isEmpty ? "" : " (also: \(recipe.aliases.joined(separator: ", ")))"
            return "\(TerminalWidth.padded(recipe.name, to: width))  \(recipe.title)\(also)"
        }
        let others = monitoring.map { "\(TerminalWidth.padded($0.rawValue, to: width))  \($0.title)" }
        let hosts = recipes.map { recipe in
            JSONOutput.object([
                "name": .string(recipe.name), "title": .string(recipe.title),
                "aliases": .array(recipe.aliases.map(JSONOutput.string)),
                "files": .array(recipe.paths.map(JSONOutput.string)),
            ])
        }
        let exports = monitoring.map { export in
            JSONOutput.object([
                "name": .string(export.rawValue), "title": .string(export.title),
                "files": .array([.string(export.path)]),
            ])
        }
        format.print(
            lines + others,
            json: ["hosts": .array(hosts), "monitoring": .array(exports)])
    }
}

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

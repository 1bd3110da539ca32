import CommandLineSupport
import Diagnostics
import HostRecipes
import SystemSupport

/// What `aasa export` prints.
struct ExportReport {
    private let plan: ExportPlan
    /// The folder that was written; nil if the configuration is only shown.
    private let folder: String?
    /// What was done with each file.
    private let outcomes: [OutputTree.Outcome]?
    /// What is to be said besides the notes for every export.
    let warnings: [String]

    init(_ plan: ExportPlan, folder: String?, outcomes: [OutputTree.Outcome]?) {
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

    func writeJSON() {
        let files = plan.files.enumerated().map { number, file in
            var members: [String: JSONOutput] = [
                "path": .string(file.path), "role": .string(file.role.rawValue),
                "content": file.role == .association ? .null : .string(String(decoding: file.bytes, as: UTF8.self)),
            ]
            if let outcomes {
                members["status"] = .string(outcomes[number] == .unchanged ? "unchanged" : "written")
            }
            return JSONOutput.object(members)
        }
        var results = StandardOutput()
        results.write(
            JSONOutput.object([
                "version": .number(1), "host": .string(plan.recipe.name), "title": .string(plan.recipe.title),
                "files": .array(files), "steps": .array(plan.steps.map(JSONOutput.string)),
                "notes": .array(notes.map(JSONOutput.string)), "checks": .array(plan.checks.map(JSONOutput.string)),
            ]).text)
        results.flush()
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
    static func writeList(_ format: Export.Format) {
        let recipes = HostRecipe.all()
        var results = StandardOutput()
        switch format {
        case .json:
            let hosts = recipes.map { recipe in
                JSONOutput.object([
                    "name": .string(recipe.name), "title": .string(recipe.title),
                    "aliases": .array(recipe.aliases.map(JSONOutput.string)),
                    "files": .array(recipe.paths.map(JSONOutput.string)),
                ])
            }
            results.write(JSONOutput.object(["version": .number(1), "hosts": .array(hosts)]).text)
        case .text:
            let width = recipes.map(\.name.utf8.count).max() ?? 0
            for recipe in recipes {
                let padding = String(repeating: " ", count: width - recipe.name.utf8.count)
                let also = recipe.aliases.isEmpty ? "" : " (also: \(recipe.aliases.joined(separator: ", ")))"
                results.write("\(recipe.name)\(padding)  \(recipe.title)\(also)")
            }
        }
        results.flush()
    }
}

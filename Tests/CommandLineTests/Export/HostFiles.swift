import Foundation
import HostRecipes
import TestSupport

/// The data of `aasa export`, as it is in the repository: `make docs` writes what is generated from it.
enum HostFiles {
    static let folder = "Sources/HostRecipes/Hosts"

    static let all: [HostRecipe] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Repository.url(folder).path)) ?? []
        return names.sorted().compactMap { (try? Repository.text("\(folder)/\($0)")).flatMap(HostRecipe.init) }
    }()

    static func text(_ name: String) throws -> String { try Repository.text("\(folder)/\(name).txt") }

    /// The page for people who have one of the hosts.
    static func page() throws -> String {
        let plans = try all.map { recipe in
            try ExportPlan(
                recipe, ExportPlan.Sources(association: Array("{}".utf8), links: Array("[]".utf8)),
                installRoot: "/var/www/aasa", domain: "example.com", version: "")
        }
        var lines = ["| host | for | files |", "|---|---|---|"]
        for recipe in all {
            let aliases = recipe.aliases.map { ", `\($0)`" }.joined()
            let files = recipe.paths.map { "`\($0)`" }.joined(separator: ", ")
            lines.append("| [`\(recipe.name)`](#\(recipe.name))\(aliases) | \(recipe.title) | \(files) |")
        }
        for (recipe, plan) in zip(all, plans) { lines += section(recipe, plan) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ recipe: HostRecipe, _ plan: ExportPlan) -> [String] {
        let name = recipe.configurations.first?.path ?? ""
        var lines = ["", "## \(recipe.name)", "", "\(recipe.title). DIR is \(recipe.folder)."]
        if recipe.isMerged { lines[3] += " If there is a `\(name)` already, add what is exported to it by hand." }
        lines += ["", "```", "aasa export \(recipe.name) --domain example.com --out DIR", "```", ""]
        lines += plan.steps.enumerated().map { "\($0 + 1). \(escaped($1))" }
        lines += ["", "Worth knowing:", ""] + plan.notes.map { "- \(escaped($0))" }
        lines += ["", "Check it when it is live:", "", "```"] + plan.checks + ["```", ""]
        let tried = recipe.sources.filter { !$0.hasPrefix("https://") }.map { "T\($0.dropFirst()). " }
        let addresses = recipe.sources.filter { $0.hasPrefix("https://") }.map { "<\($0)>" }
        return lines + ["\(tried.joined())Sources, on \(recipe.checked): \(addresses.joined(separator: ", "))."]
    }

    /// The text with escapes for what Markdown would take for something else.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += "<>*`[]\\".contains($1) ? "\\\($1)" : String($1) }
    }
}

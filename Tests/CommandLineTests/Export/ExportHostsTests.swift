import Foundation
import HostRecipes
import TestSupport
import Testing

/// The data of `aasa export`: every file of `Sources/HostRecipes/Hosts`.
@Suite("hosts of aasa export", .waiting)
struct ExportHostsTests {
    private static let names = HostFiles.all.map(\.name)

    /// The program that parses a configuration, by the end of its path; nil where a server does, in the tests of that
    /// server, or where there is nothing to parse.
    private static let parsers: [String: (ExternalProgram, [String])?] = [
        "nginx.conf": nil, "apache.conf": nil, ".htaccess": nil, ".caddy": nil, ".cfg": nil, "_headers": nil,
        ".nojekyll": nil, "lighttpd.conf": nil, ".h2o.yaml": nil, "_redirects": nil,
        ".yml": (.ruby, ["-ryaml", "-e", "YAML.load_file(ARGV[0])"]), ".json": (.python, ["-m", "json.tool"]),
        ".config": (.python, ["-c", "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])"]),
        ".sh": (ExternalProgram("sh"), ["-n"]), ".cjs": (.node, ["--check"]), ".mjs": (.node, ["--check"]),
        ".py": (.python, ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"]), ".rb": (.ruby, ["-c"]),
        ".php": (.php, ["-l"]),
    ]

    private static let sources: [ExportPlan.Sources] = [
        ExportPlan.Sources(association: Array("{}".utf8)), ExportPlan.Sources(links: Array("[]".utf8)),
        ExportPlan.Sources(association: Array("{}".utf8), links: Array("[]".utf8)),
    ]

    private static func plans(_ name: String) throws -> [ExportPlan] {
        let recipe = try #require(HostRecipe.named(name))
        return try sources.map {
            try ExportPlan(recipe, $0, installRoot: "/srv/it's here", domain: "example.org", version: "1.2.3")
        }
    }

    @Test("the compiled texts are those of the files")
    func compiled() throws {
        #expect(HostRecipe.all().map(\.name) == Self.names)
    }

    @Test("every text is a recipe with sources, a date and steps", arguments: names)
    func complete(_ name: String) throws {
        let text = try HostFiles.text(name)
        let recipe = try #require(HostRecipe(text))
        #expect(recipe.name == name)
        #expect(!recipe.sources.isEmpty)
        for source in recipe.sources {
            #expect(source.hasPrefix("https://") || source.hasPrefix("tried with "), "\(source)")
        }
        #expect(recipe.checked.wholeMatch(of: /20\d\d-[01]\d-[0-3]\d/) != nil)
        #expect(recipe.configurations.count == 1)
        for plan in try Self.plans(name) { #expect(!plan.steps.isEmpty && !plan.notes.isEmpty) }
    }

    @Test("all placeholders are replaced, and only the files that are exported are named", arguments: names)
    func placeholders(_ name: String) throws {
        let plans = try Self.plans(name)
        for plan in plans {
            let texts =
                plan.files.filter { $0.role == .configuration }.map { String(decoding: $0.bytes, as: UTF8.self) }
            for text in texts + plan.steps + plan.notes {
                #expect(!text.contains("{{") && !text.contains("}}"), "\(text)")
            }
        }
        for (plan, other) in zip(plans, ["assetlinks", "apple-app-site-association"]) {
            #expect(!plan.files.contains { $0.path.contains(other) })
            let text = String(decoding: try #require(plan.files.first).bytes, as: UTF8.self)
            #expect(!text.contains(other), "\(text)")
        }
    }

    @Test("every configuration parses, whichever files are exported", arguments: names)
    func parses(_ name: String) throws {
        for plan in try Self.plans(name) {
            let file = try #require(plan.files.first)
            guard let parser = Self.parsers.first(where: { file.path.hasSuffix($0.key) }) else {
                Issue.record("say what parses '\(file.path)'")
                return
            }
            guard let (program, arguments) = parser.value else { continue }
            guard program.isUsable else { continue }
            let folder = try TemporaryFolder()
            let path = try folder.write(Data(file.bytes), to: (file.path as NSString).lastPathComponent)
            let outcome = try Shell.run([try program.path] + arguments + [path])
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        }
    }

    @Test("every configuration begins by saying what made it, and explains itself", arguments: names)
    func comments(_ name: String) throws {
        for plan in try Self.plans(name) {
            let file = try #require(plan.files.first)
            if file.path.hasSuffix(".json") { continue }
            let text = String(decoding: file.bytes, as: UTF8.self)
            let lines = text.split(separator: "\n").prefix(3)
            let first = try #require(lines.first { $0.contains("ade by 'aasa export \(name)' (1.2.3)") }, "\(text)")
            let marks = ["#", "//", "<!--"]
            #expect(marks.contains { first.hasPrefix($0) })
            for line in lines.prefix(while: { $0 != first }) { #expect(line.hasPrefix("#!") || line == "<?php") }
            let comments = text.split(separator: "\n").filter { line in
                marks.contains { line.drop { $0 == " " || $0 == "\t" }.hasPrefix($0) }
            }
            #expect(comments.count > 1 || file.path == ".nojekyll")
        }
    }

    @Test("--list has every host, in text and in JSON, as the contract has")
    func list() throws {
        let tool = try BuiltTool()
        let lines = try tool.run("export", "--list").text.split(separator: "\n")
        #expect(
            lines.map { String($0.prefix { $0 != " " }) } == Self.names + ["prometheus-alerts", "grafana-dashboard"])
        #expect(lines.contains { $0.hasPrefix("htaccess ") && $0.contains("wordpress") })
        let hosts = try #require(
            try tool.run("export", "--list", "--format", "json").object()["hosts"] as? [[String: Any]])
        #expect(hosts.map { $0["name"] as? String } == Self.names)
        let contract = try Repository.text("docs/spec/deploy.md")
        let section = try #require(
            contract.components(separatedBy: "\n## B3.").last?.components(separatedBy: "\n# C.").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for host in hosts {
            #expect(Set(host.keys) == ["name", "title", "aliases", "files"])
            let name = try #require(host["name"] as? String)
            let files = try #require(host["files"] as? [String])
            let row = try #require(rows.first { $0.prefix { $0 != "." && $0 != "(" }.contains("`\(name)`") }, "\(name)")
            #expect(row.contains("`\(files[0])`"), "\(name) \(files)")
            #expect(files.count == 3)
            for alias in try #require(host["aliases"] as? [String]) { #expect(row.contains("`\(alias)`")) }
        }
        let fixed = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([a-z0-9-]+)`/).map { String($0.1) }
        }
        #expect(Set(fixed).subtracting(HostFiles.all.flatMap(\.aliases)) == Set(Self.names))
    }
}

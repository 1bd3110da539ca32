internal import BoundedText

/// A recipe for getting association files onto a host that its owner configures but does not run: one text file in
/// `Hosts/`.
///
/// The text begins with lines `key: value`; an empty line ends them. Sections follow, each after a line that begins with
/// `== `:
/// - `== file PATH` is the template of a configuration file (``RecipeTemplate``);
/// - `== association PATH` and `== links PATH` say where the association file and `assetlinks.json` go;
/// - `== steps` and `== notes` are lists, with `- ` before each item;
/// - `== notes over COUNT` has notes for files of more bytes than that, which are also warnings.
///
/// Paths are relative to the folder that is written. docs/spec/deploy.md, section B3, fixes names and paths.
package struct HostRecipe: Sendable {
    /// The name that the user types, in lower case.
    package let name: String
    package let aliases: [String]
    /// The name of the product.
    package let title: String
    /// The role of the folder that is written, as `the document root`.
    package let folder: String
    /// Where the facts are from: addresses, or how they were tried.
    package let sources: [String]
    /// When the facts were last compared with their sources, as `2026-11-22`.
    package let checked: String
    /// Whether the configuration is a file that users have content of their own in.
    package let isMerged: Bool
    package let configurations: [RecipeTemplate]
    package let associationPath: String
    package let linksPath: String
    let steps: RecipeTemplate
    let notes: RecipeTemplate
    let sizeNotes: (limit: Int, items: RecipeTemplate)?

    /// Why a text is not a recipe.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// All paths of a complete export, the configuration first.
    package var paths: [String] { configurations.map(\.path) + [associationPath, linksPath] }

    package init(_ text: String) throws(Problem) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let metadata = try Metadata(lines)
        name = try metadata.value("host")
        title = try metadata.value("title")
        folder = try metadata.value("folder")
        checked = try metadata.value("checked")
        sources = metadata.values["source"] ?? []
        aliases = metadata.values["alias"] ?? []
        isMerged = metadata.values["merged"] == ["yes"]

        let sections = try Section.all(lines[metadata.end...])
        func section(_ word: String) throws(Problem) -> Section {
            guard let section = sections.first(where: { $0.word == word }) else {
                throw Problem(description: "'== \(word)' is missing")
            }
            return section
        }
        associationPath = try section("association").argument
        linksPath = try section("links").argument
        steps = try RecipeTemplate(path: "steps", lines: section("steps").lines)
        notes = try RecipeTemplate(path: "notes", lines: sections.first { $0.word == "notes" }?.lines ?? [])
        var configurations: [RecipeTemplate] = []
        for section in sections where section.word == "file" {
            configurations.append(try RecipeTemplate(path: section.argument, lines: section.lines))
        }
        self.configurations = configurations
        if let section = sections.first(where: { $0.word == "notes over" }) {
            guard let limit = Int(section.argument) else {
                throw Problem(description: "'\(section.argument)' is not a number of bytes")
            }
            sizeNotes = (limit, try RecipeTemplate(path: "notes over \(limit)", lines: section.lines))
        } else {
            sizeNotes = nil
        }
    }

    /// The lines `key: value` at the beginning.
    private struct Metadata {
        private static let keys: Set<Substring> = [
            "host", "alias", "title", "folder", "merged", "checked", "source",
        ]

        var values: [Substring: [String]] = [:]
        /// The index of the empty line.
        var end = 0

        init(_ lines: [Substring]) throws(Problem) {
            while end < lines.count, !lines[end].isEmpty {
                let line = lines[end]
                guard let colon = line.firstIndex(of: ":"), Self.keys.contains(line[..<colon]) else {
                    let keys = Self.keys.sorted().joined(separator: ", ")
                    throw Problem(description: "line \(end + 1): expected 'key: value' with one of \(keys)")
                }
                let value = line[colon...].dropFirst().drop { $0 == " " }
                values[line[..<colon], default: []].append(String(value))
                end += 1
            }
        }

        func value(_ key: Substring) throws(Problem) -> String {
            guard let value = values[key]?.first, !value.isEmpty else {
                throw Problem(description: "'\(key)' is missing")
            }
            return value
        }
    }

    /// A section of a recipe: the lines after one that begins with `== `.
    private struct Section {
        let word: String
        let argument: String
        var lines: [Substring] = []

        private init(heading: Substring) throws(Problem) {
            for word in ["file", "association", "links", "notes over", "steps", "notes"] {
                guard heading.hasPrefix(word) else { continue }
                let rest = heading.dropFirst(word.count)
                guard rest.isEmpty == ["steps", "notes"].contains(word), rest.isEmpty || rest.hasPrefix(" ") else {
                    continue
                }
                self.word = word
                argument = String(rest.drop { $0 == " " })
                return
            }
            throw Problem(description: "unknown section '== \(heading)'")
        }

        static func all(_ lines: ArraySlice<Substring>) throws(Problem) -> [Section] {
            var sections: [Section] = []
            for line in lines {
                if line.hasPrefix("== ") {
                    sections.append(try Section(heading: line.dropFirst(3)))
                } else if !sections.isEmpty {
                    sections[sections.count - 1].lines.append(line)
                }
            }
            return sections
        }
    }
}

extension HostRecipe {
    /// All recipes, by their names. A test proves that each text is one.
    package static func all() -> [HostRecipe] { texts.compactMap { try? HostRecipe($0) } }

    /// The names of all hosts.
    package static var names: [String] { texts.compactMap { names(in: $0).first } }

    /// The names and aliases of all hosts.
    package static var namesAndAliases: [String] { texts.flatMap(names) }

    /// The name and the aliases in a text, which need not be read any further for them.
    private static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = text.utf8[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")), end > rest.startIndex {
            let line = rest[..<end]
            for key in ["host: ", "alias: "] where line.starts(with: key.utf8) {
                names.append(String(text: line.dropFirst(key.utf8.count)))
            }
            rest = rest[end...].dropFirst()
        }
        return names
    }

    /// The recipe of a name or alias, in any case.
    package static func named(_ name: String) -> HostRecipe? {
        let name = name.lowercased()
        return texts.first { names(in: $0).contains(name) }.flatMap { try? HostRecipe($0) }
    }

    /// The files in `Hosts/`, by name.
    private static var texts: [String] {
        [
            PackageResources.amplify_txt, PackageResources.apache_txt, PackageResources.azure_static_web_apps_txt,
            PackageResources.caddy_txt, PackageResources.cloudflare_pages_txt,
            PackageResources.cloudflare_workers_txt, PackageResources.django_txt, PackageResources.express_txt,
            PackageResources.firebase_hosting_txt, PackageResources.github_pages_txt,
            PackageResources.gitlab_pages_txt, PackageResources.h2o_txt, PackageResources.haproxy_txt,
            PackageResources.htaccess_txt, PackageResources.iis_txt, PackageResources.laravel_txt,
            PackageResources.lighttpd_txt, PackageResources.netlify_txt, PackageResources.next_txt,
            PackageResources.nginx_txt, PackageResources.rails_txt, PackageResources.s3_cloudfront_txt,
            PackageResources.traefik_txt, PackageResources.vercel_txt,
        ].map { String(text: $0) }
    }
}

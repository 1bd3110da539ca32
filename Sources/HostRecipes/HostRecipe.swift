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

    /// All paths of a complete export, the configuration first.
    package var paths: [String] { configurations.map(\.path) + [associationPath, linksPath] }

    /// Nil if the text is not a recipe.
    package init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.isEmpty }
        var values: [Substring: [String]] = [:]
        for line in head {
            guard let colon = line.firstIndex(of: ":"), Self.keys.contains(line[..<colon]) else { return nil }
            values[line[..<colon], default: []].append(String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        guard let name = values["host"]?.first, let title = values["title"]?.first,
            let folder = values["folder"]?.first, let checked = values["checked"]?.first,
            let sections = Section.all(lines[head.endIndex...])
        else { return nil }
        (self.name, self.title, self.folder, self.checked) = (name, title, folder, checked)
        sources = values["source"] ?? []
        aliases = values["alias"] ?? []
        isMerged = values["merged"] == ["yes"]

        func section(_ word: String) -> Section? { sections.first { $0.word == word } }
        let files = sections.filter { $0.word == "file" }
        configurations = files.compactMap { RecipeTemplate(path: $0.argument, $0.lines) }
        guard configurations.count == files.count, let association = section("association"),
            let links = section("links"), let steps = section("steps").flatMap({ RecipeTemplate($0.lines) }),
            let notes = RecipeTemplate(section("notes")?.lines ?? [])
        else { return nil }
        (associationPath, linksPath, self.steps, self.notes) = (association.argument, links.argument, steps, notes)
        guard let section = section("notes over") else {
            sizeNotes = nil
            return
        }
        guard let limit = Int(section.argument), let items = RecipeTemplate(section.lines) else { return nil }
        sizeNotes = (limit, items)
    }

    private static let keys: Set<Substring> = ["host", "alias", "title", "folder", "merged", "checked", "source"]

    /// A section of a recipe: the lines after one that begins with `== `.
    private struct Section {
        let word: String
        let argument: String
        var lines: [Substring] = []

        private init?(heading: Substring) {
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
            return nil
        }

        /// Nil if there is an unknown one.
        static func all(_ lines: ArraySlice<Substring>) -> [Section]? {
            var sections: [Section] = []
            for line in lines {
                if line.hasPrefix("== ") {
                    guard let section = Section(heading: line.dropFirst(3)) else { return nil }
                    sections.append(section)
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
    package static func all() -> [HostRecipe] { texts.compactMap(HostRecipe.init) }

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
        return texts.first { names(in: $0).contains(name) }.flatMap(HostRecipe.init)
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

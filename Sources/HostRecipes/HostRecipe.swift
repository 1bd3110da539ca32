/// How association files get onto a host that its owner configures but does not run: one file in `Hosts/`.
///
/// The text of a recipe begins with lines `key: value`; an empty line ends them. Sections follow, each after a line that
/// begins with `== `:
/// - `== file PATH` is the template of a configuration file (``RecipeTemplate``);
/// - `== association PATH` and `== links PATH` say where the association file and `assetlinks.json` go;
/// - `== steps` and `== notes` are lists, an item for each line that begins with `- `.
package struct HostRecipe: Sendable {
    /// What the user types, in lower case.
    package let name: String
    package let aliases: [String]
    /// The name of the product.
    package let title: String
    /// Where the facts are from: addresses, or how they were tried.
    package let sources: [String]
    /// When the facts were last compared with their sources, as `2026-11-22`.
    package let checked: String
    /// Whether the configuration is a file that users edit, too, so that it replaces what they have.
    package let isMerged: Bool
    /// The configuration files.
    package let files: [RecipeTemplate]
    /// Below the folder that is written.
    package let associationPath: String
    package let linksPath: String
    package let steps: [String]
    package let notes: [String]

    /// Why a text is not a recipe.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    package init(_ text: String) throws(Problem) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var values: [Substring: [String]] = [:]
        var index = 0
        while index < lines.count, !lines[index].isEmpty {
            guard let colon = lines[index].firstIndex(of: ":") else {
                throw Problem(description: "line \(index + 1): expected 'key: value'")
            }
            let value = lines[index][colon...].dropFirst().drop { $0 == " " }
            values[lines[index][..<colon], default: []].append(String(value))
            index += 1
        }
        func value(_ key: Substring) throws(Problem) -> String {
            guard let value = values[key]?.first else { throw Problem(description: "'\(key)' is missing") }
            return value
        }
        name = try value("host")
        title = try value("title")
        checked = try value("checked")
        sources = values["source"] ?? []
        aliases = values["alias"] ?? []
        isMerged = values["merged"] == ["yes"]

        var sections: [(heading: Substring, lines: [Substring])] = []
        for line in lines[index...] {
            if line.hasPrefix("== ") {
                sections.append((line.dropFirst(3), []))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        func path(after word: String) throws(Problem) -> String {
            guard let section = sections.first(where: { $0.heading.hasPrefix(word) }) else {
                throw Problem(description: "'== \(word)PATH' is missing")
            }
            return String(section.heading.dropFirst(word.count))
        }
        func list(_ heading: Substring) -> [String] {
            (sections.first { $0.heading == heading }?.lines ?? []).filter { $0.hasPrefix("- ") }.map {
                String($0.dropFirst(2))
            }
        }
        associationPath = try path(after: "association ")
        linksPath = try path(after: "links ")
        steps = list("steps")
        notes = list("notes")
        var files: [RecipeTemplate] = []
        for section in sections where section.heading.hasPrefix("file ") {
            files.append(try RecipeTemplate(path: String(section.heading.dropFirst(5)), lines: section.lines))
        }
        self.files = files
    }
}

extension HostRecipe {
    /// All recipes, by their names.
    package static func all() -> [HostRecipe] {
        HostTexts.all.compactMap { text in
            do throws(Problem) { return try HostRecipe(text) } catch { return nil }
        }
    }

    /// The recipe of a name or alias, in any case.
    package static func named(_ name: String) -> HostRecipe? {
        let name = name.lowercased()
        return all().first { $0.name == name || $0.aliases.contains(name) }
    }
}

/// The files that `aasa export` writes for a host, decided without touching a disk (docs/spec/deploy.md, section B1).
package struct ExportPlan: Sendable {
    package struct File: Equatable, Sendable {
        package enum Role: String, Sendable {
            case configuration, association
        }

        /// Below the folder that is written.
        package let path: String
        package let role: Role
        package let bytes: [UInt8]

        package init(path: String, role: Role, bytes: [UInt8]) {
            (self.path, self.role, self.bytes) = (path, role, bytes)
        }

        /// Whether it is a script to be run.
        package var isExecutable: Bool { role == .configuration && bytes.starts(with: "#!".utf8) }
    }

    /// The files that are exported; at least one of them.
    package struct Sources: Sendable {
        /// The bytes of the association file; nil if there is none.
        package var association: [UInt8]?
        /// The bytes of `assetlinks.json`; nil if there is none.
        package var links: [UInt8]?

        package init(association: [UInt8]? = nil, links: [UInt8]? = nil) {
            self.association = association
            self.links = links
        }
    }

    package let recipe: HostRecipe
    /// The configuration first.
    package let files: [File]
    /// The steps to take with them, in order.
    package let steps: [String]
    /// Notes about other things that may be in the way.
    package let notes: [String]
    /// Those of the notes that are about these very files.
    package let warnings: [String]
    /// Commands that show whether it works, with what they print.
    package let checks: [String]

    /// - Parameters:
    ///   - installRoot: The absolute path of the folder in which the files will be on the host.
    ///   - domain: The domain of the check commands.
    ///   - version: The version of the program.
    /// - Throws: Why the format of the configuration cannot express the path.
    package init(
        _ recipe: HostRecipe, _ sources: Sources, installRoot: String, domain: String, version: String
    ) throws(PathQuoting.Problem) {
        let values = RecipeTemplate.Values(
            version: version, host: recipe.name, domain: domain, root: installRoot == "/" ? "" : installRoot,
            associationPath: recipe.associationPath, linksPath: recipe.linksPath,
            configurationPath: recipe.configurations.first?.path ?? "", hasAssociation: sources.association != nil,
            hasLinks: sources.links != nil)
        var files: [File] = []
        for template in recipe.configurations {
            let text = try template.text(values)
            files.append(File(path: template.path, role: .configuration, bytes: Array(text.utf8)))
        }
        if let bytes = sources.association {
            files.append(File(path: recipe.associationPath, role: .association, bytes: bytes))
        }
        if let bytes = sources.links { files.append(File(path: recipe.linksPath, role: .association, bytes: bytes)) }
        self.recipe = recipe
        self.files = files
        steps = try recipe.steps.items(values)
        let largest = [sources.association, sources.links].compactMap { $0?.count }.max() ?? 0
        if let sizeNotes = recipe.sizeNotes, largest > sizeNotes.limit {
            warnings = try sizeNotes.items.items(values)
        } else {
            warnings = []
        }
        notes = try recipe.notes.items(values) + warnings
        checks = Self.checks(sources, domain)
    }

    private static func checks(_ sources: Sources, _ domain: String) -> [String] {
        let names =
            (sources.association == nil ? [] : ["apple-app-site-association"])
            + (sources.links == nil ? [] : ["assetlinks.json"])
        let write = #"curl -sS -o /dev/null -w '%{http_code} %{content_type} %{redirect_url}\n'"#
        return ["aasa doctor \(domain)"]
            + names.map { "\(write) https://\(domain)/.well-known/\($0)   # 200 application/json" }
    }
}

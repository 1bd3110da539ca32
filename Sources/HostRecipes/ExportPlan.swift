/// What `aasa export` writes for a host, decided without touching a disk.
package struct ExportPlan: Sendable {
    package struct File: Equatable, Sendable {
        package enum Role: String, Sendable {
            case configuration, association
        }

        /// Below the folder that is written.
        package let path: String
        package let role: Role
        package let bytes: [UInt8]
    }

    package let recipe: HostRecipe
    /// The configuration first.
    package let files: [File]
    /// What to do with them, in order.
    package let steps: [String]
    /// What else may stand in the way.
    package let notes: [String]
    /// Commands that show whether it works, each with what to expect.
    package let checks: [String]

    /// The files that are exported.
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

    /// - Parameters:
    ///   - installRoot: The absolute path of the folder in which the files will be on the host.
    ///   - domain: The domain of the check commands.
    ///   - version: The version of the program.
    package init(
        _ recipe: HostRecipe, _ sources: Sources, installRoot: String, domain: String = "example.com", version: String
    ) throws(PathQuoting.Problem) {
        let root = installRoot.hasSuffix("/") ? String(installRoot.dropLast()) : installRoot
        let values = RecipeTemplate.Values(
            version: version, host: recipe.name, association: "\(root)/\(recipe.associationPath)",
            links: "\(root)/\(recipe.linksPath)", hasAssociation: sources.association != nil,
            hasLinks: sources.links != nil)
        var files: [File] = []
        for template in recipe.files {
            let text = try template.text(values)
            files.append(File(path: template.path, role: .configuration, bytes: Array(text.utf8)))
        }
        if let bytes = sources.association {
            files.append(File(path: recipe.associationPath, role: .association, bytes: bytes))
        }
        if let bytes = sources.links { files.append(File(path: recipe.linksPath, role: .association, bytes: bytes)) }
        self.recipe = recipe
        self.files = files
        steps = recipe.steps
        notes = recipe.notes
        let names =
            (sources.association == nil ? [] : ["apple-app-site-association"])
            + (sources.links == nil ? [] : ["assetlinks.json"])
        checks =
            ["aasa doctor \(domain)"]
            + names.map { name in
                "curl -sS -o /dev/null -w '%{http_code} %{content_type} %{redirect_url}\\n' "
                    + "https://\(domain)/.well-known/\(name)   # 200 application/json"
            }
    }
}

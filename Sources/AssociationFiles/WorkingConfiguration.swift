package import AssociationLint
package import Diagnostics

/// The `.aasa.json` of the working directory, or the one that `--config` names, for a command that checks hosts.
package struct WorkingConfiguration: Sendable {
    package let configuration: LintConfiguration
    private let finder: LintConfigurationFinder

    /// - Parameters:
    ///   - path: The path of the configuration; nil looks for the nearest `.aasa.json`.
    ///   - rules: The rules whose codes it may name.
    /// - Returns: Nil if there is none.
    package init?(_ path: String? = nil, rules: RuleCatalogue) {
        var nearest = LintConfigurationFinder(path: path, rules: rules)
        guard let found = nearest.configuration(forFileAt: "-") else { return nil }
        configuration = found.configuration
        // Files in other folders are judged by the same one.
        finder = LintConfigurationFinder(path: found.identity.path, rules: rules)
    }

    /// What is to be ignored in a file on disk.
    package func ignores(forFileAt path: String) -> [Ignore] {
        var finder = finder
        return configuration.ignores(forFileAt: finder.configuration(forFileAt: path)?.relativePath ?? path)
    }

    /// What is to be ignored of a host.
    ///
    /// - Parameter path: `HOST`, or `HOST/PATH`.
    package func ignores(forHostPath path: String) -> [Ignore] { configuration.ignores(forFileAt: path) }
}

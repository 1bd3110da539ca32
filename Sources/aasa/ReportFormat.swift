import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics

/// How findings are written.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, jsonl, sarif, github

    /// - Parameters:
    ///   - width: The columns of the terminal; nil if there is none.
    ///   - isQuiet: Whether text for people is nothing but findings.
    ///   - showsFixed: Whether fixes were applied, so that there may be something to say about them.
    func text(_ report: Report, style: TextStyle, width: Int?, showsFixed: Bool, isQuiet: Bool) -> String {
        switch self {
        case .text: TextRenderer(style: style, width: width, isQuiet: isQuiet).render(report)
        case .json: JSONRenderer(showsFixed: showsFixed).render(report)
        case .jsonl: JSONLinesRenderer(showsFixed: showsFixed).render(report)
        case .sarif:
            SARIFRenderer(
                rules: RuleRegistry.all, toolVersion: AASA.version, root: WorkingDirectory.repositoryRoot,
                workingDirectory: WorkingDirectory.path
            ).render(report)
        case .github: GitHubRenderer().render(report)
        }
    }
}

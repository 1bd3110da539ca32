import AssociationLint
import AssociationServer
import Diagnostics

/// The bad example of a rule and what is said about it.
enum RuleExample {
    static func report(_ rule: RuleDescription) -> FileReport {
        switch rule.subject {
        case .associationFile:
            let result = rule.check(rule.badBytes, unwrap: SignedAssociationFile.unwrap)
            return FileReport(
                result.isAsInFile ? result.source : SourceText(rule.badBytes, path: result.source.path),
                result.diagnostics)
        case .lintConfiguration:
            let configuration = LintConfiguration(rule.badBytes, path: LintConfiguration.fileName)
            let findings = configuration.findings(unused: Array(configuration.entries.indices))
            return FileReport(configuration.source, findings)
        case .testCases:
            let list = CaseList.read(rule.badBytes, path: "cases.json")
            return FileReport(list.source, list.diagnostics)
        }
    }
}

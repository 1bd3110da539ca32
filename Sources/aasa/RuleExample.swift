import AppSiteAssociation
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics

/// The bad example of a rule and what is said about it.
enum RuleExample {
    static func report(_ rule: RuleDescription) -> FileReport {
        switch rule.subject {
        case .path:
            guard case .unreadable(let reason) = InputFile.read(rule.bad, limit: 0) else {
                return FileReport(SourceText([], path: rule.bad), [])
            }
            return UnreadableFile.report(
                rule.bad, FileArgument(rule.bad).failure(reason, for: "aasa validate -").message)
        case .associationFile:
            let result = rule.check(rule.badBytes, unwrap: SignedAssociationFile.unwrap)
            return FileReport(
                result.isAsInFile ? result.source : SourceText(rule.badBytes, path: result.source.path),
                result.diagnostics)
        case .assetLinks:
            let result = Linter().checkAssetLinks(rule.badBytes)
            // That nothing can be used has reasons, which have codes of their own.
            return FileReport(result.source, result.diagnostics.filter { $0.code == rule.code })
        case .siteFile:
            let finding = PrivateKeyText.finding(in: rule.badBytes)
            return FileReport(SourceText(rule.badBytes, path: "security.txt"), finding.map { [$0] } ?? [])
        case .lintConfiguration:
            let configuration = LintConfiguration(rule.badBytes, path: LintConfiguration.fileName)
            let findings = configuration.findings(unused: Set(configuration.entries.map(\.ignore)), LintOptions())
            return FileReport(configuration.source, findings)
        case .serverConfiguration:
            let path = "server.json"
            return FileReport(SourceText(rule.badBytes, path: path), serverFindings(rule.badBytes, path: path))
        case .testCases, .testRun: return CaseExample.report(rule.badBytes)
        case .routeList:
            let list = RouteList.read(rule.badBytes, path: "routes.txt")
            return FileReport(list.source, list.diagnostics)
        case .routeRun: return CoverageExample.report(routes: rule.badBytes)
        case .routedFile: return CoverageExample.report(file: rule.badBytes)
        }
    }

    private static func serverFindings(_ bytes: [UInt8], path: String) -> [Diagnostic] {
        do throws(ServerError) {
            var findings: [Finding] = []
            _ = try ConfigurationReader.read(bytes, path: path) { findings.append($0) }
            return findings.compactMap(\.diagnostic)
        } catch {
            return error.findings.compactMap(\.diagnostic)
        }
    }
}

import AppProjects
import AppSiteAssociation
import ArgumentParser
import AssociationFiles
import AssociationLint
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import LinkImport
import LinkPages
import SystemSupport

struct Explain: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain finding codes: the reason, a bad and a good example, the fix.",
        discussion: manual.discussion())

    static let manual = CommandManual(
        examples: [.init("aasa explain dead-exclude", "explain a code that 'aasa validate' has reported")],
        exits: [.init(.done, "if the codes are known"), .init(.usage, "if one of them is not")],
        seeAlso: ["aasa-rules(1)", "aasa-validate(1)"])

    @Argument(
        help: ArgumentHelp("Codes, e.g. missing-app-id.", valueName: "code"),
        completion: .list(AllRules.catalogue.rules.map(\.code.rawValue)))
    var codes: [String] = []

    @Option(help: "Set the output format; markdown is the page of the documentation.")
    var format = RuleFormat.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard codes.isEmpty else { return }
        throw ValidationError("name the code of a finding, as in 'aasa explain dead-exclude'; 'aasa rules' lists them")
    }

    func run() throws {
        let unknown = codes.filter { AllRules.catalogue[$0] == nil }
        guard unknown.isEmpty else {
            throw ExitStatus.usage.failure(unknown.map { "error: \(Self.unknown($0))" })
        }
        let rules = codes.compactMap { AllRules.catalogue[$0] }
        switch format {
        case .json:
            let (key, value) =
                rules.count == 1
                ? ("rule", Self.json(rules[0])) : ("rules", .array(rules.map(Self.json)))
            StandardOutput.print([JSONOutput.object(["version": .number(1), key: value]).text])
        case .markdown: StandardOutput.print([rules.map(RulePage.markdown).joined(separator: "\n\n")])
        case .text: StandardOutput.print(Array(rules.map(lines).joined(separator: [""])))
        }
    }

    private static func json(_ rule: RuleDescription) -> JSONOutput {
        let group = AllRules.catalogue.groups.first { $0.rules.contains { $0 === rule } }
        return RuleJSON.value(rule, group: group?.title ?? "")
    }

    private static func unknown(_ code: String) -> String {
        if ToolCodes.certcheck.contains(code) {
            return "'\(code)' is a code of certcheck; run 'certcheck explain \(code)'"
        }
        return "unknown code '\(code)'\(UnknownCode.hint(code))"
    }

    private func lines(_ rule: RuleDescription) -> [String] {
        let style = output.style
        let severity =
            switch rule.severity {
            case .critical, .error: style.red(rule.severity.rawValue)
            case .warning: style.yellow(rule.severity.rawValue)
            case .note: style.cyan(rule.severity.rawValue)
            }
        let isOn = rule.isOnByDefault ? "" : ", only with '--severity \(rule.code)=\(rule.severity.rawValue)'"
        let options = rule.exampleOption.map { ", with '\($0)'" } ?? ""
        let columns = min(output.width ?? 80, 100)
        let isFoundLive = rule.subject.finder != nil
        let start =
            ["\(style.bold(rule.code.rawValue)) (\(severity)\(isFoundLive ? "" : isOn)): \(rule.summary)", ""]
            + WrappedText.lines(rule.reason, columns: columns)
            + ["", "\(style.bold("Source:")) \(rule.basis.map(\.words).joined(separator: ", "))"]
            + (isFoundLive ? [] : ["\(style.bold("Fix:")) \(rule.fixWords)"])
            + ["", style.bold("Bad:")] + indented(rule.badShown) + [""]
        let good = [style.bold("Good:")] + indented(rule.goodShown)
        guard !isFoundLive else {
            return start + good + ["", style.bold("What to do:")]
                + WrappedText.lines(rule.advice ?? "", columns: columns - 4).map { "    \($0)" }
        }
        let report = RuleExample.report(rule)
        let renderer = TextRenderer(style: style, width: output.width)
        let blocks = report.diagnostics.flatMap { renderer.render($0, in: report.source) }
        return start + [style.bold("Output\(options):")] + blocks.map { "    \($0)" } + [""] + good
    }

    private func indented(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
    }
}

/// The bad example of a rule and its findings.
enum RuleExample {
    static func report(_ rule: RuleDescription) -> FileReport {
        switch rule.subject {
        case .path:
            do throws(SystemError) {
                _ = try InputFile.read(rule.bad, limit: 0)
                return FileReport(SourceText([], path: rule.bad), [])
            } catch {
                let message = FileArgument(rule.bad).failure(error.reason, for: "aasa validate -").message
                return UnreadableFile.report(rule.bad, message)
            }
        case .associationFile:
            let result = rule.check(rule.badBytes, unwrap: SignedAssociationFile.unwrap)
            return FileReport(
                result.isAsInFile ? result.source : SourceText(rule.badBytes, path: result.source.path),
                result.diagnostics)
        case .assetLinks:
            let result = Linter().checkAssetLinks(rule.badBytes)
            // That nothing can be used has reasons, which have codes of their own.
            return FileReport(result.source, result.diagnostics.filter { $0.code == rule.code })
        case .comparedAssetLinks, .comparedBundle:
            var options = LintOptions()
            options.signers = [rule.subject == .comparedBundle ? AppSigner.exampleBundle : AppSigner.example]
            let result = Linter(options).checkAssetLinks(rule.badBytes)
            return FileReport(result.source, result.diagnostics)
        case .manifest:
            do throws(AppProjectError) {
                let file = try ManifestFile(rule.badBytes, path: "AndroidManifest.xml")
                let result = Linter().checkManifest(file.root, source: file.source, isAsInFile: file.isAsInFile)
                return FileReport(result.source, result.diagnostics)
            } catch {
                return FileReport(SourceText(rule.badBytes, path: error.path), [])
            }
        case .siteFile:
            let finding = PrivateKeyDetector.finding(in: rule.badBytes)
            return FileReport(SourceText(rule.badBytes, path: "security.txt"), finding.map { [$0] } ?? [])
        case .lintConfiguration:
            let configuration = LintConfiguration(rule.badBytes, path: LintConfiguration.fileName)
            let findings = configuration.findings(unused: Set(configuration.entries.map(\.ignore)), LintOptions())
            return FileReport(configuration.source, findings)
        case .serverConfiguration:
            let marked = MarkedText(rule.bad)
            let finding = rule.finding.map { text in
                Diagnostic(
                    rule, text.message, range: marked.range ?? SourceRange(start: 0, end: 0), advice: text.advice)
            }
            return FileReport(SourceText(marked.bytes, path: "server.json"), finding.map { [$0] } ?? [])
        case .testCases, .testRun: return CaseExample.report(rule.badBytes)
        case .routeList:
            let list = RouteList.read(rule.badBytes, path: "routes.txt")
            return FileReport(list.source, list.diagnostics)
        case .routeRun: return CoverageExample.report(routes: rule.badBytes)
        case .routedFile: return CoverageExample.report(file: rule.badBytes)
        case .linkPages:
            let document = LinkPageExample.document(rule.badBytes)
            return FileReport(document.source, document.diagnostics)
        case .comparedLinkPages: return LinkOpeningExample.report(rule.badBytes)
        case .linkExport: return ImportExample.report(rule.badBytes)
        case .convertedFile: return ConversionRules.report(rule.badBytes)
        case .app:
            return AppExample.report(rule.badBytes, of: rule)
        // What shows it is not a file.
        case .host, .copy, .link, .issuance, .certificate, .store: return FileReport(SourceText([], path: ""), [])
        }
    }
}

import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains a code: the reason, a bad and a good example, the fix.")

    @Argument(help: ArgumentHelp("The code, like missing-app-id.", valueName: "code"))
    var code: String

    @Option(help: "Output format.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    func run() throws {
        guard let rule = RuleRegistry.description(of: code) else {
            throw ExitStatus.usage.failure("error: '\(code)' is no code\(UnknownCode.hint(code))")
        }
        var results = StandardOutput()
        switch format {
        case .json:
            results.write(JSONOutput.object(["version": .number(1), "rule": RuleJSON.value(rule)]).text)
        case .text:
            for line in lines(rule) { results.write(line) }
        }
        results.flush()
    }

    private func lines(_ rule: RuleDescription) -> [String] {
        let style = output.style
        let severity = rule.severity == .error ? style.red("error") : style.yellow("warning")
        let isOn = rule.isOnByDefault ? "" : ", only with '--severity \(rule.code)=\(rule.severity.rawValue)'"
        let options = rule.minimumIOS.map { ", with '--minimum-ios \($0)'" } ?? ""
        let columns = min(output.width ?? 80, 100)
        let report = RuleExample.report(rule)
        let renderer = TextRenderer(style: style, width: output.width)
        let blocks = report.diagnostics.flatMap { renderer.render($0, in: report.source) }
        return ["\(style.bold(rule.code.rawValue)) (\(severity)\(isOn)): \(rule.summary)", ""]
            + WrappedText.lines(rule.reason, columns: columns)
            + ["", "Rests on: \(rule.basis.map(basis).joined(separator: ", "))", "Fix: \(fix(rule))", ""]
            + [style.bold("Bad:")] + indented(rule.badShown) + ["", style.bold("What is said about it\(options):")]
            + blocks.map { "    \($0)" } + ["", style.bold("Good:")]
            + indented(rule.goodShown)
    }

    private func indented(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
    }

    private func basis(_ basis: RuleDescription.Basis) -> String {
        switch basis {
        case .apple: "Apple's documentation"
        case .google: "Google's documentation and tests"
        case .recorded: "recorded behaviour of Apple's tool"
        case .inferred: "what systems were seen to do"
        case .lint: "care"
        case .json: "RFC 8259 (JSON)"
        }
    }

    private func fix(_ rule: RuleDescription) -> String {
        switch rule.fix {
        case .automatic: "automatic, with 'aasa validate --fix'"
        case .suggested: "suggested; a person decides"
        case .displayOnly: "shown, with a placeholder to fill in"
        case nil: "none"
        }
    }
}

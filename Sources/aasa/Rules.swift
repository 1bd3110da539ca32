import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics

struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List every finding code.",
        discussion: "Run 'aasa explain CODE' for the details of one."
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Option(help: "Output format; markdown is the page of the documentation.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    func run() {
        var results = StandardOutput()
        switch format {
        case .text: for rule in RuleRegistry.all { results.write(line(rule)) }
        case .markdown: results.write(RulesPage.markdown(RuleRegistry.all))
        case .json:
            let rules = RuleRegistry.all.map { RuleJSON.value($0) }
            results.write(JSONOutput.object(["version": .number(1), "rules": .array(rules)]).text)
        }
        results.flush()
    }

    private func line(_ rule: RuleDescription) -> String {
        let code = padded(rule.code.rawValue, to: 32)
        let severity = padded(rule.isOnByDefault ? rule.severity.rawValue : "off", to: 9)
        let style = output.style
        let shown =
            !rule.isOnByDefault
            ? style.dim(severity) : rule.severity == .error ? style.red(severity) : style.yellow(severity)
        return "\(style.bold(code))\(shown)\(rule.summary)"
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}

/// A rule for programs.
enum RuleJSON {
    static func value(_ rule: RuleDescription) -> JSONOutput {
        .object([
            "code": .string(rule.code.rawValue),
            "severity": .string(rule.isOnByDefault ? rule.severity.rawValue : "off"),
            "summary": .string(rule.summary), "reason": .string(rule.reason),
            "basis": .array(rule.basis.map { .string($0.rawValue) }), "fix": .optional(rule.fix?.rawValue),
            "bad": .string(rule.badShown), "good": .string(rule.goodShown),
        ])
    }
}

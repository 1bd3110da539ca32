import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import FindingCatalogue

struct Rules: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the finding codes, or those about a subject.",
        discussion: manual.discussion("Run 'aasa explain CODE' for the details of one.")
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa rules", "list the codes by subject"),
            .init("aasa rules fingerprint", "list the codes about a subject"),
            .init("aasa rules --format json", "list them for a program"),
        ],
        exits: [.init(.done, "if there is a list"), .init(.failed, "if no code matches the words")],
        diagnostics: {
            AllRules.catalogue.rules.map { rule in
                let severity = rule.shownSeverity
                return .init(rule.code.rawValue, "\(rule.summary) (\(severity))")
            }
        },
        seeAlso: ["aasa-explain(1)", "aasa-validate(1)"])

    @Argument(
        help: ArgumentHelp(
            "List only codes with this word in the code, its summary or its subject (with several words: with all of them).",
            valueName: "word"))
    var words: [String] = []

    @Option(help: "Set the output format; markdown is the index of the documentation.")
    var format = RuleFormat.text

    @OptionGroup var output: OutputOptions

    func run() throws {
        let groups = groups
        switch format {
        case .text:
            let blocks = groups.map { group in
                [output.style.bold("\(group.title):")] + group.rules.flatMap(lines).map { "  \($0)" }
            }
            StandardOutput.print(Array(blocks.joined(separator: [""])))
        case .markdown: StandardOutput.print([RulesTable.markdown(groups.flatMap(\.rules))])
        case .json:
            let rules = groups.flatMap { group in group.rules.map { RuleJSON.value($0, group: group.title) } }
            StandardOutput.print([JSONOutput.object(["version": .number(1), "rules": .array(rules)]).text])
        }
        guard groups.isEmpty else { return }
        throw ExitStatus.failed.failure(
            "error: no code matches \(quoted(words.joined(separator: " ")))\(elsewhere)")
    }

    private var groups: [RuleGroup] {
        words.isEmpty ? AllRules.catalogue.groups : AllRules.catalogue.groups(about: words)
    }

    /// Where else to look.
    private var elsewhere: String {
        let isOther = ToolCodes.certcheck.contains { code in words.contains { code.contains($0.lowercased()) } }
        return isOther ? "; 'certcheck codes' lists those of certcheck" : "; 'aasa rules' lists all"
    }

    /// Code, severity and summary; on a terminal the summary goes on in its column.
    private func lines(_ rule: RuleDescription) -> [String] {
        let severity = TerminalWidth.padded(rule.shownSeverity, to: 9)
        let style = output.style
        let shown =
            !rule.isOnByDefault || rule.severity == .note
            ? style.dim(severity) : rule.severity >= .error ? style.red(severity) : style.yellow(severity)
        let start = style.bold(TerminalWidth.padded(rule.code.rawValue + " ", to: 32)) + shown
        guard let width = output.width, width >= 43 + 24 else { return [start + rule.summary] }
        return WrappedText.lines(rule.summary, columns: width - 43).enumerated().map { number, line in
            (number == 0 ? start : String(repeating: " ", count: 41)) + line
        }
    }
}

/// The output format of rules.
enum RuleFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown
}

/// A rule for programs.
enum RuleJSON {
    /// - Parameter group: The title of the group that it is in.
    static func value(_ rule: RuleDescription, group: String) -> JSONOutput {
        .object([
            "group": .string(group),
            "code": .string(rule.code.rawValue),
            "severity": .string(rule.shownSeverity),
            "summary": .string(rule.summary), "reason": .string(rule.reason),
            "basis": .array(rule.basis.map { .string($0.rawValue) }), "fix": .optional(rule.fix?.rawValue),
            "bad": .string(rule.badShown), "good": .string(rule.goodShown), "advice": .optional(rule.advice),
        ])
    }
}

/// The generated part of docs/rules.md: a table of all rules, each with a link to its page.
private enum RulesTable {
    static func markdown(_ rules: [RuleDescription]) -> String {
        let rows = rules.map { rule in
            let summary = rule.summary.replacing("|", with: "\\|")
            let link = "[`\(rule.code)`](rules/\(rule.code).md)"
            return "| \(link) | \(rule.shownSeverity) | \(summary) | \(fix(rule)) |"
        }
        return (["| code | severity | finds that | fix |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    private static func fix(_ rule: RuleDescription) -> String {
        switch rule.fix {
        case .automatic: "automatic"
        case .suggested: "suggested"
        case .displayOnly: "shown"
        case nil: "–"
        }
    }
}

/// The page of a rule in docs/rules, as Markdown.
enum RulePage {
    static func markdown(_ rule: RuleDescription) -> String {
        (start(rule) + examples(rule) + ["", "[All codes](../rules.md)"]).joined(separator: "\n")
    }

    private static func start(_ rule: RuleDescription) -> [String] {
        let origin = rule.subject.finder.map { "Found by `\($0)`" } ?? "Fix: \(rule.fixWords)"
        return [
            "# `\(rule.code)`", "",
            "\(rule.summary.prefix(1).uppercased())\(rule.summary.dropFirst()). Severity: \(rule.shownSeverity). "
                + "\(origin). Source: \(rule.basis.map(\.words).joined(separator: ", ")).",
            "", rule.reason, "",
        ]
    }

    /// The examples; without a report for a code that no file shows, but with advice.
    private static func examples(_ rule: RuleDescription) -> [String] {
        guard rule.subject.finder == nil else {
            return ["Bad:", ""] + fenced(rule.badShown) + ["", "Good:", ""] + fenced(rule.goodShown)
                + ["", "What to do: \(rule.advice ?? "")"]
        }
        let report = RuleExample.report(rule)
        let renderer = TextRenderer(style: TextStyle(isColored: false), width: nil)
        let output = report.diagnostics.flatMap { renderer.render($0, in: report.source) }
        let options = rule.exampleOption.map { " with `\($0)`" } ?? ""
        return ["Bad\(options):", ""] + fenced(rule.badShown) + [""] + fenced(output.joined(separator: "\n"))
            + ["", "Good:", ""] + fenced(rule.goodShown)
    }

    private static func fenced(_ text: String) -> [String] {
        let fence = text.contains("```") ? "````" : "```"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return [fence] + lines.map(String.init) + [fence]
    }
}

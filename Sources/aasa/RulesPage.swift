import Diagnostics

/// The generated part of docs/rules.md: a table of all rules, and what `aasa explain` says about each.
enum RulesPage {
    static func markdown(_ rules: [RuleDescription]) -> String {
        (table(rules) + rules.flatMap(section)).joined(separator: "\n")
    }

    private static func table(_ rules: [RuleDescription]) -> [String] {
        let rows = rules.map { rule in
            let summary = rule.summary.replacing("|", with: "\\|")
            return "| [`\(rule.code)`](#\(rule.code)) | \(severity(rule)) | \(summary) | \(fix(rule)) |"
        }
        return ["| code | severity | finds that | fix |", "|---|---|---|---|"] + rows
    }

    private static func section(_ rule: RuleDescription) -> [String] {
        let report = RuleExample.report(rule)
        let renderer = TextRenderer(style: TextStyle(isColored: false), width: nil)
        let output = report.diagnostics.flatMap { renderer.render($0, in: report.source) }
        let options = rule.minimumIOS.map { " with `--minimum-ios \($0)`" } ?? ""
        return [
            "", "## `\(rule.code)`", "",
            "\(rule.summary.prefix(1).uppercased())\(rule.summary.dropFirst()). Severity: \(severity(rule)). "
                + "Fix: \(Explain.fix(rule)). Source: \(rule.basis.map(Explain.basis).joined(separator: ", ")).",
            "", rule.reason, "", "Bad\(options):", "",
        ] + fenced(rule.badShown) + [""] + fenced(output.joined(separator: "\n")) + ["", "Good:", ""]
            + fenced(rule.goodShown)
    }

    private static func severity(_ rule: RuleDescription) -> String {
        rule.isOnByDefault ? rule.severity.rawValue : "off"
    }

    private static func fix(_ rule: RuleDescription) -> String {
        switch rule.fix {
        case .automatic: "automatic"
        case .suggested: "suggested"
        case .displayOnly: "shown"
        case nil: "–"
        }
    }

    private static func fenced(_ text: String) -> [String] {
        let fence = text.contains("```") ? "````" : "```"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return [fence] + lines.map(String.init) + [fence]
    }
}

import Foundation
import ServiceHealth
import TestSupport
import Testing

/// `aasa export prometheus-alerts` and `grafana-dashboard`.
@Suite("aasa export for monitoring", .waiting)
struct ExportMonitoringTests {
    private static let promtool = ExternalProgram("promtool", package: "prometheus")

    private let tool: BuiltTool

    init() throws { tool = try BuiltTool() }

    @Test("files are printed, or written into a folder; they need no files of a site")
    func written() throws {
        let printed = try tool.run("export", "prometheus-alerts")
        #expect(printed.status == 0 && printed.text.hasPrefix("# Made by 'aasa export prometheus-alerts'."))
        let written = try tool.run("export", "prometheus-alerts", "--out", "rules")
        #expect(written.status == 0 && written.text.hasPrefix("wrote rules/aasa-alerts.yml\n"))
        #expect(try tool.text("rules/aasa-alerts.yml") == printed.text)
        #expect(try tool.run("export", "prometheus-alerts", "--out", "rules").text.hasPrefix("unchanged rules/"))

        try tool.write("mine", to: "rules/aasa-alerts.yml")
        let refused = try tool.run("export", "prometheus-alerts", "--out", "rules")
        #expect(refused.status == 74 && refused.errors.contains("help: replace the file with --force"))
        #expect(try tool.run("export", "prometheus-alerts", "--out", "rules", "--force").status == 0)
        #expect(try tool.text("rules/aasa-alerts.yml") == printed.text)

        let json = try tool.run("export", "grafana-dashboard", "--format", "json").object()
        let files = try #require(json["files"] as? [[String: Any]])
        #expect(files[0]["content"] as? String == (try tool.run("export", "grafana-dashboard").text))
    }

    @Test(
        "what is for the files of a site is refused, and a name that is nearly right has a hint",
        arguments: [
            (["prometheus-alerts", "aasa"], "prometheus-alerts needs no files"),
            (["grafana-dashboard", "--domain", "example.com"], "needs no files, and neither --domain"),
            (["prometheus-alert"], "did you mean 'prometheus-alerts'?"),
        ])
    func refused(_ arguments: [String], _ message: String) throws {
        let outcome = try tool.run(["export"] + arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        "promtool takes the rules, and each fires when its metric says so, with the severity of the problem",
        .needs(promtool))
    func fires() throws {
        #expect(try tool.run("export", "prometheus-alerts", "--out", ".").status == 0)
        var tests: [String] = []
        for alert in Alert.all where alert.severity == nil {
            let kind = try #require(Self.kind(alert))
            let summary = alert.summary.replacing("{{ $labels.site }}", with: "a.example")
            tests += [
                "  - interval: 1m", "    input_series:",
                "      - series: 'aasa_build_info'", "        values: '1x200'",
                "      - series: 'aasa_problems{kind=\"\(kind)\",severity=\"critical\",site=\"a.example\"}'",
                "        values: '_x9 1x100'", "    alert_rule_test:",
            ]
            for (time, isFiring) in [(5, false), (20 + alert.minutes, true)] {
                tests += ["      - eval_time: \(time)m", "        alertname: \(alert.name)"]
                guard isFiring else { continue }
                tests += [
                    "        exp_alerts:",
                    "          - exp_labels: {kind: \(kind), severity: critical, site: a.example}",
                    "            exp_annotations:",
                    "              summary: '\(summary.replacing("'", with: "''"))'",
                    "              description: '\(alert.action.replacing("'", with: "''"))'",
                ]
            }
        }
        try tool.write(
            (["rule_files: [aasa-alerts.yml]", "tests:"] + tests + [""]).joined(separator: "\n"), to: "test.yml")
        let outcome = try tool.shell("promtool check rules aasa-alerts.yml && promtool test rules test.yml")
        #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
        #expect(outcome.text.contains("SUCCESS: \(Alert.all.count) rules found"), "\(outcome.text)")
    }

    @Test("promtool takes the expressions of the dashboard", .needs(promtool))
    func dashboard() throws {
        let rules = Dashboard.expressions.enumerated().map { number, expression in
            "  - record: aasa:panel\(number)\n    expr: '\(expression)'\n"
        }
        try tool.write("groups:\n- name: panels\n  rules:\n" + rules.joined(), to: "panels.yml")
        let outcome = try tool.shell("promtool check rules panels.yml")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// A kind of problem that an alert is about.
    private static func kind(_ alert: Alert) -> String? {
        if alert.name == "AasaStoreProblem" { return "store-listen-broken" }
        if alert.name == "AasaProblem" { return "finding" }
        return alert.expression.firstMatch(of: #/kind="([a-z-]+)"/#).map { String($0.1) }
    }
}

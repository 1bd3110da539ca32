import BoundedText
import CommandLineSupport
import Diagnostics
import HostRecipes
import ServiceHealth
import SystemSupport

/// A file that `aasa export` writes for a monitoring system; it needs no files of a site.
enum MonitoringExport: String, CaseIterable {
    case alerts = "prometheus-alerts"
    case dashboard = "grafana-dashboard"

    var title: String {
        switch self {
        case .alerts: "Prometheus, the rules of alerts"
        case .dashboard: "Grafana, a dashboard to import"
        }
    }

    /// The name of the file in the folder of `--out`.
    var path: String {
        switch self {
        case .alerts: "aasa-alerts.yml"
        case .dashboard: "aasa-dashboard.json"
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .alerts: Alert.prometheusRules
        case .dashboard: Dashboard.json
        }
    }

    private var step: String {
        switch self {
        case .alerts: "name the file below 'rule_files' in prometheus.yml, and reload Prometheus"
        case .dashboard: "import the file in Grafana, below Dashboards, New, Import"
        }
    }

    /// - Parameter write: writes files into the folder of `--out`; nil to print the file.
    func run(
        _ format: ResultFormat, into folder: String?,
        _ write: ([ExportPlan.File]) throws(CommandFailure) -> [ExportWriter.Outcome]?
    ) throws(CommandFailure) {
        let file = ExportPlan.File(path: path, role: .configuration, bytes: bytes)
        let outcome = try write([file])?.first
        switch (format, outcome) {
        case (.json, _):
            var members: [String: JSONOutput] = ["path": .string(path), "content": .string(String(text: bytes))]
            if let outcome { members["status"] = .string(outcome == .unchanged ? "unchanged" : "written") }
            StandardOutput.print([
                JSONOutput.object([
                    "version": .number(1), "host": .string(rawValue), "title": .string(title),
                    "files": .array([.object(members)]), "steps": .array([.string(step)]),
                ]).text
            ])
        case (.text, nil):
            var results = StandardOutput()
            results.write(bytes: bytes)
            results.flush()
        case (.text, let outcome?):
            let shown = VisibleText.escaped(Path.join(folder ?? "", path))
            StandardOutput.print([
                outcome == .unchanged ? "unchanged \(shown)" : "wrote \(shown)", "", "Next steps:", "  1. \(step)",
            ])
        }
    }
}

import ServiceHealth

/// The table of docs/monitoring.md: what each alert means, and what to do then.
enum AlertTable {
    static var markdown: String {
        let rows = Alert.all.map { alert in
            let summary = alert.summary.replacing("{{ $labels.site }}", with: "a site")
                .replacing("{{ $labels.reason }}", with: "with the reason")
            return "| `\(alert.name)` | \(alert.minutes) min | \(summary) | \(code(alert.action)) |"
        }
        return (["| alert | after | what is wrong | what to do |", "|---|---|---|---|"] + rows)
            .joined(separator: "\n") + "\n"
    }

    /// The text with what is in single quotes as code.
    private static func code(_ text: String) -> String { text.replacing(#/'([^']+)'/#) { "`\($0.1)`" } }
}

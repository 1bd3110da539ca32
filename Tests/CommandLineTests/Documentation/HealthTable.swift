import ServiceHealth
import TestSupport

/// The table of docs/health.md about what is said of the health of a server, made from the health itself.
enum HealthTable {
    static var markdown: String {
        let lines = [
            "| situation | severity | site | kinds | `status` | `serve --check` | `--strict` | nagios | `certificates` "
                + "| `/readyz` |", "|---|---|---|---|---|---|---|---|---|---|",
        ]
        return (lines + HealthSituation.all.map(row)).joined(separator: "\n") + "\n"
    }

    private static func row(_ situation: HealthSituation) -> String {
        let now = HealthSituation.now
        let health = SiteHealth(situation.facts, now: now)
        let strict = SiteHealth(situation.facts, SiteHealth.Options(isStrict: true), now: now)
        let sites = health.severities.values.max()?.word ?? "ok"
        let kinds = (health.problems + health.remarks).map { "`\($0.kind.rawValue)`" }
        let plugin = HealthText(health, now: now).nagios()[0].split(separator: " ")[1]
        let severity = health.severity
        let isReady = !health.problems.contains { $0.kind == .notReady }
        let cells = [
            situation.name, severity.word, sites, kinds.joined(separator: ", "),
            "\(severity.pluginCode(isStrict: false))", "\(severity.exitCode(isStrict: false))",
            "\(strict.severity.exitCode(isStrict: true))", "\(severity.pluginCode(isStrict: false)) \(plugin)",
            "\(health.ofCertificates.severity.exitCode(isStrict: false))", isReady ? "200" : "503",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}

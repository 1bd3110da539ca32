/// A reason for a monitoring system to alert: one for each kind of problem that ``SiteHealth`` knows, and a few for what is
/// only counted. The rules for Prometheus and the table in docs/monitoring.md are made of it.
package struct Alert: Sendable {
    package let name: String
    /// In Prometheus' language.
    package let expression: String
    /// The minutes for which it has to hold.
    package let minutes: Int
    /// The severity; nil if the series has a label with it, which rises with the problem.
    package let severity: HealthSeverity?
    /// The problem, in one clause; `{{ $labels.site }}` is the domain.
    package let summary: String
    /// The way out.
    package let action: String

    private init(
        _ name: String, _ expression: String, minutes: Int, severity: HealthSeverity? = nil, _ summary: String,
        _ action: String
    ) {
        (self.name, self.expression, self.minutes, self.severity) = (name, expression, minutes, severity)
        (self.summary, self.action) = (summary, action)
    }

    /// An alert on the problems of a kind.
    private init(_ name: String, _ kind: HealthKind, minutes: Int, _ summary: String, _ action: String) {
        self.init(name, "aasa_problems{kind=\"\(kind.rawValue)\"} > 0", minutes: minutes, summary, action)
    }

    /// All alerts: those to be acted on first come first.
    package static let all: [Alert] =
        [
            Alert(
                "AasaAbsent", "absent(aasa_build_info)", minutes: 5, severity: .critical, "no server reports metrics",
                "see whether 'aasa serve' runs, and whether Prometheus reaches its admin listener"),
            Alert(
                "AasaLoopStuck", .loopStuck, minutes: 1, "an event loop does not answer",
                "see the log; restart the server if this stays"),
            Alert(
                "AasaNotReady", .notReady, minutes: 5, "the server is not ready",
                "see '/readyz': it starts, stops, or no site has a valid file"),
        ] + sites + certificates + stores + others + [rest]

    private static let sites = [
        Alert(
            "AasaSiteRefused", .refused, minutes: 1, "{{ $labels.site }} answers 503",
            "correct the association file: 'aasa status DOMAIN' says where; links do not open the app meanwhile"),
        Alert(
            "AasaFileRefused", .fileRefused, minutes: 1, "a file of {{ $labels.site }} answers 503",
            "correct the file that 'aasa status DOMAIN' names"),
        Alert(
            "AasaSiteStale", .stale, minutes: 15, "{{ $labels.site }} serves an older file",
            "correct the newest file: 'aasa status DOMAIN' says where"),
        Alert(
            "AasaStaleUntilRestart", .staleUntilRestart, minutes: 60, "the last good file is in memory only",
            "correct the newest file before the server restarts, and set 'stateFolder' in server.json"),
        Alert(
            "AasaConfigurationRefused", .configurationRefused, minutes: 5, "the last reload was not taken up",
            "correct server.json: 'aasa status' says where; a restart would fail"),
    ]

    private static let certificates = [
        Alert(
            "AasaNoCertificate", .noCertificate, minutes: 10, "{{ $labels.site }} has no certificate",
            "put one into the folder of certificates, or see 'aasa certificates DOMAIN' for the order"),
        Alert(
            "AasaCertificateExpired", .certificateExpired, minutes: 1,
            "the certificate of {{ $labels.site }} is not valid",
            "renew it now, or see 'aasa certificates DOMAIN' for the order"),
        Alert(
            "AasaCertificateExpires", .certificateExpires, minutes: 60,
            "the certificate of {{ $labels.site }} was not renewed in time",
            "find out why: 'aasa certificates DOMAIN' has the last error, or renew it yourself"),
        Alert(
            "AasaCertificateRefused", .certificateRefused, minutes: 5, "the files of a certificate cannot be used",
            "correct the pair that 'aasa status' names; the one before stays in use, if there was one"),
        Alert(
            "AasaCertificateFinding", .certificateFinding, minutes: 60, "the files of a certificate need attention",
            "'aasa certificates' says which, and why"),
    ]

    private static let stores = [
        Alert(
            "AasaStoreUnreachable", HealthKind(rawValue: "store-unreachable"), minutes: 2,
            "the store does not answer",
            "see the database; what is served stays as it is, and nothing new is published"),
        Alert(
            "AasaStoreEmptied", HealthKind(rawValue: "store-emptied"), minutes: 0, "the store lost its sites",
            "restore the database, or run 'aasa store status'; the servers keep what they have"),
        Alert(
            "AasaStoreProblem", "aasa_problems{kind=~\"store-.*\",kind!~\"store-(unreachable|emptied)\"} > 0",
            minutes: 15, "the store needs attention", "run 'aasa store status'"),
        Alert(
            "AasaNodeSilent", .nodeSilent, minutes: 2, "a node does not report itself",
            "start it, or run 'aasa store nodes --forget NAME' if it is gone for good"),
        Alert(
            "AasaNodeBehind", .nodeBehind, minutes: 5, "a node serves an older generation",
            "run 'aasa status' on that machine"),
        Alert(
            "AasaNodeMissing", .nodeMissing, minutes: 5, "fewer nodes follow the store than are expected",
            "start the others, or correct 'storeNodes' in server.json"),
    ]

    private static let others = [
        Alert(
            "AasaAppleError", .appleError, minutes: 15, "Apple did not get the file of {{ $labels.site }}",
            "run 'aasa doctor DOMAIN'"),
        Alert(
            "AasaAppleSilent", .appleSilent, minutes: 60, "Apple has stopped asking for {{ $labels.site }}",
            "run 'aasa doctor DOMAIN': a firewall or a changed address is the usual reason"),
        Alert(
            "AasaConnectionsRefused", "rate(aasa_connections_refused_total[5m]) > 0", minutes: 15, severity: .warning,
            "connections are refused: {{ $labels.reason }}",
            "raise the limit that is reached, or add the proxy to 'trustedProxies'"),
        Alert(
            "AasaLogDropped", "increase(aasa_log_dropped_total[5m]) > 0", minutes: 15, severity: .warning,
            "lines of the access log are dropped",
            "see what reads the log, or whether a client floods the server"),
    ]
}

extension Alert {
    /// The alert on kinds that have none of their own: findings of folders and settings.
    private static let rest = Alert(
        "AasaProblem", "aasa_problems{kind!~\"\(own.map(\.rawValue).joined(separator: "|"))|store-.*\"} > 0",
        minutes: 15,
        "a folder or setting cannot be used", "'aasa status' says which")

    /// The kinds that have an alert of their own.
    private static let own = HealthKind.known.filter { $0 != .finding && $0 != .fileWarnings }

    /// All alerts as a file of rules for Prometheus.
    package static var prometheusRules: [UInt8] {
        var lines = [
            "# Made by 'aasa export prometheus-alerts'. Name this file below 'rule_files' in prometheus.yml.",
            "groups:", "  - name: aasa", "    rules:",
        ]
        for alert in all {
            lines += [
                "      - alert: \(alert.name)", "        expr: \(text(alert.expression))",
                "        for: \(alert.minutes)m",
            ]
            if let severity = alert.severity { lines += ["        labels:", "          severity: \(severity.word)"] }
            lines += [
                "        annotations:", "          summary: \(text(alert.summary))",
                "          description: \(text(alert.action))",
            ]
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// A scalar of YAML between single quotes, in which only the quote itself has to be doubled.
    private static func text(_ text: String) -> String {
        "'" + text.replacing("'", with: "''") + "'"
    }
}

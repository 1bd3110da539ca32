internal import Diagnostics

/// A dashboard of a server, or of all nodes of a store, for Grafana: health first, then what is served.
package enum Dashboard {
    private enum Unit: String {
        case short, bytes
        case seconds = "s"
        case perSecond = "reqps"
    }

    private struct Query {
        let expression: String
        let legend: String

        init(_ expression: String, _ legend: String = "") { (self.expression, self.legend) = (expression, legend) }
    }

    /// One panel; 24 columns are the whole width.
    private struct Panel {
        let title: String
        let type: String
        let width: Int
        let height: Int
        let unit: Unit
        let queries: [Query]
        /// The values from which a number is orange and red; nil for one that means no harm.
        var thresholds: (warning: Int, critical: Int)?

        init(
            _ title: String, _ type: String, _ width: Int, _ height: Int = 8, in unit: Unit = .short,
            _ queries: [Query], thresholds: (Int, Int)? = nil
        ) {
            (self.title, self.type, self.width, self.height, self.unit) = (title, type, width, height, unit)
            (self.queries, self.thresholds) = (queries, thresholds)
        }
    }

    private static let panels = [
        Panel(
            "Health (0 ok, 1 warning, 2 critical)", "stat", 6, 4, [Query("max(aasa_health_severity)")],
            thresholds: (1, 2)),
        Panel("Problems", "stat", 6, 4, [Query("sum(aasa_problems) or vector(0)")], thresholds: (1, 1_000_000)),
        Panel("Sites", "stat", 6, 4, [Query("max(sum by (instance) (aasa_sites))")]),
        Panel(
            "Next certificate expires in", "stat", 6, 4, in: .seconds,
            [Query("min(aasa_certificate_not_after_seconds) - time()")]),
        Panel(
            "What is wrong", "table", 24, 8,
            [Query("sort_desc(max by (severity, kind, site) (aasa_problems) > 0)")]),
        Panel(
            "Answers", "timeseries", 12, 8, in: .perSecond,
            [Query("sum by (code) (rate(aasa_requests_total[5m])) > 0", "{{code}}")]),
        Panel(
            "Requests of Apple's programs", "timeseries", 12, 8, in: .perSecond,
            [Query("sum by (agent, code) (rate(aasa_apple_requests_total[1h])) > 0", "{{agent}} {{code}}")]),
        Panel(
            "Handshakes", "timeseries", 12, 8, in: .perSecond,
            [
                Query(
                    "sum by (version, resumed) (rate(aasa_handshakes_total[5m])) > 0",
                    "TLS {{version}}, resumed {{resumed}}"),
                Query("sum by (reason) (rate(aasa_handshake_failures_total[5m])) > 0", "failed: {{reason}}"),
            ]),
        Panel(
            "Connections", "timeseries", 12, 8,
            [
                Query("sum by (instance) (aasa_connections)", "{{instance}}"),
                Query("sum by (reason) (increase(aasa_connections_refused_total[5m])) > 0", "refused: {{reason}}"),
            ]),
        Panel(
            "Sites by state", "timeseries", 12, 8, [Query("max by (state) (aasa_sites)", "{{state}}")]),
        Panel(
            "Orders of certificates, by result", "timeseries", 12, 8,
            [Query("sum by (result) (increase(aasa_acme_orders_total[1d]))", "{{result}} in a day")]),
        Panel(
            "Generation that a node serves", "timeseries", 12, 8,
            [Query("max by (instance) (aasa_store_generation)", "{{instance}}")]),
        Panel(
            "Resident memory", "timeseries", 12, 8, in: .bytes,
            [Query("process_resident_memory_bytes and on (instance, job) aasa_build_info", "{{instance}}")]),
    ]

    /// The dashboard as the JSON that Grafana imports, which asks for the data source then.
    package static var json: [UInt8] {
        let source = JSONOutput.object(["type": .string("prometheus"), "uid": .string("${datasource}")])
        var (x, y, rowHeight) = (0, 0, 0)
        let panels = panels.enumerated().map { number, panel in
            if x + panel.width > 24 { (x, y, rowHeight) = (0, y + rowHeight, 0) }
            defer { (x, rowHeight) = (x + panel.width, max(rowHeight, panel.height)) }
            return JSONOutput.object([
                "id": .number(number + 1), "title": .string(panel.title), "type": .string(panel.type),
                "datasource": source,
                "gridPos": .object(
                    [
                        "x": .number(x), "y": .number(y), "w": .number(panel.width), "h": .number(panel.height),
                    ]),
                "targets": .array(panel.queries.enumerated().map { target($1, number: $0, of: panel, source) }),
                "fieldConfig": .object(["defaults": defaults(panel), "overrides": .array([])]),
                "options": options(panel),
            ])
        }
        let variable = JSONOutput.object([
            "name": .string("datasource"), "label": .string("Data source"), "type": .string("datasource"),
            "query": .string("prometheus"),
        ])
        let dashboard = JSONOutput.object([
            "title": .string("aasa"), "uid": .string("aasa"), "tags": .array([.string("aasa")]),
            "schemaVersion": .number(39), "version": .number(1), "editable": .boolean(true),
            "refresh": .string("1m"), "time": .object(["from": .string("now-6h"), "to": .string("now")]),
            "templating": .object(["list": .array([variable])]), "panels": .array(panels),
        ])
        return Array((dashboard.text + "\n").utf8)
    }

    private static func target(
        _ query: Query, number: Int, of panel: Panel, _ source: JSONOutput
    ) -> JSONOutput {
        let isTable = panel.type == "table"
        return .object([
            "refId": .string(number == 0 ? "A" : "B"), "datasource": source, "expr": .string(query.expression),
            "legendFormat": .string(query.legend), "instant": .boolean(isTable || panel.type == "stat"),
            "range": .boolean(panel.type == "timeseries"), "format": .string(isTable ? "table" : "time_series"),
        ])
    }

    private static func defaults(_ panel: Panel) -> JSONOutput {
        func step(_ color: String, _ value: Int?) -> JSONOutput {
            .object(["color": .string(color), "value": value.map(JSONOutput.number) ?? .null])
        }
        let harm = panel.thresholds.map { [step("orange", $0.warning), step("red", $0.critical)] } ?? []
        return .object([
            "unit": .string(panel.unit.rawValue),
            "thresholds": .object(
                ["mode": .string("absolute"), "steps": .array([step("green", nil)] + harm)]),
        ])
    }

    private static func options(_ panel: Panel) -> JSONOutput {
        panel.type == "stat"
            ? .object([
                "colorMode": .string(panel.thresholds == nil ? "none" : "value"),
                "reduceOptions": .object(["calcs": .array([.string("lastNotNull")])]),
            ]) : .object([:])
    }
}

extension Dashboard {
    /// The expressions of all panels.
    package static var expressions: [String] { panels.flatMap { panel in panel.queries.map { $0.expression } } }
}

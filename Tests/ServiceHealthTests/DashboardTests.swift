import Foundation
import ServiceHealth
import TestSupport
import Testing

/// The dashboard against what Grafana publishes of the schema of a dashboard (its kind `Dashboard`, and the queries of the
/// Prometheus data source).
@Suite("The dashboard")
struct DashboardTests {
    private let dashboard: [String: Any]
    private let panels: [[String: Any]]

    init() throws {
        dashboard = try #require(
            try JSONSerialization.jsonObject(with: Data(Dashboard.json)) as? [String: Any])
        panels = try #require(dashboard["panels"] as? [[String: Any]])
    }

    @Test("each member is one of the schema, of its kind, and none is missing")
    func schema() {
        #expect(Shape.dashboard.problems(dashboard, at: "dashboard") == [])
    }

    @Test(
        "the schema has members of another kind, unknown ones and missing ones reported",
        arguments: [
            (#"{"title": 7}"#, "dashboard.title is not text"), (#"{"titel": "x"}"#, "dashboard.titel is unknown"),
            (#"{"panels": [{}]}"#, "dashboard.panels[0].type is missing"),
            (#"{"schemaVersion": "39"}"#, "dashboard.schemaVersion is not a number in 36...100"),
            (#"{"panels": [{"gridPos": {"w": 25}}]}"#, "dashboard.panels[0].gridPos.w is not a number in 1...24"),
        ])
    func faulty(_ json: String, problem: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
        #expect(Shape.dashboard.problems(value, at: "dashboard").contains(problem))
    }

    @Test("panels fill rows of 24 columns without overlap, one below the other")
    func grid() throws {
        var taken: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y) = (try #require(place["x"]), try #require(place["y"]))
            let (width, height) = (try #require(place["w"]), try #require(place["h"]))
            #expect(x + width <= 24)
            for column in x..<x + width {
                for row in y..<y + height { #expect(taken.insert([column, row]).inserted) }
            }
        }
        // No row is left out.
        #expect(Set(taken.map { $0[1] }).count == (taken.map { $0[1] }.max() ?? 0) + 1)
    }

    @Test("numbers of panels, letters of queries and names of variables are each there once, and are used")
    func names() throws {
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        #expect(Set(panels.compactMap { $0["title"] as? String }).count == panels.count)
        for panel in panels {
            let targets = try #require(panel["targets"] as? [[String: Any]])
            #expect(!targets.isEmpty && targets.allSatisfy { ($0["expr"] as? String)?.isEmpty == false })
            #expect(Set(targets.compactMap { $0["refId"] as? String }).count == targets.count)
        }
        let list = (dashboard["templating"] as? [String: Any])?["list"] as? [[String: Any]]
        let variables = try #require(list).compactMap { $0["name"] as? String }
        #expect(Set(variables).count == variables.count)
        let text = String(decoding: Dashboard.json, as: UTF8.self)
        let used = Set(text.matches(of: #/\$\{([a-z]+)\}/#).map { String($0.1) })
        #expect(used == Set(variables))
    }

    @Test("the values from which a number is coloured grow, and the first one has no bound")
    func thresholds() throws {
        for panel in panels {
            let defaults = (panel["fieldConfig"] as? [String: Any])?["defaults"] as? [String: Any]
            let thresholds = defaults?["thresholds"] as? [String: Any]
            let steps = try #require(thresholds?["steps"] as? [[String: Any]])
            #expect(steps.first?["value"] is NSNull)
            let values = steps.dropFirst().compactMap { $0["value"] as? Int }
            #expect(values.count == steps.count - 1 && values == values.sorted() && Set(values).count == values.count)
        }
    }
}

/// The shape of a value in JSON.
private indirect enum Shape: Sendable {
    case text
    case word([String])
    case number(ClosedRange<Int>)
    case numberOrNull
    case boolean
    case list(Shape)
    /// An object with these members, and no others; those in the second list have to be there.
    case object([String: Shape], required: [String])

    func problems(_ value: Any, at path: String) -> [String] {
        switch self {
        case .text: return value is String ? [] : ["\(path) is not text"]
        case .word(let words):
            return (value as? String).map(words.contains) == true ? [] : ["\(path) is not one of \(words)"]
        case .number(let range):
            return (value as? Int).map(range.contains) == true ? [] : ["\(path) is not a number in \(range)"]
        case .numberOrNull: return value is Int || value is NSNull ? [] : ["\(path) is neither a number nor null"]
        case .boolean: return value is Bool ? [] : ["\(path) is not true or false"]
        case .list(let element):
            guard let list = value as? [Any] else { return ["\(path) is not a list"] }
            return list.enumerated().flatMap { element.problems($1, at: "\(path)[\($0)]") }
        case .object(let members, let required):
            guard let object = value as? [String: Any] else { return ["\(path) is not an object"] }
            let missing = required.filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
            return missing
                + object.sorted { $0.key < $1.key }.flatMap { key, value in
                    members[key]?.problems(value, at: "\(path).\(key)") ?? ["\(path).\(key) is unknown"]
                }
        }
    }

    private static let source = object(
        ["type": .word(["prometheus"]), "uid": .text], required: ["type", "uid"])

    private static let target = object(
        [
            "refId": .text, "datasource": source, "expr": .text, "legendFormat": .text, "instant": .boolean,
            "range": .boolean, "format": .word(["time_series", "table", "heatmap"]),
        ], required: ["refId", "expr"])

    private static let thresholds = object(
        [
            "mode": .word(["absolute", "percentage"]),
            "steps": .list(object(["color": .text, "value": .numberOrNull], required: ["color"])),
        ], required: ["mode", "steps"])

    private static let panel = object(
        [
            "id": .number(1...1_000), "title": .text, "type": .word(["stat", "table", "timeseries"]),
            "datasource": source,
            "gridPos": object(
                ["x": .number(0...23), "y": .number(0...1_000), "w": .number(1...24), "h": .number(1...100)],
                required: ["x", "y", "w", "h"]),
            "targets": .list(target),
            "fieldConfig": object(
                [
                    "defaults": object(
                        ["unit": .word(["short", "bytes", "s", "reqps"]), "thresholds": thresholds], required: []),
                    "overrides": .list(object([:], required: [])),
                ], required: ["defaults", "overrides"]),
            "options": object(
                [
                    "colorMode": .word(["none", "value", "background", "background_solid"]),
                    "reduceOptions": object(["calcs": .list(.word(["lastNotNull"]))], required: ["calcs"]),
                ], required: []),
        ], required: ["id", "type", "title", "gridPos", "targets", "fieldConfig", "options"])

    private static let variable = object(
        ["name": .text, "label": .text, "type": .word(["datasource", "query", "custom"]), "query": .text],
        required: ["name", "type"])

    static let dashboard = object(
        [
            "title": .text, "uid": .text, "tags": .list(.text), "schemaVersion": .number(36...100),
            "version": .number(0...Int(UInt32.max)), "editable": .boolean, "refresh": .text,
            "time": object(["from": .text, "to": .text], required: ["from", "to"]),
            "templating": object(["list": .list(variable)], required: ["list"]), "panels": .list(panel),
        ], required: ["title", "uid", "schemaVersion", "panels", "time", "templating"])
}

import Foundation
import ServiceHealth
import TestSupport
import Testing

@Suite("Alerts and the dashboard")
struct AlertTests {
    @Test("each kind of problem has one alert, and kinds of findings share one")
    func kinds() throws {
        let kinds = HealthKind.known.filter { $0 != .finding && $0 != .fileWarnings }
        let rest = try #require(Alert.all.last)
        for kind in kinds {
            let own = Alert.all.filter { $0.expression == "aasa_problems{kind=\"\(kind.rawValue)\"} > 0" }
            #expect(own.count == 1, "\(kind)")
            #expect(rest.expression.contains("\(kind.rawValue)|"), "\(kind)")
        }
        #expect(Set(Alert.all.map(\.name)).count == Alert.all.count)
    }

    @Test("a summary names the site only where the series has one, and no text is a whole sentence")
    func texts() {
        for alert in Alert.all {
            #expect(!alert.summary.hasSuffix(".") && !alert.action.hasSuffix("."), "\(alert.name)")
            let isOfServer =
                alert.expression.contains("kind=\"node-") || alert.expression.contains("kind=~\"store-")
                || alert.severity != nil
            #expect(!isOfServer || !alert.summary.contains("$labels.site"), "\(alert.name)")
        }
    }

    @Test("panels fill rows of 24 columns without overlap, and the file is what Grafana imports")
    func dashboard() throws {
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(Dashboard.json)) as? [String: Any])
        #expect(json["schemaVersion"] as? Int == 39 && json["title"] as? String == "aasa")
        let panels = try #require(json["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        var taken: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y) = (try #require(place["x"]), try #require(place["y"]))
            let (width, height) = (try #require(place["w"]), try #require(place["h"]))
            #expect(x + width <= 24)
            for column in x..<x + width {
                for row in y..<y + height { #expect(taken.insert([column, row]).inserted) }
            }
            let targets = try #require(panel["targets"] as? [[String: Any]])
            #expect(targets.allSatisfy { ($0["expr"] as? String)?.isEmpty == false })
            #expect(Set(targets.compactMap { $0["refId"] as? String }).count == targets.count)
        }
    }
}

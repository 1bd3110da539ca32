import ServiceHealth
import TestSupport
import Testing

@Suite("Alerts")
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
}

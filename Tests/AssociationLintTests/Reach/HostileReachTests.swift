import TestSupport
import Testing

@Suite("Files made to take long")
struct HostileReachTests {
    /// Ten times what the longest of them takes in a debug build; one that tries all ways never ends.
    private static let bound: Duration = .seconds(10 * Patience.slowness)

    @Test(
        "are decided in bounded time: a rule is covered by one that ends as it does",
        arguments: [
            (1, String(repeating: "*a", count: 5000), 0), (2, String(repeating: "*a?", count: 2000), 0),
            (20, "*a????????????????????????????b*", 11), (5, "/$(many)/$(many)/*", 0),
            (100, "/$(lang)/$(region)/x*", 91),
        ])
    func patterns(count: Int, pattern: String, covered: Int) {
        let rules = (0...count).map { "{\"/\": \"\(pattern)\($0)\"}" }
        let values = (0..<200).map { "\"*\($0)?\"" }
        var codes: [String] = []
        let time = ThreadTime.measure {
            let file = ReachFile(
                text: """
                    {"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.apple.a"],
                      "components": [\(rules.joined(separator: ","))]}],
                      "substitutionVariables": {"many": [\(values.joined(separator: ","))]}}}
                    """)
            codes = file.codes
        }
        #expect(time < Self.bound)
        #expect(codes == Array(repeating: "unreachable-rule", count: covered))
    }

    @Test("many entries of many apps")
    func entries() {
        let details = (0..<400).map { number in
            let apps = (0...(number % 20)).map { "\"A1B2C3D4E5.com.apple.a\($0)\"" }
            return "{\"appIDs\": [\(apps.joined(separator: ","))], \"components\": [{\"/\": \"/x\(number % 7)*\"}]}"
        }
        var codes: [String] = []
        let time = ThreadTime.measure {
            codes = ReachFile(text: "{\"applinks\": {\"details\": [\(details.joined(separator: ","))]}}").codes
        }
        #expect(time < Self.bound)
        #expect(codes.count > 200)
    }
}

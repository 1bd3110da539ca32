import Testing

@Suite("Files made to take long")
struct HostileReachTests {
    @Test(
        "are given up",
        arguments: [
            (1, String(repeating: "*a", count: 5000)), (2, String(repeating: "*a?", count: 2000)),
            (20, "*a????????????????????????????b*"), (5, "/$(many)/$(many)/*"), (100, "/$(lang)/$(region)/x*"),
        ])
    func patterns(count: Int, pattern: String) {
        let rules = (0...count).map { "{\"/\": \"\(pattern)\($0)\"}" }
        let values = (0..<200).map { "\"*\($0)?\"" }
        _ = ReachFile(
            text: """
                {"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.apple.a"],
                  "components": [\(rules.joined(separator: ","))]}],
                  "substitutionVariables": {"many": [\(values.joined(separator: ","))]}}}
                """)
    }

    @Test("many entries of many apps")
    func entries() {
        let details = (0..<400).map { number in
            let apps = (0...(number % 20)).map { "\"A1B2C3D4E5.com.apple.a\($0)\"" }
            return "{\"appIDs\": [\(apps.joined(separator: ","))], \"components\": [{\"/\": \"/x\(number % 7)*\"}]}"
        }
        let file = ReachFile(text: "{\"applinks\": {\"details\": [\(details.joined(separator: ","))]}}")
        #expect(file.codes.count > 200)
    }
}

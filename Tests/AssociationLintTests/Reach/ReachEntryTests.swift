import Testing

@Suite("Rules of several entries, and exclusions at the end")
struct ReachEntryTests {
    /// Writes entries as `a,b: /x !/y`: apps, then paths, `!` in front of an exclusion.
    private static func file(_ entries: [String]) -> ReachFile {
        let details = entries.map { entry in
            let parts = entry.split(separator: ":").map(String.init)
            let apps = parts[0].split(separator: ",").map { "\"A1B2C3D4E5.com.apple.\($0)\"" }
            let rules = parts[1].split(separator: " ").map { rule in
                rule.hasPrefix("!") ? "{\"/\": \"\(rule.dropFirst())\", \"exclude\": true}" : "{\"/\": \"\(rule)\"}"
            }
            return "{\"appIDs\": [\(apps.joined(separator: ", "))], \"components\": [\(rules.joined(separator: ", "))]}"
        }
        return ReachFile(text: "{\"applinks\": {\"details\": [\n\(details.joined(separator: ",\n"))\n]}}")
    }

    @Test(
        "an earlier entry counts if it names all apps of the later one",
        arguments: [
            (["a: *", "a: /x"], ["unreachable-rule 1/0"]), (["a: *", "b: /x"], []),
            (["a,b: *", "a: /x"], ["unreachable-rule 1/0"]), (["a: *", "a,b: /x"], []),
            (["a: *", "b: *", "a,b: /x"], []), (["a,b,c: /x/*", "c: /y", "b,a: /x/y"], ["unreachable-rule 2/0"]),
            (["a: !/x/*", "a: /x/y /z"], ["blocked-include 1/0"]), (["a: /x/*", "a: !/x/y /z"], ["dead-exclude 1/0"]),
            (["a: /x", "a: /x"], ["unreachable-rule 1/0"]), (["a,a: /x", "a: /x"], ["unreachable-rule 1/0"]),
        ])
    func entries(entries: [String], expected: [String]) {
        #expect(Self.findings(Self.file(entries)) == expected)
    }

    @Test(
        "an exclusion with nothing behind it changes nothing",
        arguments: [
            (["a: /x !/y"], ["trailing-exclude 0/1"]), (["a: !/y /x"], []), (["a: !/y"], ["trailing-exclude 0/0"]),
            (["a: !*"], []), (["a: !/*"], []), (["a: !/x !*"], ["trailing-exclude 0/0", "trailing-exclude 0/1"]),
            (["a: /x !/y !/z"], ["trailing-exclude 0/1", "trailing-exclude 0/2"]),
            (["a: /x !/y", "a: /z"], []), (["a: /x !/y", "b: /z"], ["trailing-exclude 0/1"]),
            (["a,b: /x !/y", "b: /z"], []),
            (["a: /x !/y", "a: !/z"], ["trailing-exclude 0/1", "trailing-exclude 1/0"]),
            (["a: /x !/y", "a: !*"], ["trailing-exclude 0/1"]),
            // What is covered is not blamed again.
            (["a: * !/y"], ["dead-exclude 0/1"]), (["a: !/y/* !/y/z /x"], ["unreachable-rule 0/1"]),
        ])
    func trailing(entries: [String], expected: [String]) {
        #expect(Self.findings(Self.file(entries)) == expected)
    }

    @Test(
        "rules whose types are not sound are left alone",
        arguments: [
            #"{"appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [{"/": "*"}, {"/": 1}, {"/": "/x", "exclude": true}]}"#,
            #"{"appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [{"/": "*"}, {"/": "/x", "exclude": "yes"}]}"#,
            #"{"appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [{"/": "*"}, {"/": "/x", "?": {"a": 1}}]}"#,
            #"{"appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [{"/": "*"}, "/x", {"/": "/x"}]}"#,
            #"{"appIDs": ["A1B2C3D4E5.com.apple.a"], "components": "*", "paths": ["*", "/x"]}"#,
            #"{"appID": "A1B2C3D4E5.com.apple.a", "paths": ["*", 1, "NOT /x"]}"#,
            #"{"appIDs": ["A1B2C3D4E5.com.apple.a"], "defaults": {"exclude": 1}, "components": [{}, {}]}"#,
            #"{"appIDs": [], "components": [{"/": "*"}, {"/": "/x"}]}"#,
        ])
    func unsound(entry: String) {
        #expect(ReachFile(text: "{\"applinks\": {\"apps\": [], \"details\": [\(entry)]}}").codes == [])
    }

    @Test("an entry that is not sound may open anything, so no exclusion in front of it is at the end")
    func unsoundBehind() {
        let entries = #"""
            {"appID": "A1B2C3D4E5.com.apple.a", "paths": ["/x", "NOT /y"]},
            {"appID": "A1B2C3D4E5.com.apple.a", "paths": ["NOT /z", 1]}
            """#
        #expect(ReachFile(text: "{\"applinks\": {\"apps\": [], \"details\": [\(entries)]}}").codes == [])
    }

    @Test("defaults are filled in")
    func defaults() {
        let file = ReachFile(
            text: #"""
                {"applinks": {"defaults": {"caseSensitive": false}, "details": [
                  {"appIDs": ["A1B2C3D4E5.com.apple.a"], "defaults": {"?": {"q": "1"}},
                   "components": [{"/": "/X/*"}, {"/": "/x/y"}, {"/": "/x/z", "?": {"q": "2"}}]}]}}
                """#)
        #expect(file.pointers == ["/applinks/details/0/components/1"])
    }

    @Test("a dictionary of entries is read too")
    func dictionary() {
        let file = ReachFile(
            text: #"""
                {"applinks": {"apps": [], "details": {"A1B2C3D4E5.com.apple/a": {"paths": ["/x/*", "NOT /x/y", "/z"]}}}}
                """#)
        #expect(file.codes == ["dead-exclude"])
        #expect(file.pointers == ["/applinks/details/A1B2C3D4E5.com.apple~1a/paths/1"])
    }

    private static func findings(_ file: ReachFile) -> [String] {
        zip(file.codes, file.pointers).map { code, pointer in
            let parts = pointer.split(separator: "/")
            return "\(code) \(parts[2])/\(parts[4])"
        }
    }
}

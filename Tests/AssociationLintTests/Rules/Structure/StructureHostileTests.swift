import AssociationLint
import Diagnostics
import Testing

@Suite("Structure: large and odd files")
struct StructureHostileTests {
    /// Some texts one after the other, with their numbers in them for `#`.
    private static func many(_ count: Int, _ text: String) -> String {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return (0..<count).map { parts.joined(separator: String($0)) }.joined(separator: ",")
    }

    /// Members whose keys are `exclude` with different signs between its letters.
    private static func misspelt(_ count: Int) -> String {
        (1...count).map { number in
            var rest = number
            let key = "exclude".map { letter in
                defer { rest /= 4 }
                return String(letter) + ["", "-", "_", "-_"][rest % 4]
            }
            return "\"x\": 1".replacing("x", with: key.joined())
        }.joined(separator: ",")
    }

    private static let files = [
        ("unknown keys", StructureFile.components(#"{"/": "/a", \#(many(10_000, #""key#": 1"#))}"#), 10_000),
        ("misspelt keys", StructureFile.components(#"{"/": "/a", "exclude": true, \#(misspelt(4_000))}"#), 4_000),
        ("app IDs", #"{"webcredentials": {"apps": [\#(many(50_000, #""7K3QWZ9PLM.app#""#))]}}"#, 0),
        ("equal app IDs", #"{"webcredentials": {"apps": [\#(many(20_000, "@"))]}}"#, 19_999),
        (
            "entries",
            StructureFile.entries(many(20_000, #"{"appIDs":["7K3QWZ9PLM.app#"],"components":[{"/":"/#"}]}"#)), 0
        ),
        ("equal entries", StructureFile.entries(many(5_000, #"{"appIDs":[@],"components":[{"/":"/#"}]}"#)), 4_999),
        ("empty components", StructureFile.components(many(10_000, "{}")), 9_999),
        ("paths", StructureFile.entry(#""paths": [\#(many(20_000, #""/#""#))]"#), 1),
    ]

    @Test("Large files are checked in linear time", arguments: files.indices)
    func size(index: Int) {
        let (name, text, count) = Self.files[index]
        let clock = ContinuousClock()
        var found = 0
        let time = clock.measure { found = StructureFile(text).found.count }
        // Of more of one code only so many are listed.
        #expect(found == min(count, DiagnosticCollector.shownLimit), "\(name)")
        // In a debug build, on a busy machine; a quadratic rule needs minutes.
        #expect(time < .seconds(60), "\(name)")
    }

    @Test(
        "Odd keys and values are no harm",
        arguments: [
            #"{"": {}}"#, #"{"applinks": {"": [], "details": [{"": ""}, {"/": ""}]}}"#, #"{"-": 1, "s": 2, "_": 3}"#,
            #"{"applinks": {"details": {"": {}, "\u0000": 1, "a/b~c": {"paths": [null]}}}}"#, "[[[]]]",
            "{\"a\u{301}ppIDs\": 1}",
            #"{"applinks": {"details": [null, [], 0, "", true, {}], "defaults": null, "substitutionVariables": {"": null}}}"#,
            #"{"webcredentials": null, "appclips": [], "activitycontinuation": {"apps": [null, {}, [], ["a"], [[]]]}}"#,
        ])
    func odd(text: String) {
        let file = StructureFile(text)
        #expect(!file.found.isEmpty)
        for finding in file.findings { #expect(!(file.fixed(finding.code.rawValue) ?? "x").isEmpty) }
    }
}

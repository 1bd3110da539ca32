import AssociationLint
import Diagnostics
import TestSupport
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

    /// A file with many things of a kind, and its findings: so many for each of them, and some more or fewer.
    struct Large: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let size: Int
        let findings: (each: Int, more: Int)
        let text: @Sendable (Int) -> String

        init(
            _ name: String, _ size: Int, _ findings: (each: Int, more: Int), _ text: @escaping @Sendable (Int) -> String
        ) {
            testDescription = name
            self.size = size
            self.findings = findings
            self.text = text
        }
    }

    private static let files = [
        Large("unknown keys", 1_400, (1, 0)) {
            StructureFile.components(#"{"/": "/a", \#(many($0, #""key#": 1"#))}"#)
        },
        Large("misspelt keys", 1_400, (1, 0)) {
            StructureFile.components(#"{"/": "/a", "exclude": true, \#(misspelt($0))}"#)
        },
        Large("app IDs", 8_000, (0, 0)) {
            #"{"webcredentials": {"apps": [\#(many($0, #""7K3QWZ9PLM.app#""#))]}}"#
        },
        Large("equal app IDs", 3_000, (1, -1)) {
            #"{"webcredentials": {"apps": [\#(many($0, "@"))]}}"#
        },
        Large("entries", 3_000, (0, 0)) {
            StructureFile.entries(many($0, #"{"appIDs":["7K3QWZ9PLM.app#"],"components":[{"/":"/#"}]}"#))
        },
        Large("equal entries", 1_400, (1, -1)) {
            StructureFile.entries(many($0, #"{"appIDs":[@],"components":[{"/":"/#"}]}"#))
        },
        Large("empty components", 1_400, (1, -1)) { StructureFile.components(many($0, "{}")) },
        Large("paths", 3_000, (0, 1)) { StructureFile.entry(#""paths": [\#(many($0, #""/#""#))]"#) },
    ]

    @Test("Large files are checked in linear time", arguments: files)
    func size(file: Large) {
        func time(_ size: Int) -> Duration {
            let text = file.text(size)
            return ThreadTime.measure {
                // Of more of one code only so many are listed.
                let count = min(file.findings.each * size + file.findings.more, DiagnosticCollector.shownLimit)
                #expect(StructureFile(text).found.count == count)
            }
        }
        // Four times the size: four times the time if it is linear, sixteen times if it is quadratic, however often it is
        // measured; a busy machine may be busier at one of the two sizes.
        var times: [(small: Duration, large: Duration)] = []
        func isLinear() -> Bool { times.contains { $0.large < $0.small * 9 + .milliseconds(10) } }
        repeat {
            times.append((time(file.size / 4), time(file.size)))
        } while !isLinear() && times.count < 5
        #expect(isLinear(), "\(times)")
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

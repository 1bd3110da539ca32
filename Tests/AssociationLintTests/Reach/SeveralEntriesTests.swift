import AssociationLint
import Diagnostics
import Testing

@Suite("Rules of an app in several entries")
struct SeveralEntriesTests {
    /// A file with entries of apps named by letters, each rule in a line of its own.
    private static func file(_ entries: (apps: String, paths: [String])...) -> ReachFile {
        let details = entries.map { entry in
            let apps = entry.apps.map { "\"A1B2C3D4E5.com.shop.\($0)\"" }.joined(separator: ", ")
            let components = entry.paths.map { path in
                let excludes = path.hasPrefix("NOT ")
                return "{\"/\": \"\(excludes ? String(path.dropFirst(4)) : path)\", \"exclude\": \(excludes)}"
            }
            return "{\"appIDs\": [\(apps)], \"components\": [\n\(components.joined(separator: ",\n"))\n]}"
        }
        return ReachFile(text: "{\"applinks\": {\"details\": [\(details.joined(separator: ", "))]}}")
    }

    @Test("an exclusion that is dead for one of its apps is reported with the app")
    func deadForOne() throws {
        let file = Self.file(("a", ["/buy/*"]), ("ab", ["NOT /buy/secret/*", "/buy/*"]))
        let finding = try #require(file.findings.first)
        #expect(file.codes == ["dead-exclude"])
        #expect(
            finding.message
                == "'/buy/secret/*' is never excluded for 'A1B2C3D4E5.com.shop.a': '/buy/*' on line 2 matches first")
        #expect(finding.label == "e.g. https://example.com/buy/secret still opens 'A1B2C3D4E5.com.shop.a'")
        #expect(finding.help == "write it before '/buy/*' on line 2, too")
        #expect(finding.severity == .error)
        #expect(finding.fixIts.isEmpty)
        #expect(file.earlierLines == [2])
    }

    @Test(
        "what is decided before for some apps",
        arguments: [
            ([("a", ["NOT /x/*"]), ("ab", ["/x/y"])], ["blocked-include for 'A1B2C3D4E5.com.shop.a'"]),
            (
                [("ac", ["/x/*"]), ("abc", ["NOT /x/y", "/x/*"])],
                ["dead-exclude for 'A1B2C3D4E5.com.shop.a' and 1 more app"]
            ),
            // For each app another rule; together for all.
            ([("a", ["/x/*"]), ("b", ["/x/*"]), ("ab", ["NOT /x/y", "/z"])], ["dead-exclude"]),
            // The earliest cover says the same, or the other app needs the rule.
            (
                [("a", ["NOT /x/*", "/x/*"]), ("ab", ["NOT /x/y", "/x/*"])],
                ["blocked-include", "blocked-include for 'A1B2C3D4E5.com.shop.a'"]
            ),
            ([("a", ["/x/*"]), ("ab", ["/x/y"])], []), ([("a", ["/x/*"]), ("b", ["NOT /x/y", "/z"])], []),
            ([("a", ["/x"]), ("ab", ["NOT /x/y", "/z"])], []),
        ] as [([(String, [String])], [String])])
    func someApps(entries: [(String, [String])], expected: [String]) {
        let details = entries.map { (apps: $0.0, paths: $0.1) }
        let file =
            switch details.count {
            case 2: Self.file(details[0], details[1])
            default: Self.file(details[0], details[1], details[2])
            }
        let found = file.findings.filter {
            $0.code.rawValue != "trailing-exclude" && $0.code.rawValue != "unreachable-rule"
        }
        let shown = found.map { finding in
            let apps =
                finding.message.contains(" for ")
                ? finding.message.split(separator: " for ")[1].split(separator: ":")[0] : ""
            return finding.code.rawValue + (apps.isEmpty ? "" : " for \(apps)")
        }
        #expect(shown == expected, "\(file.messages)")
    }

    @Test("a rule that another entry decides for all of its apps is to be moved there")
    func advice() {
        let file = Self.file(("ab", ["/x/*"]), ("a", ["NOT /x/y", "/z"]))
        #expect(file.findings.map(\.help) == ["move it before '/x/*' on line 2"])
    }
}

import AssociationLint
import CommandLineSupport

/// aasa.json(5), the page of `.aasa.json`.
enum LintConfigurationPage {
    static var page: ManualPage {
        var page = ManualPage("aasa.json", section: 5, summary: "which findings aasa validate reports")
        page.synopsis(path: LintConfiguration.fileName)
        page.section("DESCRIPTION")
        page.prose(
            """
            The nearest file `.aasa.json` at or above an association file, and not beyond the root of its Git repository, \
            is a JSON object that sets which findings are reported, and their severity. `aasa validate` and \
            `aasa serve` read it. Options of a command override the file. Mistakes in the file are findings themselves; \
            the rest of the file is still used.

            These are the keys:
            """)
        page.list(LintConfiguration.keys.map { ($0.path, "\($0.meaning)\n\nValue: \($0.expected).") }, macro: "Cm")
        page.prose("A key `$schema`, `//` or `comment`, and one that begins with an underscore, is ignored.")
        page.section("FILES")
        page.list([(LintConfiguration.fileName, "In the folder of an association file, or above it.")], macro: "Pa")
        page.section("EXAMPLES")
        page.literal([
            "{", #"  "minimumIOS": "13.0","#, #"  "severity": { "odd-team-prefix": "off" },"#, #"  "ignore": ["#,
            #"    {"#, #"      "code": "missing-rules","#, #"      "path": "old/**","#,
            #"      "pointer": "/applinks/details/2","#, #"      "reason": "kept for the app's next version""#, "    }",
            "  ]", "}",
        ])
        page.seeAlso(["aasa-rules(1)", "aasa-validate(1)"])
        return page
    }
}

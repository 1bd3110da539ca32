internal import Diagnostics
internal import JSONSyntax

/// Keys that the oldest system does not know (matching.md, 1).
enum NewerSystemRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "needs-newer-os", .warning, summary: "the oldest system that the file is for does not know a key",
            reason: """
                Apple's documentation says since which iOS each key is read; older systems ignore it. 'components' \
                beside 'paths', and 'appIDs' beside 'appID', are for both generations and not meant.
                """, basis: [.apple],
            bad: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [{ "/": "/buy/*", ⟦"caseSensitive"⟧: false }]
                      }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                    ]
                  }
                }

                """, minimumIOS: "13.0")
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard let oldest = file.minimumIOS else { return }
        report(["appclips": SystemVersion(14)], in: file.file, oldest, &findings)
        report(
            ["defaults": SystemVersion(14), "substitutionVariables": SystemVersion(13, 5)], in: file.appLinks, oldest,
            &findings)
        for entry in file.entries {
            var since = ["defaults": SystemVersion(14)]
            // The oldest system reads the one, newer ones the other.
            if !entry.hasSingleApp { since["appIDs"] = SystemVersion(13) }
            if entry.level.member("paths") == nil { since["components"] = SystemVersion(13) }
            report(since, in: entry.level, oldest, &findings)
            // Where 'components' is not read at all, that is said already.
            if let components = since["components"], oldest < components { continue }
            let inside = ["caseSensitive": SystemVersion(13, 5), "percentEncoded": SystemVersion(14)]
            for component in entry.components { report(inside, in: component.level, oldest, &findings) }
        }
    }

    private static func report(
        _ since: [String: SystemVersion], in level: LevelObject?, _ oldest: SystemVersion, _ findings: inout Findings
    ) {
        for member in level?.members ?? [] {
            guard let version = since[member.key], oldest < version, let level else { continue }
            findings.report(
                "needs-newer-os", member.member.keyRange, level.pointer.member(member.key),
                "\(quoted(member.key)) needs iOS \(short(version)): iOS \(short(oldest)) does not know it")
        }
    }

    private static func short(_ version: SystemVersion) -> String {
        version.minor == 0 ? "\(version.major)" : version.description
    }
}

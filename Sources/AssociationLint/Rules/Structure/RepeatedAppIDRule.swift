internal import Diagnostics
internal import JSONSyntax

/// An app should be named once.
enum RepeatedAppIDRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "same-app-twice", .warning, summary: "an app is in two entries",
            reason: """
                iOS 13 and newer go through all entries that name an app, from top to bottom. Nothing says so for older \
                systems, which may know one entry an app.
                """, basis: [.inferred],
            bad: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] },
                      { "appIDs": [⟦"7K3QWZ9PLM.com.shop.app"⟧], "components": [{ "/": "/help/*" }] }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }, { "/": "/help/*" }] }
                    ]
                  }
                }

                """),
        RuleDescription(
            "duplicate-app-id", .warning, summary: "an app is in a list twice",
            reason: "A list of app IDs is a set to the system: the second mention changes nothing.", basis: [.lint],
            fix: .automatic,
            bad: """
                {
                  "webcredentials": {
                    "apps": ["7K3QWZ9PLM.com.shop.app", ⟦"7K3QWZ9PLM.com.shop.app"⟧]
                  }
                }

                """,
            good: """
                {
                  "webcredentials": {
                    "apps": ["7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.admin"]
                  }
                }

                """),
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        sameAppTwice(file, &findings)
        for entry in file.entries { duplicates("appIDs", in: entry.level, file, &findings) }
        for service in file.services { duplicates("apps", in: service, file, &findings) }
    }

    private static func sameAppTwice(_ file: FileOutline, _ findings: inout Findings) {
        // What newer systems do is known.
        guard file.entries.count > 1, !file.isOnly(for: SystemVersion(13)) else { return }
        var places: [[UInt8]: (first: Int, latest: Int)] = [:]
        places.reserveCapacity(file.entries.count)
        for place in file.appIDs {
            guard let entry = place.entry else { continue }
            let app = Array(place.text.utf8)
            guard let known = places[app] else {
                places[app] = (place.range.start, entry)
                continue
            }
            guard known.latest != entry else { continue }
            places[app] = (known.first, entry)
            findings.report(
                "same-app-twice", place.range, place.pointer,
                "\(quoted(place.text)) is in another entry too: only iOS 13 and newer are known to read both, in order",
                notes: [
                    "the first one is in \(file.source.place(of: known.first, from: place.range.start))",
                    "older systems read rules that are in one entry",
                ])
        }
    }

    private static func duplicates(
        _ key: String, in level: LevelObject, _ file: FileOutline, _ findings: inout Findings
    ) {
        guard let apps = level[key]?.array, apps.count > 1 else { return }
        var lines: [[UInt8]: Int] = [:]
        for (index, node) in apps.enumerated() {
            guard let app = node.string?.text else { continue }
            guard let first = lines[Array(app.utf8)] else {
                lines[Array(app.utf8)] = node.range.start
                continue
            }
            findings.report(
                "duplicate-app-id", node.range, level.pointer.member(key).element(index),
                "\(quoted(app)) is in this list twice: the second one changes nothing",
                notes: ["the first one is in \(file.source.place(of: first, from: node.range.start))"],
                fixIts: [
                    FixIt(
                        title: "remove the duplicate", applicability: .automatic,
                        edits: [JSONEdits.delete(element: index, in: apps, source: file.source)])
                ])
        }
    }
}

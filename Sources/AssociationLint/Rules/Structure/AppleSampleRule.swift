internal import Diagnostics
internal import JSONSyntax

/// Apple's documentation shows rules that are copied with the rest of the file.
enum AppleSampleRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "apple-sample-rules", .warning, summary: "an entry has the sample rules of Apple's documentation",
            reason: """
                Rules like '/help/website/*' or 'articleNumber' with '????' are from the examples of Apple's \
                documentation. With the ID of a real app they were probably copied: the paths of the site are missing, \
                or the samples were left beside them.
                """, basis: [.lint],
            bad: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [
                          { "/": "/buy/*" },
                          ⟦{ "/": "/help/website/*", "exclude": true }⟧,
                          { "/": "/help/*", "?": { "articleNumber": "????" } }
                        ]
                      }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                        "components": [
                          { "/": "/buy/*" },
                          { "/": "/guides/*", "?": { "page": "?*" } }
                        ]
                      }
                    ]
                  }
                }

                """)
    ]

    /// What Apple's examples have as paths; '/help/website/*' only as an exclusion.
    private static let paths: [[UInt8]] = [
        "/wwdc/news/", "/wwdc/news/*", "/videos/wwdc/2015/*", "/videos/wwdc/2016/*",
    ].map { Array($0.utf8) }
    private static let excluded = Array("/help/website/*".utf8)

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        var reported = Set<Int>()
        for place in file.patterns where isSample(place) {
            let entry = file.entries.first { entry in
                entry.level.range.start <= place.range.start && place.range.end <= entry.level.range.end
            }
            guard let entry, place.owner?.level != .defaults, isForRealApp(entry, file),
                reported.insert(entry.index).inserted
            else { continue }
            let text = quoted(place.string.text)
            findings.report(
                "apple-sample-rules", place.owner?.range ?? place.range, place.owner?.pointer ?? place.pointer,
                (place.isPath ? text : "'articleNumber' with \(text)") + " is a sample rule of Apple's documentation",
                notes: ["replace the sample rules of the entry with those for the paths of your site"])
        }
    }

    private static func isSample(_ place: PatternPlace) -> Bool {
        let text = place.anatomy.text
        // Most patterns are neither so short nor so long.
        switch text.count {
        case 4:
            guard case .queryItem("articleNumber") = place.kind else { return false }
            return text.elementsEqual("????".utf8)
        case 15: return place.kind == .path && text == excluded && place.owner?["exclude"]?.boolean == true
        case 11, 12, 19: return place.isPath && paths.contains(text)
        default: return false
        }
    }

    /// An example app is reported itself, and to an app of Apple's the rules may belong.
    private static func isForRealApp(_ entry: EntryOutline, _ file: FileOutline) -> Bool {
        file.appIDs.contains { place in
            guard place.entry == entry.index, case let id = AppID(place), let bundle = id.bundle else { return false }
            return id.mayBeReal && !id.bytes[bundle].starts(with: "com.apple.".utf8)
        }
    }
}

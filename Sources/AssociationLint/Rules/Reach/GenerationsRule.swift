internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// `paths` and `components` of one entry that open different links.
enum GenerationsRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "generations-differ", .warning,
            summary: "iOS 12 reads 'paths', newer systems read 'components', and they open different links",
            reason: """
                Where an entry has both, iOS 12 and older read 'paths', iOS 13 and newer read 'components' (Apple, \
                "Supporting associated domains"). Both lists are meant to open the same links. What 'paths' cannot say, \
                such as a condition for the query, is left out of account, and so is that '/buy/*' also opens '/buy'.
                """, basis: [.apple],
            bad: """
                {
                  "applinks": {
                    "apps": [],
                    "details": [
                      {
                        "appID": "7K3QWZ9PLM.com.shop.app",
                        ⟦"paths"⟧: ["/buy/*", "/help/*"],
                        "components": [{ "/": "/buy/*" }]
                      }
                    ]
                  }
                }

                """,
            good: """
                {
                  "applinks": {
                    "apps": [],
                    "details": [
                      {
                        "appID": "7K3QWZ9PLM.com.shop.app",
                        "paths": ["/buy/*", "/help/*"],
                        "components": [{ "/": "/buy/*" }, { "/": "/help/*" }]
                      }
                    ]
                  }
                }

                """)
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        // Without 'apps' iOS 12 reads nothing at all, which `missing-apps` reports.
        guard findings.isWanted("generations-differ"), let links = file.document.appLinks, links.apps != nil else {
            return
        }
        let entries = ReachEntry.legacyEntries(of: file).filter {
            $0.isSound && ReachEntry.hasSoundComponents($0.outline, of: file)
        }
        guard !entries.isEmpty else { return }
        let faulty = FaultyRules(findings)
        // Of an app with several entries it is not known what iOS 12 reads.
        let counts = Dictionary(
            links.details.flatMap { detail in Set(detail.appIDs.map(\.value)).map { ($0, 1) } }, uniquingKeysWith: +)
        var search = GenerationSearch(links.substitutionVariables)
        for entry in entries {
            guard let app = entry.app, counts[app, default: 0] <= 1,
                !(entry.rules + entry.detail.rules).contains(where: faulty.contain),
                let member = entry.outline.level.member("paths")
            else { continue }
            let pointer = entry.outline.level.pointer.member("paths")
            switch search.difference(entry.rules, entry.detail.rules) {
            case .none: break
            case .found(let witness, let isOpenedByPaths):
                let (opening, other) =
                    isOpenedByPaths
                    ? ("iOS 12 opens", "iOS 13 and newer do not") : ("iOS 13 and newer open", "iOS 12 does not")
                findings.report(
                    "generations-differ", member.keyRange, pointer,
                    "\(opening) \(quoted(witness, limit: 200)), \(other)",
                    notes: ["iOS 12 and older read 'paths', iOS 13 and newer read the 'components' beside them"])
            case .unknown:
                let code = UndecidedRules.description.code
                guard !findings.all.contains(where: { $0.code == code }) else { continue }
                findings.report(
                    code.rawValue, member.keyRange, pointer,
                    "'paths' and the 'components' beside them are too large to be compared")
            }
        }
    }
}

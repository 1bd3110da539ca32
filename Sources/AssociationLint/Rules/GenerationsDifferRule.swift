internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax
internal import PatternAnalysis

/// `paths` and `components` of one entry that open different links.
enum GenerationsDifferRule: FileRule {
    static let description = RuleDescription(
        "generations-differ", .warning,
        summary: "iOS 12 reads 'paths', newer systems read 'components', and they open different links",
        reason: """
            If an entry has both, iOS 12 and older read 'paths', iOS 13 and newer read 'components' (Apple, \
            "Supporting associated domains"). Both lists are meant to open the same links. What 'paths' cannot say, \
            such as a condition on the query, is not compared, nor is the fact that '/buy/*' also opens '/buy'.
            """, basis: [.apple],
        bad: ExampleFile.details(
            """
            {
              "appID": "7K3QWZ9PLM.com.shop.app",
              ⟦"paths"⟧: ["/buy/*", "/help/*"],
              "components": [{ "/": "/buy/*" }]
            }
            """, with: #""apps": []"#),
        good: ExampleFile.details(
            """
            {
              "appID": "7K3QWZ9PLM.com.shop.app",
              "paths": ["/buy/*", "/help/*"],
              "components": [{ "/": "/buy/*" }, { "/": "/help/*" }]
            }
            """, with: #""apps": []"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        // Without 'apps' iOS 12 reads nothing at all, which `missing-apps` reports.
        guard diagnostics.isEnabled(description), let links = context.document.appLinks, links.apps != nil else {
            return
        }
        let entries = ReachEntry.legacyEntries(of: context).filter {
            $0.isValid && ReachEntry.hasValidComponents($0.lintEntry, of: context)
        }
        guard !entries.isEmpty else { return }
        let faulty = FaultyRules(diagnostics)
        // Of an app with several entries it is not known what iOS 12 reads.
        let counts = Dictionary(
            links.details.flatMap { detail in Set(detail.appIDs.map(\.value)).map { ($0, 1) } }, uniquingKeysWith: +)
        var search = GenerationSearch(links.substitutionVariables)
        defer { diagnostics.spend(search.work) }
        for entry in entries {
            guard let app = entry.app, counts[app, default: 0] <= 1,
                !(entry.rules + entry.detail.rules).contains(where: faulty.contain),
                let member = entry.lintEntry.object.member("paths")
            else { continue }
            let pointer = entry.lintEntry.object.pointer.member("paths")
            switch search.difference(entry.rules, entry.detail.rules) {
            case .none: break
            case .found(let witness, let isOpenedByPaths):
                let (opening, other) =
                    isOpenedByPaths
                    ? ("iOS 12 opens", "iOS 13 and newer do not") : ("iOS 13 and newer open", "iOS 12 does not")
                diagnostics.report(
                    description, member.keyRange, pointer,
                    "\(opening) \(quoted(witness, limit: 200)), \(other)", label: "read by iOS 12 and older",
                    labels: (entry.lintEntry.object.member("components")?.keyRange).map {
                        [Diagnostic.Label($0, "read by iOS 13 and newer")]
                    } ?? [])
            case .unknown:
                guard !diagnostics.reported.contains(where: { $0.code == TooLargeToDecideRule.description.code })
                else { continue }
                TooLargeToDecideRule.report(paths: member.keyRange, pointer, &diagnostics)
            }
        }
    }
}

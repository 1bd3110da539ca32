import Android
import AppSiteAssociation
import Foundation
import TestSupport
import Testing
import URLPatterns

@Suite("The table of differences between the platforms")
struct PlatformTableTests {
    @Test("says what both matchers decide")
    func table() throws {
        let rows = try Repository.text("docs/android.md")
            .matches(of: #/(?m)^\| `(.+?)` \| `(https:.+?)` \| (opens|does not) \| (opens|does not) \|/#)
        #expect(rows.count > 10)
        for row in rows {
            let component = row.1.hasPrefix("{") ? String(row.1) : "{ \(row.1) }"
            let url = String(row.2)
            let ios = try AssociationDocument(
                #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [\#(component)]}]}}"#)
            let web = try #require(WebURL(url.utf8))
            #expect((ReferenceMatcher(ios).decide(web).outcome == .open) == (row.3 == "opens"), "\(row.0)")

            let android = AssetLinksDocument.read("[\(statement(rules("[\(component)]")))]")
            let app = try #require(android.apps.first)
            let matcher = try #require(DynamicRuleMatcher(app))
            var budget = WorkBudget.decision
            let decided = try #require(AndroidURL(url))
            #expect((matcher.decide(decided, &budget)?.outcome == .open) == (row.4 == "opens"), "\(row.0)")
        }
    }
}

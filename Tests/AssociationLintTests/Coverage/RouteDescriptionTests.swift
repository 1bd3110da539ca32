import AppSiteAssociation
import AssociationLint
import Diagnostics
import Testing

@Suite("Descriptions of findings about routes")
struct RouteDescriptionTests {
    static let descriptions = RuleRegistry.catalogue.rules.filter { $0.subject == .routeList }

    @Test("show what they say", arguments: descriptions)
    func examples(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let found = RouteList.read(marked.bytes, path: "routes.txt").diagnostics
        #expect(found.map(\.code) == [rule.code])
        #expect(found.map(\.severity) == [rule.severity])
        #expect(found.first?.range == marked.range)
        #expect(RouteList.read(Array(rule.good.utf8), path: "routes.txt").diagnostics.isEmpty)
    }

    @Test("are there")
    func count() {
        #expect(Self.descriptions.map(\.code.rawValue) == ["invalid-route", "unreachable-route"])
    }
}

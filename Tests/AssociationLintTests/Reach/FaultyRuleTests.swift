import AssociationLint
import Diagnostics
import Testing

struct FaultyRuleTests {
    private func codes(components: String, variables: String = "{}") -> [String] {
        let text = """
            {"applinks": {"substitutionVariables": \(variables), "details": [
              {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [\(components)]}]}}
            """
        return Linter().check(Array(text.utf8)).diagnostics.map(\.code.rawValue)
    }

    @Test(
        "Nothing is reported about the order of a rule with an error",
        arguments: [
            (#"{"/": "*"}, {"/": " /a", "exclude": true}"#, "whitespace-around-pattern"),
            (#"{"/": "*"}, {"/": "/a#b", "exclude": true}"#, "fragment-in-path"),
            (#"{"/": "*"}, {"/": "https://x.example/a", "exclude": true}"#, "url-in-path"),
            (#"{"/": "*"}, {"/": "NOT /a"}"#, "not-in-component"),
            (#"{"/": "*"}, {"foo": 1}"#, "accidental-catch-all"),
            (#"{"/": "*"}, {"/": "/$(nope)", "exclude": true}"#, "undefined-variable"),
        ])
    func faultyRules(components: String, code: String) {
        #expect(codes(components: components) == [code])
    }

    @Test("A rule that matches nothing is not blamed for trailing")
    func emptyVariable() {
        let found = codes(components: ##"{"/": "/x"}, {"/": "/$(w)", "exclude": true}"##, variables: #"{"w": []}"#)
        #expect(found == ["empty-list"])
    }

    @Test("Only what matches every URL may be the only exclusion of an entry")
    func onlyExclusion() {
        #expect(
            codes(components: #"{"/": "/*$(w)", "exclude": true}"#, variables: #"{"w": ["q"]}"#) == ["trailing-exclude"]
        )
        #expect(codes(components: #"{"/": "*", "exclude": true}"#) == [])
    }

    @Test("An example is a URL that the named rule decides")
    func examples() {
        let text = """
            {"applinks": {"apps": [], "substitutionVariables": {"v": ["", "a"]}, "details": [
              {"appID": "7K3QWZ9PLM.com.shop.app", "paths": ["NOT /?", "/z/*"]},
              {"appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/*", "NOT /$(v)?"]}]}}
            """
        let found = Linter().check(Array(text.utf8)).diagnostics.first { $0.code.rawValue == "dead-exclude" }
        #expect(found != nil)
        #expect(found?.label?.contains("https://example.com/a ") != true)
    }

    @Test("Where there are other apps an example says for which app it is one")
    func otherApps() {
        let text = """
            {"applinks": {"details": [
              {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "/a/*", "exclude": true}, {"/": "/a/b"}, {"/": "/"}]},
              {"appIDs": ["7K3QWZ9PLM.com.shop.beta"], "components": [{"/": "/a/*"}]}]}}
            """
        let found = Linter().check(Array(text.utf8)).diagnostics
        #expect(found.map(\.code.rawValue) == ["blocked-include"])
        #expect(found.first?.label == "e.g. https://example.com/a/b does not open '7K3QWZ9PLM.com.shop.app'")
    }
}

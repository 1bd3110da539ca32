import AppSiteAssociation
import Testing

@Suite("Defaults")
struct DefaultsTests {
    /// A value for each of the three levels, and the rule that comes of them.
    struct Sample: Sendable, CustomTestStringConvertible {
        let key: String
        let domain: String?
        let entry: String?
        let component: String?
        let expected: String

        var testDescription: String { "\(key): \([domain, entry, component].map { $0 ?? "-" }) is \(expected)" }

        func rule() throws -> Rule? {
            func member(_ value: String?) -> String { value.map { #""\#(key)": \#($0)"# } ?? "" }
            let text = #"""
                {"applinks": {"defaults": {\#(member(domain))}, "details": [
                  {"appID": "A", "defaults": {\#(member(entry))}, "components": [{\#(member(component))}]}
                ]}}
                """#
            return try AssociationDocument(text).appLinks?.details.first?.rules.first
        }

        /// The rule's value for the key, as the file would write it.
        func value(_ rule: Rule) -> String {
            switch key {
            case "/": #""\#(rule.path)""#
            case "#": #""\#(rule.fragment)""#
            case "exclude": "\(rule.excludes)"
            case "caseSensitive": "\(rule.caseSensitive)"
            case "percentEncoded": "\(rule.percentEncoded)"
            default: if case .text(let text) = rule.query { #""\#(text)""# } else { "void" }
            }
        }
    }

    private static let texts: [Sample] = ["/", "?", "#"].flatMap { key in
        [
            Sample(key: key, domain: nil, entry: nil, component: nil, expected: key == "?" ? "void" : #""*""#),
            Sample(key: key, domain: #""d""#, entry: nil, component: nil, expected: #""d""#),
            Sample(key: key, domain: #""d""#, entry: #""e""#, component: nil, expected: #""e""#),
            Sample(key: key, domain: nil, entry: #""e""#, component: nil, expected: #""e""#),
            Sample(key: key, domain: #""d""#, entry: #""e""#, component: #""c""#, expected: #""c""#),
            Sample(key: key, domain: #""d""#, entry: nil, component: "\"\"", expected: "\"\""),
            Sample(key: key, domain: nil, entry: #""e""#, component: "5", expected: #""e""#),
            Sample(key: key, domain: #""d""#, entry: "null", component: nil, expected: #""d""#),
        ]
    }

    private static let flags: [Sample] = ["exclude", "caseSensitive", "percentEncoded"].flatMap { key in
        let usual = key == "exclude" ? "false" : "true"
        let other = key == "exclude" ? "true" : "false"
        return [
            Sample(key: key, domain: nil, entry: nil, component: nil, expected: usual),
            Sample(key: key, domain: other, entry: nil, component: nil, expected: other),
            Sample(key: key, domain: other, entry: usual, component: nil, expected: usual),
            Sample(key: key, domain: usual, entry: other, component: nil, expected: other),
            Sample(key: key, domain: other, entry: other, component: usual, expected: usual),
            Sample(key: key, domain: usual, entry: usual, component: other, expected: other),
            Sample(key: key, domain: other, entry: nil, component: "\"\(usual)\"", expected: other),
        ]
    }

    @Test("a component wins over its entry, an entry over applinks", arguments: texts + flags)
    func levels(_ sample: Sample) throws {
        let rule = try #require(try sample.rule())
        #expect(sample.value(rule) == sample.expected)
    }

    @Test("each key is looked for on its own")
    func keys() throws {
        let document = try AssociationDocument(
            ##"""
            {"applinks": {"defaults": {"/": "/d", "#": "d", "exclude": true}, "details": [
              {"appID": "A", "defaults": {"/": "/e", "?": {"e": "1"}}, "components": [{"/": "/c"}, {"?": "c"}]},
              {"appID": "B", "components": [{}]}
            ]}}
            """##)
        let links = try #require(document.appLinks)
        let rules = links.details.flatMap(\.rules)
        #expect(rules.map(\.path) == ["/c", "/e", "/d"])
        #expect(rules.map(\.query) == [.items([.init(name: "e", value: "1")]), .text("c"), .void])
        #expect(rules.map(\.fragment) == ["d", "d", "d"])
        #expect(rules.allSatisfy { $0.excludes })
        #expect(links.defaults?.pointer == "/applinks/defaults")
        #expect(links.details[0].defaults?.pointer == "/applinks/details/0/defaults")
        #expect(links.details[1].defaults == nil)
    }
}

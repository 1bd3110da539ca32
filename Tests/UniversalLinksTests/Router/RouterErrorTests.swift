import AppSiteAssociation
import Testing
import UniversalLinks

@Suite("Domains that cannot be")
struct RouterErrorTests {
    @Test(
        "what is not a domain is refused",
        arguments: [
            "", "*", "*.", "*.*.example.com", "www.*.example.com", "example.com.", ".example.com", "a..b",
            "https://example.com",
            "example.com/", "example.com:443", "user@example.com", "exa mple.com", "example.com?", "b%FCcher.example",
            "a\u{0}b",
        ])
    func invalid(domain: String) throws {
        let document = try AssociationDocument("{}")
        let error = try #require(throws: RouterError.self) { try UniversalLinkRouter(document, domain: domain) }
        #expect(error.code == .invalidDomain)
        #expect(error.domain == domain)
        #expect(error.description.hasPrefix("'\(domain)' is not a domain; expected a name like example.com"))
    }

    @Test(
        "a domain that has a document already is refused, however it is written",
        arguments: [
            ("example.com", "example.com"), ("example.com", "EXAMPLE.com"), ("*.example.com", "*.Example.com"),
            ("bücher.example", "xn--bcher-kva.example"), ("*.xn--bcher-kva.example", "*.BÜCHER.example"),
        ])
    func duplicate(first: String, second: String) throws {
        let document = try AssociationDocument("{}")
        var builder = UniversalLinkRouterBuilder()
        try builder.add(document, domain: first)
        let error = try #require(throws: RouterError.self) { try builder.add(document, domain: second) }
        #expect(error.code == .duplicateDomain)
        #expect(error.description == "'\(second)' has an association file already; expected one for each domain")
    }

    @Test("a name and the names below it may both have a document")
    func nameAndBelow() throws {
        let document = try AssociationDocument("{}")
        var builder = UniversalLinkRouterBuilder()
        try builder.add(document, domain: "example.com")
        try builder.add(document, domain: "*.example.com")
        try builder.add(document, domain: "*.a.example.com")
    }

    @Test("what was refused leaves the builder as it was")
    func unchanged() throws {
        let open = try AssociationDocument(SampleDocument("{}").json)
        var builder = UniversalLinkRouterBuilder()
        try builder.add(open, domain: "example.com")
        #expect(throws: RouterError.self) { try builder.add(AssociationDocument("{}"), domain: "example.com") }
        #expect(throws: RouterError.self) { try builder.add(AssociationDocument("{}"), domain: "a b") }
        #expect(builder.build().decide("https://example.com/").appIDs == ["A"])
    }
}

extension SampleDocument {
    init(_ components: String) {
        self = .components(components)
    }
}

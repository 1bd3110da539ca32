import ACME
import AssociationServer
import Testing

/// Which sites get a certificate by themselves (acme.md, section 2).
@Suite("The sites that get certificates")
struct IssuanceScopeTests {
    private func scope(_ change: (inout ACMEConfiguration) -> Void = { _ in }) -> IssuanceScope {
        var configuration = ACMEConfiguration()
        configuration.agreesToTerms = true
        change(&configuration)
        return IssuanceScope(configuration)
    }

    @Test(
        "names that public DNS does not have are for private CAs only",
        arguments: [
            ("shop.example.com", false), ("*.example.com", false), ("example.com", false), ("xn--bcher-kva.de", false),
            ("notlocal.de", false), ("home.arpa.example.org", false), ("localhost", true), ("intranet", true),
            ("*.com", true),
            ("a.localhost", true), ("printer.local", true), ("db.internal", true), ("x.test", true),
            ("x.invalid", true),
            ("shop.example", true), ("a.b.example", true), ("abc.onion", true), ("home.arpa", true),
            ("nas.home.arpa", true),
            ("*.home.arpa", true), ("192.0.2.1", true),
        ])
    func privateNames(domain: String, isPrivate: Bool) {
        #expect(scope().isPrivateName(domain) == isPrivate)
        #expect(scope().includes(domain) == !isPrivate)
        #expect(scope { $0.directory = .letsEncryptStaging }.includes(domain) == !isPrivate)
        #expect(scope { $0.directory = .other("https://ca.example/") }.includes(domain))
    }

    @Test("a site is excluded by the name of its folder")
    func excluded() {
        let scope = scope { $0.exclude = ["a.example.com", "_wildcard.example.com", "*.example.org"] }
        #expect(scope.isExcluded("a.example.com") && scope.isExcluded("*.example.com"))
        #expect(!scope.includes("a.example.com") && !scope.includes("*.example.com"))
        #expect(!scope.isExcluded("*.example.org") && scope.includes("*.example.org"))
    }

    @Test("without consent no site is included")
    func off() {
        #expect(!scope { $0.agreesToTerms = false }.includes("shop.example.com"))
    }
}

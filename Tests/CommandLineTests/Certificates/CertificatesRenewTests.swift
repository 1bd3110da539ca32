import ACME
import AutomaticCertificates
import Foundation
import SystemSupport
import TestSupport
import Testing

/// `aasa certificates --renew` from outside (acme.md, section 9); who orders is played here.
@Suite("aasa certificates --renew", .waiting)
struct CertificatesRenewTests {
    private static let domain = CertificateSite.domain("shop.example.com")

    /// Asks for the renewal of a site while it holds the lock: it waits for the request, does something, and ends the
    /// request.
    private static func renew(
        _ site: CertificateSite, _ arguments: String..., served body: @escaping @Sendable () throws -> Void
    ) throws -> Shell.Outcome {
        let lock = try #require(try site.issuance.lock())
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            guard Waiting.until({ site.issuance.isRenewalRequested(of: Self.domain) }) else { return }
            do {
                try body()
            } catch {
                Issue.record(error)
            }
            site.issuance.endRenewalRequest(of: Self.domain)
        }
        // The lock is held until the command has seen that the request is gone.
        return try withExtendedLifetime(lock) {
            defer { group.wait() }
            return try site.run(["--renew"] + arguments)
        }
    }

    @Test("a new certificate is printed", arguments: ["text", "json"])
    func issued(format: String) throws {
        let site = try CertificateSite()
        try site.install(key: 301)
        let outcome = try Self.renew(site, "SHOP.example.com", "--format", format) { try site.install(key: 302) }
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        if format == "text" {
            #expect(
                outcome.text
                    == "shop.example.com: issued by 'Sample Intermediate', valid until \(CertificateSite.date(days: 60))\n"
            )
        } else {
            let certificate = try outcome.object()["certificate"] as? [String: Any]
            #expect(certificate?["names"] as? [String] == ["shop.example.com"])
            #expect(certificate?["source"] as? String == "acme")
        }
        #expect(!site.issuance.isRenewalRequested(of: Self.domain))
    }

    @Test("the first certificate of a site is one, too")
    func first() throws {
        let site = try CertificateSite()
        let outcome = try Self.renew(site, "shop.example.com") { try site.install() }
        #expect(outcome.status == 0 && outcome.text.hasPrefix("shop.example.com: issued by"), "\(outcome.errors)")
    }

    @Test("a failure is printed")
    func failed() throws {
        let site = try CertificateSite()
        try site.remember(CertificateSite.failure("shop.example.com", message: "old", at: CertificateSite.now - 999))
        let outcome = try Self.renew(site, "shop.example.com") {
            try site.remember(
                CertificateSite.failure("shop.example.com", message: "fresh", at: Int64(time(nil))))
        }
        #expect(outcome.status == 1 && outcome.text.isEmpty)
        #expect(outcome.errors == "error: shop.example.com: unauthorized: fresh\n")
    }

    @Test("what has not finished in time goes on")
    func unfinished() throws {
        let site = try CertificateSite()
        let lock = try site.issuance.lock()
        let outcome = try site.run("--renew", "shop.example.com", "--wait", "1")
        #expect(outcome.status == 1 && outcome.errors.contains("not finished within 1 s"), "\(outcome.errors)")
        #expect(site.issuance.isRenewalRequested(of: Self.domain))
        let unwaited = try site.run("--renew", "shop.example.com", "--wait", "0")
        #expect(unwaited.status == 0 && unwaited.text.hasPrefix("shop.example.com: renewal requested"))
        withExtendedLifetime(lock) {}
    }

    @Test("a request that nobody takes is kept")
    func nobody() throws {
        let site = try CertificateSite()
        let outcome = try site.run("--renew", "shop.example.com")
        #expect(outcome.status == 69 && outcome.errors.contains("is kept until one starts"), "\(outcome.errors)")
        #expect(site.issuance.renewalRequests() == [Self.domain])
        let path = "\(site.issuance.path)/acme-account/renew/shop.example.com"
        #expect(FileStatus(at: path)?.permissions == 0o600)
    }

    @Test(
        "what cannot be renewed is not asked for",
        arguments: [
            ("none.example.com", 64, "there is no site 'none.example.com' in 'sites'"),
            ("shop.example.co", 64, "did you mean 'shop.example.com'?"),
            ("*.example.com", 64, "there is no site '*.example.com'"), ("a b", 64, "'a b' is not a domain"),
            ("out.example.com", 1, "is in 'acme.exclude'"),
            ("own.example.com", 1, "has a certificate from another source in 'certs/own'"),
            ("name.test", 1, "acme-name: 'name.test' is not a name in the public DNS"),
        ] as [(String, Int32, String)])
    func refused(domain: String, status: Int32, message: String) throws {
        let site = try CertificateSite(
            acme: #""agreeToTerms": true, "exclude": ["out.example.com"]"#,
            sites: ["shop.example.com", "out.example.com", "own.example.com", "name.test"])
        try site.add("own", ["own.example.com"])
        let outcome = try site.run("--renew", domain)
        #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!Path.exists("\(site.issuance.path)/acme-account"))
    }

    @Test("without acme, and without the right to write, there is no request")
    func impossible() throws {
        let none = try CertificateSite(acme: nil)
        try none.add("own", ["own.example.com"])
        let outcome = try none.run("--renew", "shop.example.com")
        #expect(outcome.status == 65 && outcome.errors.contains("server.json has no 'acme'"), "\(outcome.errors)")
        #expect(try none.run("--record", "shop.example.com").status == 65)
        let site = try CertificateSite()
        try site.tool.write("", to: "certs/acme-account")
        let blocked = try site.run("--renew", "shop.example.com")
        #expect(blocked.status == 66 && blocked.errors.contains("the request cannot be written"), "\(blocked.errors)")
    }
}

/// `aasa certificates --record` from outside.
@Suite("aasa certificates --record", .waiting)
struct CertificatesRecordTests {
    private static func site(identities: [String] = ["letsencrypt.org"]) throws -> CertificateSite {
        let site = try CertificateSite()
        try site.account.store(
            ACMEAccount(
                directory: CertificateSite.directory, url: CertificateSite.url("https://ca.example.net/acct/7"),
                contact: [], termsOfService: nil, caaIdentities: identities))
        return site
    }

    @Test(
        "the record of a name, in any spelling",
        arguments: [
            ("example.com", ""), ("*.example.com", "; policy=wildcard"), ("_wildcard.example.com", "; policy=wildcard"),
        ])
    func line(domain: String, policy: String) throws {
        let outcome = try Self.site().run("--record", domain)
        let value = "letsencrypt.org; accounturi=https://ca.example.net/acct/7\(policy)"
        #expect(outcome.status == 0)
        #expect(outcome.text == "_validation-persist.example.com. 3600 IN TXT \"\(value)\"\n")
        let object = try Self.site().run("--record", domain, "--format", "json").object()
        #expect(object["version"] as? Int == 1 && object["type"] as? String == "TXT" && object.count == 4)
        #expect(object["name"] as? String == "_validation-persist.example.com" && object["value"] as? String == value)
    }

    @Test("what the CA has wanted last counts")
    func noted() throws {
        let site = try Self.site()
        try site.remember(#"{"domain":"_wildcard.example.com","txtRecord":"ca.example; accounturi=https://x/1"}"#)
        let outcome = try site.run("--record", "*.example.com")
        #expect(
            outcome.text == "_validation-persist.example.com. 3600 IN TXT \"ca.example; accounturi=https://x/1\"\n")
    }

    @Test("without what a record is made of there is none")
    func missing() throws {
        let none = try CertificateSite().run("--record", "example.com")
        #expect(none.status == 66 && none.errors.contains("start the server once"), "\(none.errors)")
        let nameless = try Self.site(identities: []).run("--record", "example.com")
        #expect(
            nameless.status == 1 && nameless.errors.contains("the CA's name for this record is not known yet"),
            "\(nameless.errors)")
        #expect(try Self.site().run("--record", "a b").status == 64)
        let site = try CertificateSite()
        try site.tool.write("{", to: "certs/acme-account/acme-v02.api.letsencrypt.org/account.json")
        let damaged = try site.run("--record", "example.com")
        #expect(damaged.status == 65 && damaged.errors.contains("account.json"), "\(damaged.errors)")
    }
}

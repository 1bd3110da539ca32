import ACME
import DomainNames
import OpenSSL
import PushSamples
import TLSSamples
import Testing

@Suite("Certificates that were issued")
struct IssuedChainTests {
    private let context: LibraryContext

    init() throws { context = try LibraryContext() }

    private func check(
        _ text: String, _ domain: Domain = Samples.domain, key: SampleKey = Samples.orderKey,
        issuers: KnownIssuers = KnownIssuers()
    ) throws -> IssuanceError? {
        let key = try key.privateKey()
        do throws(IssuanceError) {
            let chain = try IssuedChain(pem: Array(text.utf8), in: context, issuers: issuers)
            try chain.check(for: domain, key: key, now: Samples.now)
            return nil
        } catch {
            return error
        }
    }

    @Test("a chain for the name and the key is good, with its root and without, and for a wildcard")
    func good() throws {
        let root = try SampleSite.root.certificate.pem()
        #expect(try check(Samples.chain()) == nil)
        #expect(try check(Samples.chain() + root) == nil)
        #expect(try check(Samples.chain(["*.example.com"]), Samples.domain("*.example.com")) == nil)
        #expect(try check(Samples.chain(key: .rsa()), key: .rsa()) == nil)
        #expect(try check(Samples.chain(["SHOP.example.com"])) == nil)
    }

    @Test(
        "names other than the one are bad",
        arguments: [[], ["*.example.com"], ["shop.example.com", "a.example.com"], ["example.com"]])
    func names(names: [String]) throws {
        #expect(
            try check(Samples.chain(names))
                == IssuanceError(
                    .badCertificate, "the certificate that was issued is not for 'shop.example.com' alone"))
    }

    @Test("an address beside the name is bad")
    func address() throws {
        let leaf = SampleSite.leaf(["shop.example.com"], addresses: [[127, 0, 0, 1]], key: Samples.orderKey)
        #expect(try check(leaf.pem() + SampleSite.intermediate.certificate.pem())?.type == .badCertificate)
    }

    @Test("a chain is in order, and each certificate is signed by the next")
    func signatures() throws {
        let leaf = try SampleSite.leaf(["shop.example.com"], key: Samples.orderKey).pem()
        let root = try SampleSite.root.certificate.pem()
        let message = "certificate 2 of the chain did not sign certificate 1"
        #expect(try check(leaf + root) == IssuanceError(.badCertificate, message))
        // The right name, with another key.
        let impostor = SampleSite.authority("Sample Intermediate", key: .p256(399), issuer: SampleSite.root)
        #expect(try check(leaf + impostor.certificate.pem())?.message == message)
        #expect(
            try check(Samples.chain() + SampleSite.otherRoot.certificate.pem())?.message.hasPrefix("certificate 3")
                == true)
    }

    @Test("the dates must be around now, with an hour for a clock that is late")
    func dates() throws {
        #expect(try check(Samples.chain(notBefore: 1))?.message.contains("more than an hour from now") == true)
        #expect(try check(Samples.chain(notBefore: -9, notAfter: 0))?.message.contains("expired") == true)
        let early = SampleSite.leaf(["shop.example.com"], key: Samples.orderKey).with {
            $0.notBefore = Samples.now + 3_600
        }
        #expect(try check(early.pem() + SampleSite.intermediate.certificate.pem()) == nil)
    }

    @Test("a key that no server may have is refused")
    func weak() throws {
        let error = try check(Samples.chain(key: .rsa(1_024)), key: .rsa(1_024))
        #expect(error?.type == .badCertificate && error?.message.contains("1024 bits") == true)
    }

    @Test(
        "what is not a chain breaks the protocol",
        arguments: ["", "x", "<html>", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
    func noChain(text: String) throws {
        #expect(try check(text)?.type == .protocol)
    }

    @Test("too many certificates, or bytes, break the protocol")
    func large() throws {
        let one = try SampleSite.root.certificate.pem()
        #expect(try check(String(repeating: one, count: 11))?.message.contains("11 certificates") == true)
        #expect(try check(String(repeating: " ", count: 1 << 20) + one)?.message.contains("larger") == true)
    }

    @Test("nothing but certificates gets into the file")
    func rewritten() throws {
        let chain = try Samples.chain()
        let text = try "garbage\u{1B}\n" + SampleKey.p256(1).pem() + chain + "more"
        let written = try IssuedChain(pem: Array(text.utf8), in: context)
        #expect(String(decoding: written.pem, as: UTF8.self) == chain)
    }

    @Test("issuers that were met before make no difference, whoever has sent them, and only a few are remembered")
    func knownIssuers() throws {
        let known = KnownIssuers()
        let leaf = try SampleSite.leaf([Samples.domain.identifier], key: Samples.orderKey).pem()
        for _ in 0..<2 { #expect(try check(Samples.chain(), issuers: known) == nil) }
        for number in 0..<20 {
            let other = SampleSite.authority("Other \(number)", key: .p256(380 + number % 10), issuer: nil)
            let problem = try check(leaf + other.certificate.pem(), issuers: known)
            #expect(problem?.message.contains("did not sign") == true)
            #expect(try check(Samples.chain(issuer: other), issuers: known) == nil)
        }
        #expect(try check(Samples.chain(), issuers: known) == nil)
    }

    @Test("the issuer is escaped")
    func issuer() throws {
        let issuer = SampleSite.authority("Bad\n\"CA\"", key: .p256(398), issuer: nil)
        let chain = try IssuedChain(pem: Array(Samples.chain(issuer: issuer).utf8), in: context)
        #expect(chain.issuer == #"Bad\x0A\x22CA\x22"#)
    }

    @Test("the TXT record of a domain is one line of a zone")
    func record() throws {
        let record = try #require(
            PersistentRecord(
                domain: Samples.domain("*.example.com"), issuer: "CA.example.net", account: Samples.url("/acct/1")))
        #expect(
            record.zoneLine
                == #"_validation-persist.example.com. 3600 IN TXT "ca.example.net; accounturi=https://ca.example.net/acct/1; policy=wildcard""#
        )
        let long = try #require(
            PersistentRecord(
                domain: Samples.domain, issuer: "ca.example.net",
                account: Samples.url("/" + String(repeating: "x", count: 300))))
        #expect(long.zoneLine.split(separator: "\"").count == 4 && !long.value.contains("policy"))
    }

    @Test(
        "what cannot be in such a record makes none",
        arguments: [
            ("", "/a"), ("a b", "/a"), ("a;b", "/a"), ("a\"b", "/a"), ("*.a.b", "/a"), ("ca.example.net", "/a;b"),
        ] as [(String, String)])
    func noRecord(issuer: String, path: String) {
        #expect(PersistentRecord(domain: Samples.domain, issuer: issuer, account: Samples.url(path)) == nil)
    }
}

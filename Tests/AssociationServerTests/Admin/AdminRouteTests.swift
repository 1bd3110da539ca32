import AssociationServer
import Foundation
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

/// `/route`: the decision as `aasa route --explain` gives it, by the file that is served.
@Suite("The admin listener's decisions", .waiting)
struct AdminRouteTests {
    private static let document = """
        {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[
        {"/":"/help/*","exclude":true,"comment":"help stays on the web"},
        {"/":"/buy/*","?":{"product":"?*"}},{"/":"/straße/*"},{"/":"/a+b"}]}]}}
        """
    private static let digest = String(repeating: "0123456789abcdef", count: 4)

    private func admin(_ document: String = document, _ change: (inout FakeAdminSource.State) -> Void = { _ in }) throws
        -> RunningAdmin
    {
        try RunningAdmin(
            FakeAdminSource {
                let file = ServedSite.File(sha256: Self.digest, bytes: Array(document.utf8))
                $0.served = [
                    ServedSite(domain: "example.com", file: file), ServedSite(domain: "*.example.com", file: file),
                    ServedSite(domain: "xn--bcher-kva.example", file: file),
                    ServedSite(domain: "broken.example", file: nil),
                ]
                $0.sites = $0.served.enumerated().map {
                    SiteFacts.sample($1.domain, number: $0)
                }
                change(&$0)
            })
    }

    private static func encoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    @Test("every key, sorted")
    func golden() throws {
        let (status, body) = try admin().get("/route?url=https%3A%2F%2Fwww.example.com%2Fhelp%2F1")
        #expect(status == 200)
        #expect(
            body == """
                {"appIDs":[],"outcome":"excluded","reason":null,"rule":{"comment":"help stays on the web",\
                "component":0,"detail":0,"excludes":true,"line":2,"pointer":"/applinks/details/0/components/0"},"sha256":"\(Self.digest)",\
                "site":"*.example.com","trace":[{"appIDs":["ABCDE12345.com.example.app"],"component":0,"detail":0,"excludes":true,"failed":null,"line":2,\
                "matched":true,"pattern":null,"pointer":"/applinks/details/0/components/0","value":null}],\
                "url":"https://www.example.com/help/1","userActivity":null,"version":1}

                """)
    }

    @Test(
        "it says what 'aasa route --explain' says",
        arguments: [
            ("https://example.com/help/x", nil), ("https://example.com/buy/1?product=7&x=y", nil),
            ("https://EXAMPLE.com:8443/buy/1?product=", nil), ("http://user@example.com/stra%C3%9Fe/1", nil),
            ("https://www.example.com/straße/1#a", nil), ("https://example.com/a+b", nil), ("https://example.com", nil),
            ("https://bücher.example/help/", nil), ("https://example.com/help/1", "example.com"),
            ("https://elsewhere.example/help/1", "example.com"), ("https://a.example.com/help/1", "*.example.com"),
            ("https://example.com/help/1", "*.example.com"), ("https://www.example.com/help/1", "WWW.example.com"),
        ] as [(String, String?)])
    func decisions(url: String, domain: String?) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.document, to: "apple-app-site-association")
        let arguments = domain.map { ["--domain", $0] } ?? []
        let output = try Shell.run(
            [RunningServer.executable, "route", "--explain", "--format", "json", file, url] + arguments
        ).output
        var expected = try #require(JSONSerialization.jsonObject(with: output) as? [String: Any])
        // The server answers what was decided, and searches neither for what else may have been meant nor for errors.
        for key in ["hint", "nearMisses"] { expected.removeValue(forKey: key) }
        #expect(expected.removeValue(forKey: "fileErrors") as? Int == 1)
        let query = try Self.encoded(url) + (domain.map { "&domain=\(try Self.encoded($0))" } ?? "")
        var (status, members) = try admin().object("/route?url=\(query)")
        #expect(status == 200)
        #expect(members.removeValue(forKey: "site") != nil)
        #expect(members.removeValue(forKey: "sha256") as? String == Self.digest)
        #expect(NSDictionary(dictionary: members) == NSDictionary(dictionary: expected))
    }

    @Test(
        "a question that cannot be answered says why, and what to ask",
        arguments: [
            ("", 400, "/route?url=https%3A%2F%2Fexample.com%2Fbuy%2F7"), ("?url=", 400, "/route?url=https%3A%2F%2F"),
            ("?domain=example.com", 400, "/route?url=https%3A%2F%2F"), ("?url", 400, "parameter 'url' has no value"),
            ("?url=%zz", 400, "two hex digits"), ("?url=%4", 400, "two hex digits"), ("?url=a&url=b", 400, "twice"),
            ("?url=https://example.com/?a=1&b=2", 400, "unknown parameter 'b'; expected 'url' or 'domain'"),
            ("?url=https://example.com/?a=1&b=2", 400, "in the URL as %26"),
            ("?url=ftp%3A%2F%2Fexample.com", 400, "not an http or https URL with a host"),
            ("?url=%2Fbuy", 400, "write it as https://example.com/path"),
            ("?url=%FF%00", 400, "not an http or https URL"),
            ("?url=https://example.com/&domain=a..b", 400, "parameter 'domain': 'a..b' is not a domain"),
            ("?url=https://broken.example/", 503, "broken.example has no valid file"),
            ("?url=https://exmaple.com/", 404, "no site answers for 'exmaple.com'"),
            ("?url=https://example.com/&domain=other.example", 404, "no site answers for 'other.example'"),
        ])
    func refusals(query: String, status: Int, message: String) throws {
        let (answered, members) = try admin().object("/route\(query)")
        #expect(answered == status)
        #expect(members["version"] as? Int == 1)
        let error = try #require(members["error"] as? String)
        #expect(error.contains(message), "\(error)")
    }

    @Test(
        "sites nearby are named",
        arguments: [
            ("exmaple.com", ["*.example.com", "example.com"]), ("a.b.example.com", ["*.example.com", "example.com"]),
            ("com", ["*.example.com", "example.com"]), ("roken.example", ["broken.example"]), ("nothing.like.it", []),
            ("www.broken.example", ["broken.example"]), ("", []),
        ])
    func nearby(host: String, sites: [String]) throws {
        #expect(NearbySites.domains(near: host, among: ["example.com", "*.example.com", "broken.example"]) == sites)
    }

    @Test("no more than five sites are named, the related ones first")
    func manyNearby() {
        let siblings = (0..<20).map { "s\($0).example.com" }
        let named = NearbySites.domains(near: "s.example.com", among: siblings + ["s.exmaple.com"])
        #expect(named == ["s0.example.com", "s1.example.com", "s10.example.com", "s11.example.com", "s12.example.com"])
    }

    @Test("another file of a site is another router, and the old one is forgotten in time")
    func reload() throws {
        let admin = try admin()
        func outcome() throws -> String? {
            try admin.object("/route?url=https://example.com/help/1").members["outcome"] as? String
        }
        #expect(try outcome() == "excluded")
        for number in 0..<40 {
            let document = Self.document.replacingOccurrences(of: "\"exclude\":true,", with: "")
            admin.source.state.withLock { state in
                let file = ServedSite.File(sha256: "\(number)", bytes: Array(document.utf8))
                state.served = [ServedSite(domain: "example.com", file: file)]
            }
            #expect(try outcome() == "open")
        }
        admin.source.state.withLock { state in
            let file = ServedSite.File(sha256: Self.digest, bytes: Array(Self.document.utf8))
            state.served = [ServedSite(domain: "example.com", file: file)]
        }
        #expect(try outcome() == "excluded")
    }

    @Test("a file that is signed is read, one that is too long is not")
    func files() throws {
        let folder = try TemporaryFolder()
        try TestCertificate.make([], in: folder.url)
        let plain = try folder.write(Self.document, to: "plain")
        let signed = try Shell.run([
            "openssl", "smime", "-sign", "-nodetach", "-outform", "DER", "-in", plain, "-signer",
            "\(folder.path)/fullchain.pem", "-inkey", "\(folder.path)/privkey.pem",
        ]).output
        let admin = try admin(Self.document) {
            $0.served = [
                ServedSite(domain: "signed.example", file: ServedSite.File(sha256: "1", bytes: Array(signed))),
                ServedSite(
                    domain: "long.example",
                    file: ServedSite.File(sha256: "2", bytes: [UInt8](repeating: 0x20, count: 1 << 20 | 1))),
                ServedSite(domain: "bad.example", file: ServedSite.File(sha256: "3", bytes: Array("{".utf8))),
            ]
        }
        let answer = try admin.object("/route?url=https://signed.example/help/1")
        #expect(answer.members["outcome"] as? String == "excluded")
        let long = try admin.object("/route?url=https://long.example/")
        #expect(long.status == 503)
        #expect((long.members["error"] as? String)?.contains("use 'aasa route'") == true)
        #expect(try admin.object("/route?url=https://bad.example/").status == 503)
    }
}

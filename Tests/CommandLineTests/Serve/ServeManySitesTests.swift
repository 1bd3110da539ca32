import Foundation
import TLSSamples
import TestSupport
import Testing

/// A thousand sites with a hundred certificates on one server (server.md, sections 1, 2, 4 and 5).
@Suite("aasa serve: many sites", .waiting)
struct ServeManySitesTests {
    private static let shared = Result { try ManySites() }
    private let many: ManySites

    init() throws { many = try Self.shared.get() }

    /// A client that has shaken hands under a name.
    private func client(_ name: String, _ change: (inout SampleOffer) -> Void = { _ in }) throws -> HTTPSClient {
        var offer = SampleOffer(change)
        offer.serverName = name
        let client = try HTTPSClient(port: many.server.port, offer)
        try client.handshake()
        return client
    }

    @Test("each name gets its own file, and the certificate that is for it")
    func ownFiles() throws {
        for start in stride(from: 0, to: ManySites.count, by: ManySites.namesPerCertificate) {
            let numbers = start..<min(start + ManySites.namesPerCertificate, ManySites.count)
            let client = try client(ManySites.name(start + start / 7 % numbers.count))
            #expect(client.presented == many.certificates["many\(start / ManySites.namesPerCertificate)"])
            for name in numbers.map(ManySites.name) {
                let answer = try client.get(host: name)
                try #require(answer.status == 200)
                try #require(answer.text == ManySites.document(name))
            }
            // The neighbour's is none of this certificate's.
            #expect(try client.get(host: ManySites.name((numbers.upperBound + 1) % ManySites.count)).status == 421)
        }
    }

    @Test("names are compared without case", arguments: ["SITE7.MANY.EXAMPLE", "Site7.many.Example"])
    func letters(name: String) throws {
        #expect(try client(name).get(host: name + ".").text == ManySites.document(ManySites.name(7)))
    }

    @Test("a wildcard serves what has no folder of its own, one label deep", arguments: 0..<ManySites.wildcards)
    func wildcards(number: Int) throws {
        let parent = "wild\(number).example"
        let client = try client("some.\(parent)")
        #expect(client.presented == many.certificates[parent])
        #expect(try client.get(host: "some.\(parent)").text == ManySites.document("*.\(parent)"))
        #expect(try client.get(host: "other.\(parent)").text == ManySites.document("*.\(parent)"))
        #expect(try client.get(host: "own.\(parent)").text == ManySites.document("own.\(parent)"))
        #expect(try client.get(host: parent).status == 404)
        #expect(try client.get(host: "two.labels.\(parent)").status == 421)
        #expect(try self.client(parent).get(host: "some.\(parent)").status == 200)
        #expect(throws: TestFailure.self) { try self.client("two.labels.\(parent)") }
    }

    @Test(
        "names that no certificate has are refused in the handshake",
        arguments: ["many.example", "site950.many.example", "site7.many.example.example", "example", "localhost"])
    func unknownNames(name: String) throws {
        #expect(throws: TestFailure.self) { try client(name) }
    }

    @Test(
        "of two certificates for one name the client gets the one that it can use, ECDSA if both",
        arguments: SampleOffer.versions)
    func keyTypes(version: SampleOffer.Version) throws {
        func presented(_ algorithms: String?) throws -> [UInt8]? {
            let client = try client("dual.example") {
                ($0.oldest, $0.newest) = (version, version)
                $0.signatureAlgorithms = algorithms
            }
            #expect(try client.get(host: "dual.example").text == ManySites.document("dual.example"))
            return client.presented
        }
        #expect(try presented(nil) == many.certificates["ecdsa"])
        #expect(try presented("ECDSA+SHA256") == many.certificates["ecdsa"])
        #expect(try presented("RSA-PSS+SHA256:RSA+SHA256") == many.certificates["rsa"])
        #expect(try presented("RSA-PSS+SHA256:ECDSA+SHA256") == many.certificates["ecdsa"])
        #expect(try client("only-rsa.example").presented == many.certificates["rsa"])
    }

    @Test("another client sees the same: openssl, by signature algorithms and by cipher suites")
    func keyTypesOutside() throws {
        func answer(_ arguments: [String]) throws -> String {
            let outcome = try Shell.run(
                ["openssl", "s_client", "-connect", "127.0.0.1:\(many.server.port)", "-servername", "dual.example"]
                    + arguments)
            return outcome.text
        }
        #expect(try answer(["-sigalgs", "ECDSA+SHA256"]).contains("Peer signature type: ECDSA"))
        #expect(try answer(["-sigalgs", "RSA-PSS+SHA256:RSA+SHA256"]).contains("Peer signature type: RSA-PSS"))
        for suite in ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305"] {
            #expect(try answer(["-tls1_2", "-cipher", suite]).contains("Cipher is \(suite)"))
        }
    }

    @Test("the connection of one certificate does not serve what only the other covers")
    func coverage() throws {
        let elliptic = try client("dual.example") { $0.signatureAlgorithms = "ECDSA+SHA256" }
        #expect(try elliptic.get(host: "only-rsa.example").status == 421)
        let rsa = try client("dual.example") { $0.signatureAlgorithms = "RSA-PSS+SHA256" }
        #expect(try rsa.get(host: "only-rsa.example").status == 200)
        #expect(try rsa.get(host: "bad.example").status == 421)
    }

    @Test("one bad site answers 503 among the others, and is named")
    func badSite() throws {
        let client = try client("bad.example")
        let answer = try client.get(host: "bad.example")
        #expect(answer.status == 503)
        #expect(answer["Retry-After"] == "300")
        #expect(try client.get(host: "dual.example").status == 200)
        #expect(many.server.logText.contains("bad.example: file rejected ("))
        #expect(many.server.logText.contains("/sites/No Host: "))
    }

    @Test("bad certificates are named, and stop nothing", arguments: ["garbage", "mismatch", "keyless"])
    func badCertificates(name: String) throws {
        #expect(many.server.logText.contains(" error: \(many.server.folder.path)/certs/\(name)/"))
        #expect(try client("dual.example").presented == many.certificates["ecdsa"])
    }

    @Test("a change of one site is one change")
    func oneChange() throws {
        let client = try client("changing.example")
        let before = try client.get(host: "changing.example")
        #expect(before.text == ManySites.document("changing.example"))
        try ManySites.site(
            "changing.example", in: many.server.folder, document: ManySites.document("changed.example"))
        many.server.signal(SIGHUP)
        #expect(many.server.waitForLog("1 site changed (changing.example)"))
        #expect(try client.get(host: "changing.example").text == ManySites.document("changed.example"))
        #expect(try client.get(host: "dual.example").text == ManySites.document("dual.example"))
    }
}

import AssociationServer
import Diagnostics
import EventLoops
import Foundation
import OpenSSL
import ServiceHealth
import SiteStore
import TLSSamples
import TestSupport
import Testing

/// Certificates and ticket keys that servers have in common (store.md, section 4).
@Suite("Secrets of a store", .waiting)
struct StoreSecretsTests {
    private static let ring = StoreKeyRing([
        StoreKeyRing.Key(id: "k1", secret: SecretBytes([UInt8](repeating: 7, count: 32)))
    ])
    private static let otherRing = StoreKeyRing([
        StoreKeyRing.Key(id: "k1", secret: SecretBytes([UInt8](repeating: 8, count: 32)))
    ])
    private static let strangeRing = StoreKeyRing([
        StoreKeyRing.Key(id: "k2", secret: SecretBytes([UInt8](repeating: 7, count: 32)))
    ])

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A new certificate for localhost, sealed.
    private func certificate(_ name: String, days: Int = 90) throws -> StoredCertificate {
        let place = folder.url.appendingPathComponent(UUID().uuidString)
        try TestCertificate.make(["DNS:localhost"], in: place, days: days)
        let chain = try String(contentsOf: place.appendingPathComponent("fullchain.pem"), encoding: .utf8)
        let key = SecretBytes(try Data(contentsOf: place.appendingPathComponent("privkey.pem")))
        let sealed = try Self.ring.seal(key, table: "certificates", primaryKey: name)
        return StoredCertificate(
            name: name, chain: chain, keyID: sealed.keyID, sealedKey: sealed.bytes, source: .import, generation: 1,
            isRemoved: false)
    }

    private func followed() throws -> FollowedServer {
        let followed = try FollowedServer([.https(proxyProtocol: false)])
        followed.apply([FollowedServer.file("localhost", FollowedServer.document())])
        return followed
    }

    private func presented(_ followed: FollowedServer) throws -> [UInt8] {
        let client = try HTTPSClient(port: followed.port())
        try client.handshake()
        let answer = try client.get()
        #expect(answer.status == 200)
        return client.presented
    }

    @Test("a certificate is opened and presented, another one replaces it, and a bad one does not")
    func certificates() throws {
        let followed = try followed()
        #expect(followed.server.facts.sites.map(\.site.state) == [.noCertificate])
        let first = try certificate("localhost")
        #expect(followed.apply([], certificates: [first], keys: Self.ring).refused == 0)
        let presentedFirst = try presented(followed)
        #expect(followed.server.facts.sites.map(\.site.state) == [.published])
        #expect(followed.server.facts.sites[0].certificate?.folder == "store:certificates/localhost")
        let second = try certificate("localhost")
        let cases = [
            (Self.otherRing as StoreKeyRing?, "store-key-wrong"), (Self.strangeRing, "store-key-missing"),
            (nil, "store-key-missing"),
        ]
        for (ring, code) in cases {
            followed.log.clear()
            #expect(followed.apply([], certificates: [second], keys: ring).refused == 1)
            #expect(try presented(followed) == presentedFirst)
            #expect(followed.server.findings.map(\.diagnostic.code.rawValue) == [code])
            #expect(followed.server.facts.pairs.contains { $0.state == .refused })
            let line = try #require(followed.log.lines.first { $0.contains(code) })
            #expect(line.hasPrefix("error store:certificates/localhost: ") && line.hasSuffix(" [\(code)]"))
        }
        // The key file is right again, and all is read.
        let files = [FollowedServer.file("localhost", FollowedServer.document())]
        let outcome = followed.apply(files, isComplete: true, certificates: [second], keys: Self.ring)
        #expect(outcome.refused == 0 && followed.server.findings.isEmpty)
        #expect(try presented(followed) != presentedFirst)
    }

    @Test("the last certificate that could be used stands in for one that cannot, also on a server that starts again")
    func olderCertificates() throws {
        let (good, bad) = (try certificate("localhost"), try certificate("localhost"))
        let first = try followed()
        #expect(first.apply([], certificates: [good], keys: Self.ring).servedOlderCertificates.isEmpty)
        let presentedFirst = try presented(first)
        #expect(first.apply([], certificates: [bad], keys: Self.otherRing).servedOlderCertificates == [good])
        // With everything that is read.
        let files = [FollowedServer.file("localhost", FollowedServer.document())]
        #expect(first.apply(files, isComplete: true, certificates: [bad]).servedOlderCertificates == [good])
        for keys in [Self.ring, Self.otherRing] {
            let second = try followed()
            // The key of the older one is there, that of the present one is not.
            let broken = StoredCertificate(
                name: bad.name, chain: bad.chain, keyID: "lost", sealedKey: bad.sealedKey, source: .import,
                generation: 2, isRemoved: false)
            let outcome = second.apply([], certificates: [broken], olderCertificates: ["localhost": good], keys: keys)
            #expect(outcome.refused == 1)
            #expect(second.server.findings.contains { $0.diagnostic.code.rawValue == "store-key-missing" })
            let isThere = keys.has("k1") && outcome.servedOlderCertificates == [good]
            if isThere { #expect(try presented(second) == presentedFirst) }
            #expect(second.server.facts.sites.map(\.site.state) == [isThere ? .published : .noCertificate])
        }
    }

    @Test("a certificate that was moved to another row does not open, and one without a certificate in it is refused")
    func moved() throws {
        let followed = try followed()
        let good = try certificate("a")
        let moved = StoredCertificate(
            name: "b", chain: good.chain, keyID: good.keyID, sealedKey: good.sealedKey, source: .import, generation: 1,
            isRemoved: false)
        let empty = StoredCertificate(
            name: "a", chain: "no certificate", keyID: good.keyID, sealedKey: good.sealedKey, source: .import,
            generation: 2, isRemoved: false)
        #expect(followed.apply([], certificates: [good, moved], keys: Self.ring).refused == 1)
        #expect(followed.server.findings.map(\.path) == ["store:certificates/b"])
        #expect(followed.apply([], certificates: [empty], keys: Self.ring).refused == 2)
        _ = try presented(followed)
    }

    @Test("a removed certificate is gone, while another one covers the site")
    func removed() throws {
        let followed = try followed()
        let (first, second) = (try certificate("a", days: 90), try certificate("b", days: 80))
        followed.apply([], certificates: [first, second], keys: Self.ring)
        let gone = StoredCertificate(
            name: "a", chain: "", keyID: "", sealedKey: [], source: .import, generation: 3, isRemoved: true)
        #expect(followed.apply([], certificates: [gone]).refused == 0)
        #expect(followed.server.facts.pairs.map(\.folder) == ["store:certificates/b"])
        _ = try presented(followed)
    }

    @Test("a certificate in a folder that was asked for counts, too")
    func folderBesides() throws {
        let place = folder.url.appendingPathComponent("certs/localhost")
        try TestCertificate.make(["DNS:localhost"], in: place)
        for isAsked in [true, false] {
            let followed = try FollowedServer([.https(proxyProtocol: false)]) {
                $0.certs = "\(folder.path)/certs"
                if isAsked { $0.store.origins["certs"] = .option("--certs") }
            }
            followed.apply([FollowedServer.file("localhost", FollowedServer.document())])
            #expect(followed.server.facts.sites.map(\.site.state) == [isAsked ? .published : .noCertificate])
            guard isAsked else { continue }
            followed.apply([], certificates: [try certificate("store")], keys: Self.ring)
            #expect(followed.server.facts.pairs.count == 2)
            followed.reload()
            #expect(followed.server.facts.pairs.count == 2)
            _ = try presented(followed)
        }
    }

    @Test(
        "a session of one server is resumed at another one that shares its ticket keys", arguments: SampleOffer.versions
    )
    func sharedTickets(version: SampleOffer.Version) throws {
        let certificate = try certificate("localhost")
        let (first, second) = (try followed(), try followed())
        for followed in [first, second] { followed.apply([], certificates: [certificate], keys: Self.ring) }
        let offer = SampleOffer(version)
        for isShared in [false, true] {
            if isShared {
                let key = SharedTicketKey(
                    name: [UInt8](repeating: 1, count: 16), secret: SecretBytes([UInt8](repeating: 2, count: 64)),
                    useFrom: Clock.monotonicMilliseconds() / 1_000)
                for followed in [first, second] { followed.server.shareTickets([key]) }
            }
            let client = try HTTPSClient(port: first.port(), offer)
            try client.handshake()
            #expect(try client.get().status == 200)
            client.sayGoodbye()
            let again = try HTTPSClient(port: second.port(), offer, resuming: client.session)
            try again.handshake()
            #expect(try again.get().status == 200)
            #expect(again.isResumed == isShared)
        }
    }
}

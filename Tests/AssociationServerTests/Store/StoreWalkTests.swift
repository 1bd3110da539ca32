import AssociationServer
import Diagnostics
import Foundation
import FuzzingSupport
import OpenSSL
import ServiceHealth
import SiteStore
import TestSupport
import Testing

/// Servers after many changes of a store are as those that read all of it at once.
@Suite("Random changes of a store", .waiting)
struct StoreWalkTests {
    private static let ring = StoreKeyRing([
        StoreKeyRing.Key(id: "k1", secret: SecretBytes([UInt8](repeating: 7, count: 32)))
    ])
    private static let names =
        (0..<300).map { "s\($0).\($0 % 2 == 0 ? "covered" : "bare").example" }
        + ["*.part.example", "a.part.example", "b.part.example", "*.covered.example", "*.bare.example"]

    /// The store as it is.
    private struct Model {
        var current: [StoreFileKey: StoredFile] = [:]
        var lastGood: [StoreFileKey: StoredFile] = [:]
        private var version: Int64 = 0

        /// Publishes, or removes, a file of a site at random.
        mutating func change(_ random: inout SplitMix64, removes: Int) -> StoredFile {
            version += 1
            let present = random.chance(removes) ? Array(current.keys).sorted() : []
            if !present.isEmpty {
                let key = random.pick(present)
                (current[key], lastGood[key]) = (nil, nil)
                return FollowedServer.file(key.domain, key.name, version, nil)
            }
            let isLinks = random.chance(15)
            let good = isLinks ? SitesFolder.links : FollowedServer.document("v\(version)")
            let isGood = random.chance(85)
            let file = FollowedServer.file(
                random.pick(StoreWalkTests.names), isLinks ? "assetlinks.json" : FollowedServer.association, version,
                isGood ? good : "{\(version)", publishedAt: FollowedServer.newYear + version * 1_000_000)
            current[file.key] = file
            if isGood { lastGood[file.key] = file }
            return file
        }
    }

    /// Everything that a server shows.
    private static func shown(_ followed: FollowedServer) -> [String] {
        let server = followed.server
        let sites = server.facts.sites.map { facts in
            let site = facts.site
            return
                """
                \(site.domain) \(site.state.rawValue) \(site.association?.served?.sha256 ?? "-") \(site.files.map(\.name)) \
                \(site.findings.count) \
                \(site.lastError?.message ?? "") \(facts.judgement.state.rawValue)
                """
        }
        let findings = server.findings.map(\.description).sorted()
        return [server.summary, "\(server.refusedCount) \(server.sitesWithoutCertificate)"] + sites + findings
    }

    private static func bytes(_ folder: TemporaryFolder, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    @Test("leave a server as it is that reads everything at once", arguments: TestSeeds.of(1...2))
    func walk(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        try TestCertificate.make(
            ["DNS:*.covered.example", "DNS:a.part.example", "DNS:b.part.example"], in: folder.url)
        let sealed = try Self.ring.seal(
            SecretBytes(Self.bytes(folder, "privkey.pem")), table: "certificates", primaryKey: "c")
        let certificate = StoredCertificate(
            name: "c", chain: String(decoding: try Self.bytes(folder, "fullchain.pem"), as: UTF8.self),
            keyID: sealed.keyID,
            sealedKey: sealed.bytes, source: .import, generation: 1, isRemoved: false)
        let followed = try FollowedServer([.https(proxyProtocol: false), FollowedServer.plain])
        followed.apply([], certificates: [certificate], keys: Self.ring)
        var model = Model()
        for step in 0..<240 {
            let removes = step < 120 ? 10 : 65
            let files = (0..<random.number(1...(step == 0 ? 200 : 4))).map { _ in
                model.change(&random, removes: removes)
            }
            // Of each file the last one, as a store has them.
            let last = Dictionary(files.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
            followed.apply(Array(last.values), keys: Self.ring)
            guard step % 60 == 59 else { continue }
            let fresh = try FollowedServer([.https(proxyProtocol: false), FollowedServer.plain])
            fresh.apply(
                Array(model.current.values), isComplete: true, certificates: [certificate],
                older: model.lastGood.mapValues { [$0] }, keys: Self.ring)
            #expect(Self.shown(followed) == Self.shown(fresh), "after step \(step)")
        }
    }
}

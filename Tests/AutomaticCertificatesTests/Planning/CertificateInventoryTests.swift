import ACME
import AssociationServer
import AutomaticCertificates
import Foundation
import OpenSSL
import PushSamples
import ServiceHealth
import SystemSupport
import TLSSamples
import TestSupport
import Testing

struct CertificateInventoryTests {
    private let folder: TemporaryFolder
    private let issuance: IssuanceFolder
    private var configuration = ServerConfiguration()

    init() throws {
        folder = try TemporaryFolder()
        issuance = IssuanceFolder("\(folder.path)/certs")
        try folder.write("{}", to: "sites/shop.example.com/apple-app-site-association")
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = issuance.path
        configuration.acme.agreesToTerms = true
    }

    private func input() throws -> IssuanceInput {
        try ServerInventory(configuration, now: IssuanceSamples.now).input
    }

    private func install(_ name: String, key: Int = 301) throws {
        _ = try issuance.install(
            IssuanceSamples.issued(name, key: .p256(key)), directory: IssuanceSamples.directory,
            now: IssuanceSamples.now)
    }

    @Test("certificates of ACME have their metadata and what the CA knows them by, others have neither")
    func sources() throws {
        try install("shop.example.com")
        let pem = try SampleIdentity.pem(["www.example.com"])
        try folder.write(pem.chain, to: "certs/own/fullchain.pem")
        try folder.write(pem.key, to: "certs/own/privkey.pem")
        var inventory = CertificateInventory()
        let certificates = try inventory.certificates(input())
        #expect(certificates.count == 2)
        let own = try #require(certificates.first { $0.names == ["www.example.com"] })
        #expect(own.source == .folder && own.certificateID == nil && own.fingerprint.count == 64)
        let ordered = try #require(certificates.first { $0.names == ["shop.example.com"] })
        #expect(
            ordered.source
                == .acme(
                    IssuanceSamples.domain("shop.example.com"), directory: IssuanceSamples.directory.description))
        let chain = try IssuedChain(
            pem: Array(Data(contentsOf: URL(fileURLWithPath: "\(issuance.path)/shop.example.com/fullchain.pem"))),
            in: LibraryContext())
        #expect(ordered.certificateID == CertificateID(chain.leaf))
        #expect(ordered.certificateID != nil)
        let digest = SHA256Digest.hash(chain.leaf.der).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(ordered.fingerprint == digest)
    }

    @Test("metadata that cannot be read makes it one of an unknown CA, and is read when it can be")
    func damagedMark() throws {
        try install("shop.example.com")
        let path = "certs/shop.example.com/acme.json"
        let text = try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
        try folder.write("{", to: path)
        var inventory = CertificateInventory()
        let domain = IssuanceSamples.domain("shop.example.com")
        let input = try input()
        #expect(inventory.certificates(input).map(\.source) == [.acme(domain, directory: "")])
        try folder.write(text, to: path)
        #expect(
            inventory.certificates(input).map(\.source) == [
                .acme(domain, directory: IssuanceSamples.directory.description)
            ])
    }

    @Test("nothing is read again as long as nothing has changed")
    func cache() throws {
        try install("shop.example.com")
        var inventory = CertificateInventory()
        let first = try input()
        let before = inventory.certificates(first)
        // What is gone from the disk cannot be read.
        try FileManager.default.removeItem(atPath: issuance.path)
        #expect(inventory.certificates(first) == before)
        #expect(inventory.certificates(first).first?.certificateID != nil)
        var fresh = CertificateInventory()
        #expect(fresh.certificates(first) != before)
    }

    @Test("another certificate in the same folder is another one")
    func replaced() throws {
        try install("shop.example.com")
        var inventory = CertificateInventory()
        let before = try inventory.certificates(input())
        try install("shop.example.com", key: 302)
        let after = try inventory.certificates(input())
        #expect(after.count == 1 && after.first?.fingerprint != before.first?.fingerprint)
    }

    @Test("settings become those of the plan")
    func settings() throws {
        var changed = self
        changed.configuration.acme.directory = .letsEncryptStaging
        changed.configuration.acme.exclude = [
            "old.example.com", "_wildcard.example.com", "*.example.org", "UP.example",
        ]
        let settings = try #require(IssuanceSettings(changed.input()))
        #expect(settings.authority.directory.description == ACMEConfiguration.Directory.letsEncryptStaging.url)
        #expect(settings.configuration == changed.configuration.acme)
        #expect(settings.excluded == Set(["old.example.com", "*.example.com"].map(IssuanceSamples.domain)))
        #expect(settings.answerable == [.tlsALPN01, .dnsPersist01])
        changed.configuration.acme.directory = .other("https://ca.example:1400000/dir")
        #expect(try IssuanceSettings(changed.input()) == nil)
    }
}

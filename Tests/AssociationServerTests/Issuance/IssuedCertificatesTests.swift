import ACME
import AssociationServer
import Diagnostics
import Dispatch
import Foundation
import ServiceHealth
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// Certificates that ACME writes, and the server reads (acme.md, sections 2 and 3).
@Suite("Certificates that were issued", .waiting)
struct IssuedCertificatesTests {
    private let folder: TemporaryFolder
    private let log = RecordedLog()
    /// Nothing can be said against it.
    private static let document =
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a.example", "b.example"] {
            try folder.write(Self.document, to: "sites/\(name)/apple-app-site-association")
        }
    }

    private func configuration(_ change: (inout ServerConfiguration) -> Void = { _ in }) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 1
        configuration.log.access = .none
        configuration.acme.agreesToTerms = true
        configuration.acme.directory = .other("https://ca.example/")
        change(&configuration)
        return configuration
    }

    private func load(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws -> LinkServer {
        var timing = ReloadTiming()
        timing.watches = false
        return try LinkServer(configuration(change), logger: log.logger, timing: timing)
    }

    /// Writes a certificate as ACME does: through a link that is replaced.
    private func issue(_ domain: String, in certs: String = "certs", generation: Int = 1, isMarked: Bool = true) throws
    {
        let place = "\(certs)/\(domain)"
        try TestCertificate.make(["DNS:\(domain)"], in: folder.url.appendingPathComponent("\(place)/..\(generation)"))
        try folder.link("\(place)/..new", to: "..\(generation)")
        let (new, data) = ("\(folder.path)/\(place)/..new", "\(folder.path)/\(place)/..data")
        guard rename(new, data) == 0 else { throw TestFailure("rename: \(errno)") }
        guard generation == 1 else { return }
        for name in ["fullchain.pem", "privkey.pem"] { try folder.link("\(place)/\(name)", to: "..data/\(name)") }
        if isMarked { try folder.write("{}", to: "\(place)/acme.json") }
    }

    private func sources(_ server: LinkServer) -> [String: String] {
        Dictionary(
            server.issuanceInput.certificates.map {
                (
                    Path.relative($0.folder, to: folder.path) ?? $0.folder,
                    "\($0.source)\($0.isPresented ? " presented" : "")"
                )
            }
        ) { first, _ in first }
    }

    private func findings(_ server: LinkServer) -> [String] {
        server.findings.map { $0.description.replacingOccurrences(of: folder.path + "/", with: "") }
    }

    @Test("a server starts without a certificate if it gets one, and nobody is answered until then")
    func start() throws {
        let server = try load()
        #expect(server.summary == "2 sites, 0 certificates" && findings(server).isEmpty)
        #expect(server.sitesWithoutCertificate == 0 && server.refusedCount == 0)
        let port = try #require(try server.start().https.first?.split(separator: ":").last.flatMap { Int($0) })
        func status(_ name: String) throws -> Int? {
            let client = try HTTPSClient(port: port, SampleChallenge.offer(name, .tls13, protocols: []))
            guard (try? client.handshake()) != nil else { return nil }
            return try client.get(host: name).status
        }
        #expect(try status("a.example") == nil)
        try issue("a.example")
        let isPresented = DispatchSemaphore(value: 0)
        server.certificatesChanged(in: ["a.example"]) { isPresented.signal() }
        #expect(isPresented.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        #expect(try status("a.example") == 200)
        #expect(try status("b.example") == nil)
        #expect(sources(server) == ["certs/a.example": "acme presented"])
        #expect(log.lines.contains { $0.hasPrefix("info reloaded: 1 certificate added (") })
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    @Test(
        "without a site that gets a certificate, or without a site, there is nothing to serve",
        arguments: [
            (["a.example", "b.example"], true, "no usable certificate"), (["a.example"], true, nil),
            ([], false, "no usable certificate"), ([], true, nil),
        ] as [([String], Bool, String?)])
    func nothingToServe(exclude: [String], isPrivate: Bool, expected: String?) throws {
        do {
            _ = try load {
                $0.acme.exclude = exclude
                if !isPrivate { $0.acme.directory = .letsEncrypt }
            }
            #expect(expected == nil)
        } catch let error as ServerError {
            #expect(error.code == .nothingToServe)
            #expect(expected.map { error.description.contains($0) } == true, "\(error)")
        }
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/a.example")
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/b.example")
        #expect(throws: ServerError.self) { try load() }
    }

    @Test("accounts are no certificate, and say nothing", arguments: [true, false])
    func accounts(isOn: Bool) throws {
        try issue("a.example")
        try folder.write("key", to: "certs/acme-account/ca.example/account.key")
        let server = try load { $0.acme.agreesToTerms = isOn }
        #expect(sources(server) == ["certs/a.example": "acme presented"])
        #expect(!findings(server).contains { $0.contains("acme-account") })
    }

    @Test("another folder is read, too, wherever it is", arguments: ["state", "certs/own", "certs", "certs/../state"])
    func otherFolder(name: String) throws {
        try TestCertificate.make(["DNS:b.example"], in: folder.url.appendingPathComponent("certs/own-b"))
        try issue("a.example", in: name)
        let server = try load { $0.acme.folder = "\(folder.path)/\(name)" }
        #expect(Set(sources(server).values) == ["acme presented", "folder presented"])
        #expect(server.issuanceInput.certificates.count == 2 && findings(server).isEmpty, "\(findings(server))")
        #expect(server.issuanceInput.folder == "\(folder.path)/\(name)")
    }

    @Test("one that cannot be read keeps nothing else from being served, and what was read of it stays")
    func unreadableFolder() throws {
        try TestCertificate.make(["DNS:b.example"], in: folder.url.appendingPathComponent("certs/b"))
        try issue("a.example", in: "state")
        let server = try load { $0.acme.folder = "\(folder.path)/state" }
        try FileManager.default.moveItem(atPath: "\(folder.path)/state", toPath: "\(folder.path)/gone")
        try folder.write("x", to: "state")
        server.reloadAndWait()
        #expect(sources(server) == ["certs/b": "folder presented", "state/a.example": "acme presented"])
        #expect(server.issuanceInput.certificates.filter(\.isKept).count == 1)
        #expect(
            findings(server).contains(
                "state: error: the folder of 'acme' cannot be read: not a directory [acme-folder]"))
        let other = try load { $0.acme.folder = "\(folder.path)/state" }
        #expect(sources(other) == ["certs/b": "folder presented"])
    }

    @Test("a certificate of another source is presented before that of ACME, and nothing is logged about that")
    func otherSource() throws {
        try issue("a.example", generation: 1)
        try TestCertificate.make(
            ["DNS:*.example", "DNS:a.example"], in: folder.url.appendingPathComponent("certs/own"),
            key: .rsa(bits: 2_048))
        let server = try load()
        #expect(sources(server) == ["certs/a.example": "acme", "certs/own": "folder presented"])
        #expect(findings(server).isEmpty, "\(findings(server))")
        #expect(server.facts.sites.map { $0.certificate?.source } == [.folder, .folder])
    }

    @Test("an expired one of another source gives way to that of ACME")
    func expired() throws {
        try issue("a.example")
        try TestCertificate.make(["DNS:a.example"], in: folder.url.appendingPathComponent("certs/own"), days: -1)
        let server = try load()
        #expect(sources(server) == ["certs/a.example": "acme presented", "certs/own": "folder"])
        #expect(server.facts.sites.first?.certificate?.source == .acme)
    }

    @Test("only the folders that were named are read, but for what could not be read before")
    func namedFolders() throws {
        for name in ["a.example", "b.example"] { try issue(name) }
        try folder.write("", to: "certs/c.example/fullchain.pem")
        let server = try load()
        func leaves() -> [String: [UInt8]] {
            Dictionary(
                server.issuanceInput.certificates.map { ($0.names.first ?? "", $0.leaf) }
            ) { first, _ in first }
        }
        let before = leaves()
        for name in ["a.example", "b.example"] { try issue(name, generation: 2) }
        try issue("c.example", generation: 2)
        try folder.link("certs/c.example/privkey.pem", to: "..data/privkey.pem")
        #expect(unlink("\(folder.path)/certs/c.example/fullchain.pem") == 0)
        try folder.link("certs/c.example/fullchain.pem", to: "..data/fullchain.pem")
        let isPresented = DispatchSemaphore(value: 0)
        server.certificatesChanged(in: ["a.example"]) { isPresented.signal() }
        #expect(isPresented.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        let after = leaves()
        #expect(after["a.example"] != before["a.example"] && after["b.example"] == before["b.example"])
        #expect(before["c.example"] == nil && after["c.example"] != nil)
        server.reloadAndWait()
        #expect(leaves()["b.example"] != before["b.example"])
    }

    @Test("what is installed is not looked for on disk at once, but when sites have changed all is")
    func ownChanges() throws {
        try issue("a.example")
        var timing = ReloadTiming()
        (timing.beginning, timing.quiet, timing.longest) = (1, 20, 100)
        // One that is told of nothing: what it has seen, the other one could have seen.
        let other = try LinkServer(configuration(), logger: RecordedLog().logger, timing: timing)
        try other.start()
        (timing.installing, timing.longestInstalling) = (3_600_000, 3_600_000)
        let server = try LinkServer(configuration(), logger: log.logger, timing: timing)
        try server.start()
        func lines() -> [String] { log.lines.filter { $0.hasPrefix("info reloaded") } }
        func leaf(_ server: LinkServer) -> [UInt8]? {
            server.issuanceInput.certificates.first { $0.names == ["b.example"] }?.leaf
        }
        func changeSite(_ path: String) throws {
            let document = Self.document.replacingOccurrences(of: "/buy/*", with: path)
            try folder.write(document, to: "sites/a.example/apple-app-site-association")
        }
        // Before anything was installed, all changes are looked at soon.
        try issue("b.example")
        #expect(Waiting.until { sources(server)["certs/b.example"] == "acme presented" }, "\(log.lines)")
        for generation in 1...2 {
            let isPresented = DispatchSemaphore(value: 0)
            if generation == 2 { try issue("a.example", generation: generation) }
            server.certificatesChanged(in: ["a.example"]) { isPresented.signal() }
            #expect(isPresented.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        }
        // With it, all changes from before are looked at.
        try changeSite("/rent/*")
        #expect(Waiting.until { lines().contains { $0.contains("1 site changed") } }, "\(log.lines)")
        log.clear()
        let before = leaf(server)
        try issue("b.example", generation: 2)
        #expect(Waiting.until { leaf(other) != before })
        #expect(leaf(server) == before && lines().isEmpty, "\(log.lines)")
        try changeSite("/sell/*")
        #expect(
            Waiting.until {
                lines().contains { $0.contains("1 site changed") && $0.contains("1 certificate changed") }
            },
            "\(log.lines)")
        for server in [server, other] {
            server.stop()
            server.stop()
            server.waitUntilStopped()
        }
    }

    @Test("a new generation is presented when the server is told of it, and each call is answered")
    func generations() throws {
        try issue("a.example")
        let server = try load()
        let before = server.issuanceInput.certificates[0].notBefore
        for generation in 2...4 {
            try issue("a.example", generation: generation)
            let group = DispatchGroup()
            for _ in 0..<20 {
                group.enter()
                server.certificatesChanged(in: ["a.example"]) { group.leave() }
            }
            #expect(group.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
            #expect(log.lines.last?.contains("1 certificate changed (") == true, "\(log.lines)")
            log.clear()
        }
        #expect(
            server.issuanceInput.certificates.count == 1 && server.issuanceInput.certificates[0].notBefore >= before)
        // The sites were not read: nothing of them is counted.
        #expect(server.reloadCounts[.sites, .unchanged] == 0)
        #expect(server.reloadCounts[.certificates, .changed] == 3)
    }

    @Test("the last certificate stays in use when its files are gone, and is known to be kept")
    func kept() throws {
        try issue("a.example")
        let server = try load()
        try FileManager.default.removeItem(atPath: "\(folder.path)/certs/a.example")
        server.reloadAndWait()
        let certificates = server.issuanceInput.certificates
        #expect(certificates.count == 1 && certificates[0].isKept && certificates[0].isPresented)
    }

    @Test("whoever gets certificates learns of each reload, and what there is then")
    func input() throws {
        let server = try load { $0.listen = ["127.0.0.1:0", "http://127.0.0.1:0"] }
        let inputs = Locked<[IssuanceInput]>([])
        server.whenIssuanceInputChanges { [weak server] in
            guard let server else { return }
            inputs.withLock { $0.append(server.issuanceInput) }
        }
        try folder.write(Self.document, to: "sites/_wildcard.c.example/apple-app-site-association")
        server.reloadAndWait()
        try issue("a.example")
        server.reloadAndWait()
        let changed = configuration {
            $0.listen = ["127.0.0.1:0", "http://127.0.0.1:0"]
            $0.acme.keyType = .p384
        }
        server.reloadAndWait { () throws(ServerError) in changed }
        let seen = inputs.withLock { $0 }
        #expect(seen.map(\.domains) == Array(repeating: ["*.c.example", "a.example", "b.example"], count: 3))
        #expect(seen.map(\.certificates.count) == [0, 1, 1])
        #expect(seen.map(\.configuration.keyType) == [.p256, .p256, .p384])
        #expect(seen.last?.answerable == [.tlsALPN01, .http01, .dnsPersist01])
        let certificate = try #require(seen.last?.certificates.first)
        #expect(certificate.names("a.example") && !certificate.names("x.a.example") && certificate.keyBits == 256)
        server.whenIssuanceInputChanges(nil)
        server.reloadAndWait()
        #expect(inputs.withLock { $0.count } == 3)
    }

    @Test("a request to renew is noticed without anything else being changed")
    func renewalRequest() throws {
        try issue("a.example")
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/certs/acme-account/renew", withIntermediateDirectories: true)
        var timing = ReloadTiming()
        timing.beginning = 0
        let server = try LinkServer(configuration(), logger: log.logger, timing: timing)
        let isNoticed = DispatchSemaphore(value: 0)
        let path = "\(folder.path)/certs/acme-account/renew/a.example"
        server.whenIssuanceInputChanges { if Path.exists(path) { isNoticed.signal() } }
        try server.start()
        try folder.write("", to: "certs/acme-account/renew/a.example")
        #expect(isNoticed.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        #expect(!log.lines.contains { $0.contains("reloaded") }, "\(log.lines)")
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    @Test("settings without effect are warned about")
    func settings() throws {
        try issue("a.example")
        try folder.write(Self.document, to: "sites/_wildcard.c.example/apple-app-site-association")
        let server = try load {
            $0.acme.challenges = [.http01]
            $0.acme.exclude = ["a.example", "*.c.example", "none.example"]
        }
        #expect(
            findings(server) == [
                "acme.challenges: warning: no listener can answer 'http-01' [acme-no-listener]",
                "acme.exclude: warning: there is no site '*.c.example' [acme-exclude-unknown]",
                "acme.exclude: warning: there is no site 'none.example' [acme-exclude-unknown]",
            ])
        #expect(server.findings.map(\.diagnostic.advice).contains("write '_wildcard.c.example'"))
        #expect(try findings(load { $0.acme.challenges = [.http01, .tlsALPN01] }).isEmpty)
        #expect(try findings(load { $0.acme.challenges = [.dnsPersist01] }).isEmpty)
    }
}

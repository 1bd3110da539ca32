import AssociationServer
import Diagnostics
import Foundation
import Glibc
import PushSamples
import TLSSamples
import TestSupport
import Testing

/// Changes that nobody tells the server of (server.md, section 6).
@Suite("Noticing changes on disk")
struct DiskChangeTests {
    private let folder: TemporaryFolder
    private let log = RecordedLog()
    private static let document =
        #"{"applinks":{"details":[{"appIDs":["9JA89QQLNQ.com.example"],"components":[{"/":"/buy/*"}]}]}}"#
    private static let file = "sites/a.example/apple-app-site-association"

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.document, to: Self.file)
        try TestCertificate.make(["DNS:a.example"], in: folder.url.appendingPathComponent("certs/one"))
    }

    /// A running server.
    private func start(_ change: (inout ReloadTiming) -> Void) throws -> LinkServer {
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 1
        var timing = ReloadTiming()
        timing.quiet = 20
        timing.longest = 100
        change(&timing)
        let server = try LinkServer(configuration, logger: log.logger, timing: timing)
        try server.start()
        return server
    }

    /// Puts a certificate of 90 days into a folder.
    private func addCertificate(_ name: String, to path: String, daysLeft: Int64) throws {
        let leaf = SampleSite.leaf([name], notBefore: daysLeft - 90, notAfter: daysLeft)
        try folder.write(try leaf.key.pem(), to: "\(path)/privkey.pem")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(folder.path)/\(path)/privkey.pem")
        try folder.write(
            try leaf.pem() + SampleSite.intermediate.certificate.pem(), to: "\(path)/fullchain.pem")
    }

    private func stop(_ server: LinkServer) {
        server.stop()
        server.waitUntilStopped()
    }

    @Test("the poll finds what the system does not tell of")
    func poll() throws {
        let server = try start {
            $0.watches = false
            $0.poll = 50
        }
        try folder.write(Self.document + " ", to: Self.file)
        #expect(log.wait(for: "1 site changed (a.example)"))
        // Of the same size, and in the same moment perhaps.
        try folder.write(Self.document + "\n", to: Self.file)
        #expect(log.wait(for: "1 site changed (a.example)"))
        try folder.write(#"{"applinks":{}}"#, to: "sites/b.example/apple-app-site-association")
        #expect(log.wait(for: "1 site added (b.example)"))
        stop(server)
    }

    @Test("a change between reading and watching is found")
    func beforeTheWatch() throws {
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        let server = try LinkServer(configuration, logger: log.logger)
        try folder.write(Self.document + " ", to: Self.file)
        try server.start()
        #expect(log.wait(for: "1 site changed (a.example)"))
        stop(server)
    }

    /// Puts a file into a folder, and the folder with it, in one step.
    private func place(_ text: String, in path: String) throws {
        try folder.write(text, to: "made/\(path)/apple-app-site-association")
        let target = "\(folder.path)/\(path)"
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: "\(folder.path)/made/\(path)", toPath: target)
    }

    /// Whether a file was opened since it was watched.
    private func wasOpened(_ descriptor: Int32) -> Bool {
        var events = [UInt8](repeating: 0, count: 4_096)
        return read(descriptor, &events, events.count) > 0
    }

    @Test("only the sites and pairs that have changed are looked at, wherever their files are")
    func few() throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.git", withIntermediateDirectories: true)
        let other = "\(folder.path)/sites/b.example/apple-app-site-association"
        try folder.write(Self.document, to: "sites/b.example/apple-app-site-association")
        // A poll looks at all of them.
        let server = try start { $0.poll = 3_600_000 }
        // From then on the folders are watched.
        try folder.write(Self.document + " ", to: Self.file)
        #expect(log.wait(for: "1 site changed (a.example)"))
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for path in [other, "\(folder.path)/certs/one/privkey.pem"] {
            try #require(inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
        }
        func notices(_ line: String, _ change: () throws -> Void) rethrows {
            log.clear()
            try change()
            #expect(log.wait(for: line), "\(line): \(log.lines)")
        }
        try notices("1 site changed (a.example)") { try folder.write(Self.document + "  ", to: Self.file) }
        try notices("1 site added (c.example)") { try place(Self.document, in: "sites/c.example") }
        try notices("1 site changed (c.example)") {
            try folder.write(Self.document + " ", to: "sites/c.example/apple-app-site-association")
        }
        try notices("1 site added (d.example)") {
            try place(Self.document, in: "data/d")
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/sites/d.example", withDestinationPath: "../data/d")
        }
        try notices("1 site changed (d.example)") {
            try folder.write(Self.document + " ", to: "data/d/apple-app-site-association")
        }
        try notices("1 site kept at its last good version (c.example)") {
            try folder.write("{", to: "sites/c.example/apple-app-site-association")
        }
        try notices("1 site removed (c.example)") {
            try FileManager.default.moveItem(
                atPath: "\(folder.path)/sites/c.example", toPath: "\(folder.path)/made/gone")
        }
        try notices("1 certificate added (") {
            try TestCertificate.make(["DNS:d.example"], in: folder.url.appendingPathComponent("made/two"))
            try FileManager.default.moveItem(
                atPath: "\(folder.path)/made/two", toPath: "\(folder.path)/certs/two")
        }
        try notices("1 certificate removed (") {
            try FileManager.default.moveItem(
                atPath: "\(folder.path)/certs/two", toPath: "\(folder.path)/made/two")
        }
        #expect(!wasOpened(descriptor))
        // That is about everything.
        try notices("sites/.aasa.json:1:") { try folder.write(#"{"no": 1}"#, to: "sites/.aasa.json") }
        #expect(wasOpened(descriptor))
        stop(server)
    }

    @Test("what changes nothing that is served says nothing")
    func silence() throws {
        let server = try start { $0.poll = 50 }
        try folder.write(Self.document, to: Self.file)
        try folder.write("x", to: "sites/a.example/.apple-app-site-association.swp")
        try folder.write("x", to: "sites/README")
        try folder.write(#"{"applinks":{}}"#, to: "sites/b.example/apple-app-site-association")
        #expect(log.wait(for: "1 site added (b.example)"))
        #expect(log.lines.count { $0.contains("reloaded") } == 1)
        stop(server)
    }

    @Test("a pair that was refused at start is used when its key comes")
    func pairOfTheStart() throws {
        let other = folder.url.appendingPathComponent("other")
        try TestCertificate.make(["DNS:b.example"], in: other)
        let two = folder.url.appendingPathComponent("certs/two")
        try FileManager.default.createDirectory(at: two, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: other.appendingPathComponent("fullchain.pem"), to: two.appendingPathComponent("fullchain.pem"))
        let server = try start { _ in }
        #expect(server.findings.map(\.message) == ["the private key cannot be read: no such file or directory"])
        try FileManager.default.copyItem(
            at: other.appendingPathComponent("privkey.pem"), to: two.appendingPathComponent("privkey.pem"))
        #expect(log.wait(for: "1 certificate added ("))
        #expect(server.findings.isEmpty)
        #expect(!log.lines.contains { $0.hasPrefix("error") })
        stop(server)
    }

    @Test("what expires soon is logged at the start, and when it is new")
    func expiry() throws {
        for site in ["b.example", "c.example"] {
            try folder.write(Self.document, to: "sites/\(site)/apple-app-site-association")
        }
        try addCertificate("b.example", to: "certs/two", daysLeft: 10)
        let server = try start { _ in }
        #expect(log.wait(for: "certs/two/fullchain.pem: the certificate for b.example expires in "))
        try addCertificate("c.example", to: "certs/three", daysLeft: 3)
        #expect(log.wait(for: "the certificate for c.example expires in "))
        #expect(log.wait(for: "1 certificate added ("))
        #expect(log.lines.count { $0.contains(" expires in ") } == 2, "\(log.lines)")
        stop(server)
    }
}

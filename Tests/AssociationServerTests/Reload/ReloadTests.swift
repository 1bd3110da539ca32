import AssociationServer
import Foundation
import TestSupport
import Testing

/// Reloads: what is read, kept and said (server.md, sections 5 and 6).
@Suite("Reloading sites and certificates", .waiting)
struct ReloadTests {
    private let folder: TemporaryFolder
    private let log = RecordedLog()
    private let server: LinkServer
    private static let good = """
        {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}
        """

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a.example", "b.example"] { try folder.write(Self.good, to: Self.file(name)) }
        try TestCertificate.make(
            ["DNS:a.example", "DNS:b.example"], in: folder.url.appendingPathComponent("certs/one"))
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 2
        server = try LinkServer(configuration, logger: log.logger)
    }

    private static func file(_ site: String) -> String { "sites/\(site)/apple-app-site-association" }

    /// The lines of a reload, without the folder's own path.
    private func reload() -> [String] {
        log.clear()
        server.reloadAndWait()
        return log.lines.map { $0.replacingOccurrences(of: folder.path + "/", with: "") }
    }

    private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }

    @Test("without a change there is none")
    func nothing() throws {
        let line = "info reloaded: nothing has changed; now 2 sites, 1 certificate"
        #expect(reload() == [line])
        // Neither is a file that was written anew with the same bytes.
        try folder.write(Self.good, to: Self.file("a.example"))
        #expect(reload() == [line])
    }

    @Test("changed, added and removed sites are named")
    func changes() throws {
        try folder.write(Self.good + "\n", to: Self.file("a.example"))
        try remove("sites/b.example")
        try folder.write(Self.good, to: Self.file("_wildcard.c.example"))
        let lines = reload()
        #expect(
            lines.last == """
                info reloaded: 1 site added (*.c.example), 1 site changed (a.example), 1 site removed (b.example); \
                now 2 sites, 1 certificate
                """)
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("error *.c.example: no certificate covers this site") == true)
    }

    @Test("a file with errors, or none, leaves the last good one, and says what stays")
    func lastGood() throws {
        let digest = try Shell.run(["sha256sum"], input: Data(Self.good.utf8)).text.prefix(64)
        try folder.write("{\"applinks\": }", to: Self.file("a.example"))
        try remove(Self.file("b.example"))
        try folder.write("", to: Self.file("c.example"))
        var lines = reload()
        // One event, one line.
        #expect(lines.count == 5)
        let serving = "still serving version \(digest.prefix(8)) from 20"
        let rejected = "error a.example: new file rejected (1 error), \(serving)"
        let line = lines.first { $0.hasPrefix(rejected) }
        #expect(line?.contains("; line 1:13 ") == true && line?.contains(" error: ") == false, "\(lines)")
        #expect(line?.hasSuffix("; details: aasa validate sites/a.example") == true)
        let missing = "the site has no file 'apple-app-site-association'"
        #expect(
            lines.contains {
                $0.hasPrefix("error b.example: new file rejected (1 error), \(serving)") && $0.hasSuffix("; \(missing)")
            })
        #expect(lines.contains { $0.hasPrefix("error c.example: file rejected (1 error), answering 503; ") })
        #expect(lines.contains { $0.hasPrefix("error c.example: no certificate covers this site") })
        let summary = """
            2 sites kept at their last good version (a.example, b.example), 1 site without a good version (c.example); \
            now 2 of 3 sites (2 at their last good version), 1 certificate
            """
        #expect(lines.last == "info reloaded: \(summary)")
        #expect(server.refusedCount == 3)

        // It stays, however often the bad one is read.
        #expect(reload().last == "info reloaded: \(summary)")
        try folder.write(Self.good, to: Self.file("a.example"))
        try folder.write(Self.good + " ", to: Self.file("b.example"))
        try folder.write(Self.good, to: Self.file("c.example"))
        lines = reload()
        #expect(
            lines.last == """
                info reloaded: 2 sites changed (b.example, c.example), 1 site valid again (a.example); \
                now 3 sites, 1 certificate
                """)
        #expect(server.refusedCount == 0)
    }

    @Test("a folder that cannot be read changes nothing")
    func unreadableFolders() throws {
        try FileManager.default.moveItem(atPath: "\(folder.path)/sites", toPath: "\(folder.path)/other")
        try FileManager.default.moveItem(atPath: "\(folder.path)/certs", toPath: "\(folder.path)/others")
        let lines = reload()
        #expect(
            lines.contains {
                $0.contains("cannot read the sites folder") && $0.contains("keeping the sites read before")
            })
        #expect(
            lines.contains {
                $0.contains("cannot read the certificates folder")
                    && $0.contains("keeping the certificates read before")
            })
        #expect(lines.last?.hasSuffix("now 2 sites, 1 certificate") == true)
        #expect(server.summary == "2 sites, 1 certificate")
    }

    @Test("a pair that is bad now leaves the one before, until its folder is gone")
    func pairs() throws {
        let certs = folder.url.appendingPathComponent("certs")
        try TestCertificate.make(["DNS:b.example"], in: certs.appendingPathComponent("two"))
        #expect(reload().last?.contains("1 certificate added (certs/two); now 2 sites, 2 certificates") == true)
        try folder.write("x", to: "certs/two/privkey.pem")
        var lines = reload()
        #expect(
            lines.contains {
                $0.hasPrefix("error certs/two/privkey.pem: ") && $0.hasSuffix("the earlier pair stays in use")
            }
        )
        #expect(lines.last?.contains("1 certificate kept at its last good version (certs/two); now") == true)
        try TestCertificate.make(["DNS:b.example"], in: certs.appendingPathComponent("two"))
        #expect(reload().last == "info reloaded: 1 certificate changed (certs/two); now 2 sites, 2 certificates")
        try remove("certs/two")
        #expect(reload().last == "info reloaded: 1 certificate removed (certs/two); now 2 sites, 1 certificate")
        try remove("certs/one")
        lines = reload()
        #expect(lines.contains("error certs: no usable certificate; keeping those read before"))
        #expect(server.summary == "2 sites, 1 certificate")
    }

    @Test("what was said once is not said again, until it is something else")
    func onlyNewFindings() throws {
        try folder.write("{\"applinks\": }", to: Self.file("a.example"))
        #expect(reload().count == 2)
        let state = "2 sites (1 at its last good version), 1 certificate"
        let summary = "1 site kept at its last good version (a.example); now \(state)"
        #expect(reload() == ["info reloaded: \(summary)"])
        try folder.write("{\"applinks\":: }", to: Self.file("a.example"))
        let lines = reload()
        #expect(lines.first?.hasPrefix("error a.example: new file rejected (") == true)
        #expect(lines.last == "info reloaded: \(summary)")
    }

    @Test("a key of another certificate, and half a pair, are waited for, and the pair before serves meanwhile")
    func halves() throws {
        let certs = folder.url.appendingPathComponent("certs")
        try TestCertificate.make(["DNS:c.example"], in: certs.appendingPathComponent("two"))
        try TestCertificate.make(["DNS:c.example"], in: folder.url.appendingPathComponent("other"))
        _ = reload()
        try FileManager.default.removeItem(atPath: "\(folder.path)/certs/two/fullchain.pem")
        let waiting = "waiting for a matching key: certs/two (retrying for 60 s); now 2 sites, 2 certificates"
        #expect(reload() == ["info reloaded: \(waiting)"])
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/other/fullchain.pem", toPath: "\(folder.path)/certs/two/fullchain.pem")
        #expect(reload() == ["info reloaded: \(waiting)"])
        try folder.write("", to: "certs/two/privkey.pem")
        #expect(reload() == ["info reloaded: \(waiting)"])
        try remove("certs/two/privkey.pem")
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/other/privkey.pem", toPath: "\(folder.path)/certs/two/privkey.pem")
        #expect(reload() == ["info reloaded: 1 certificate changed (certs/two); now 2 sites, 2 certificates"])
    }

    @Test("reloads are counted by what came of them")
    func counts() throws {
        func counts(_ what: ReloadCounts.What) -> [UInt64] {
            ReloadCounts.Result.allCases.map { server.reloadCounts[what, $0] }
        }
        #expect(counts(.sites) == [0, 0, 0])
        _ = reload()
        #expect(counts(.sites) == [0, 1, 0])
        #expect(counts(.certificates) == [0, 1, 0])
        try folder.write(Self.good + " ", to: Self.file("a.example"))
        _ = reload()
        #expect(counts(.sites) == [1, 1, 0])
        try folder.write("x", to: Self.file("a.example"))
        try folder.write("x", to: "certs/one/fullchain.pem")
        _ = reload()
        #expect(counts(.sites) == [1, 1, 1])
        #expect(counts(.certificates) == [0, 2, 1])
        #expect(counts(.configuration) == [0, 0, 0])
    }

    @Test("what fails as it did before does not count as failed again, and what is new beside it counts")
    func countsBesideFailures() throws {
        func counts(_ what: ReloadCounts.What) -> [UInt64] {
            ReloadCounts.Result.allCases.map { server.reloadCounts[what, $0] }
        }
        // A site and a pair that are bad from now on.
        try folder.write("x", to: Self.file("bad.example"))
        try folder.write("x", to: "certs/bad/fullchain.pem")
        try folder.write("x", to: "certs/bad/privkey.pem")
        _ = reload()
        #expect(counts(.sites) == [0, 0, 1])
        #expect(counts(.certificates) == [0, 0, 1])
        _ = reload()
        #expect(counts(.sites) == [0, 1, 1])
        #expect(counts(.certificates) == [0, 1, 1])
        try folder.write(Self.good + " ", to: Self.file("a.example"))
        try TestCertificate.make(["DNS:c.example"], in: folder.url.appendingPathComponent("certs/three"))
        _ = reload()
        #expect(counts(.sites) == [1, 1, 1])
        #expect(counts(.certificates) == [1, 1, 1])
        // Bad in another way, and one that is bad for the first time beside one that is new.
        try folder.write("[", to: Self.file("bad.example"))
        try folder.write("x", to: "certs/three/fullchain.pem")
        try remove("certs/bad")
        _ = reload()
        #expect(counts(.sites) == [1, 1, 2])
        #expect(counts(.certificates) == [1, 1, 2])
        try folder.write("x", to: Self.file("a.example"))
        try remove("sites/b.example")
        try TestCertificate.make(["DNS:d.example"], in: folder.url.appendingPathComponent("certs/four"))
        try folder.write("y", to: "certs/one/fullchain.pem")
        _ = reload()
        #expect(counts(.sites) == [2, 1, 3])
        #expect(counts(.certificates) == [2, 1, 3])
        // A folder that cannot be read counts each time.
        try remove("sites")
        for _ in 0..<2 { _ = reload() }
        #expect(counts(.sites) == [2, 1, 5])
        #expect(counts(.certificates) == [2, 3, 3])
    }

    @Test("a certificate that is refused is in the line, and one that is good again, too")
    func refusedCertificates() throws {
        let chain = try Data(contentsOf: folder.url.appendingPathComponent("certs/one/fullchain.pem"))
        try folder.write("x", to: "certs/bad/fullchain.pem")
        try folder.write("x", to: "certs/bad/privkey.pem")
        #expect(reload().last == "info reloaded: 1 certificate refused (certs/bad); now 2 sites, 1 certificate")
        try remove("certs/bad")
        try folder.write("x", to: "certs/one/fullchain.pem")
        #expect(reload().last?.contains("1 certificate kept at its last good version (certs/one); now") == true)
        try chain.write(to: folder.url.appendingPathComponent("certs/one/fullchain.pem"))
        #expect(reload() == ["info reloaded: 1 certificate valid again (certs/one); now 2 sites, 1 certificate"])
    }

    @Test("of one file so many findings are logged, and the rest is counted")
    func flood() throws {
        let keys = (0..<100).map { "\"key\($0)\": 0" }.joined(separator: ", ")
        try folder.write("{\(keys)}", to: "sites/.aasa.json")
        let lines = reload()
        #expect(lines.count { $0.hasPrefix("error sites/.aasa.json:1:") } == 20)
        #expect(lines.contains("error sites/.aasa.json: 80 more"))
    }

    @Test("many reloads, some at once, while loops run, come to an end")
    func underWay() throws {
        try server.start()
        for number in 0..<20 {
            try folder.write(Self.good + String(repeating: " ", count: number % 2), to: Self.file("a.example"))
            for _ in 0..<5 { server.reload() }
            if number % 5 == 0 { server.reloadAndWait() }
        }
        server.reloadAndWait()
        server.stop()
        server.waitUntilStopped()
        server.reloadAndWait()
        #expect(log.lines.last == "info not reloaded: the server is stopping")
    }
}

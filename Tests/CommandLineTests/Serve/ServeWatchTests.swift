import Foundation
import TestSupport
import Testing

/// Changes on disk are noticed without a signal (server.md, section 6), as editors, certbot and Kubernetes make them.
@Suite("aasa serve: watching", .waiting)
struct ServeWatchTests {
    private static let file = "sites/localhost/apple-app-site-association"
    private static let other =
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#

    private func link(_ name: String, to target: String, in folder: TemporaryFolder) throws {
        let path = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        // As `ln -sfn` with a rename: there is no moment without a link.
        try FileManager.default.createSymbolicLink(atPath: path.path + ".new", withDestinationPath: target)
        #expect(rename(path.path + ".new", path.path) == 0)
    }

    private func move(_ name: String, to other: String, in folder: TemporaryFolder) {
        #expect(rename("\(folder.path)/\(name)", "\(folder.path)/\(other)") == 0)
    }

    /// Status and body.
    private func answer(_ server: RunningServer, host: String = "localhost") throws -> String {
        try server.curl("/apple-app-site-association", ["-w", " %{http_code}"], host: host).text
    }

    @Test("an editor's write, in place or by a rename, is served")
    func editors() throws {
        let server = try RunningServer(RunningServer.layOut())
        let file = try FileHandle(forWritingTo: server.folder.url.appendingPathComponent(Self.file))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(Self.other.utf8))
        try file.close()
        #expect(server.waitForLog("reloaded: 1 site changed (localhost); now 1 site, 1 certificate"))
        #expect(try answer(server) == "\(Self.other) 200")
        try server.folder.write(RunningServer.document + "\n", to: "sites/localhost/.new")
        move("sites/localhost/.new", to: Self.file, in: server.folder)
        #expect(server.waitForLogs("reloaded: 1 site changed (localhost)", count: 2))
        #expect(try answer(server) == "\(RunningServer.document)\n 200")
        // What was half written in between was not looked at.
        #expect(!server.logText.contains("error"), "\(server.logText)")
    }

    @Test("a new site is served, one that is gone ends, and folders may be replaced as a whole")
    func folders() throws {
        let server = try RunningServer(RunningServer.layOut(names: ["DNS:localhost", "DNS:a.example"]))
        let folder = server.folder
        try folder.write(Self.other, to: "sites/a.example/apple-app-site-association")
        #expect(server.waitForLog("1 site added (a.example)"))
        #expect(try answer(server, host: "a.example") == "\(Self.other) 200")
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/a.example")
        #expect(server.waitForLog("1 site removed (a.example)"))
        #expect(try answer(server, host: "a.example").hasSuffix(" 404"))

        // All sites at once, as a deployment does it.
        for name in ["localhost", "a.example"] {
            try folder.write(Self.other + "\n", to: "next/\(name)/apple-app-site-association")
        }
        move("sites", to: "old", in: folder)
        move("next", to: "sites", in: folder)
        #expect(server.waitForLog("1 site added (a.example), 1 site changed (localhost)"))
        // The folder that is there now is the one that is watched.
        try folder.write(RunningServer.document, to: "old/localhost/apple-app-site-association")
        try folder.write(Self.other, to: Self.file)
        #expect(server.waitForLog("reloaded: 1 site changed (localhost)"))
        #expect(try answer(server) == "\(Self.other) 200")
    }

    @Test("certbot's renewal: new files in the archive, and links that lead to them")
    func certbot() throws {
        let folder = try RunningServer.layOut()
        for name in ["fullchain", "privkey"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/archive/localhost", withIntermediateDirectories: true)
            move("certs/localhost/\(name).pem", to: "archive/localhost/\(name)1.pem", in: folder)
            try link("certs/localhost/\(name).pem", to: "../../archive/localhost/\(name)1.pem", in: folder)
        }
        let server = try RunningServer(folder)
        try TestCertificate.make(["DNS:localhost"], in: folder.url.appendingPathComponent("next"))
        #expect(
            try server.curl("/apple-app-site-association", ["--cacert", "\(folder.path)/next/fullchain.pem"]).status
                != 0)
        for name in ["privkey", "fullchain"] {
            move("next/\(name).pem", to: "archive/localhost/\(name)2.pem", in: folder)
            try link("certs/localhost/\(name).pem", to: "../../archive/localhost/\(name)2.pem", in: folder)
        }
        #expect(server.waitForLog("1 certificate changed (\(folder.path)/certs/localhost)"))
        // curl trusts what certs/localhost leads to.
        #expect(try server.curl().text == RunningServer.document)
        // Written in place, which only the archive's folder tells.
        try TestCertificate.make(["DNS:localhost"], in: folder.url.appendingPathComponent("third"))
        for name in ["privkey", "fullchain"] {
            try folder.write(
                Data(contentsOf: folder.url.appendingPathComponent("third/\(name).pem")),
                to: "archive/localhost/\(name)2.pem")
        }
        #expect(server.waitForLogs("1 certificate changed (", count: 2))
        #expect(try server.curl().text == RunningServer.document)
        #expect(!server.logText.contains("error"), "\(server.logText)")
    }

    @Test("Kubernetes' update: ..data is replaced by a rename")
    func kubernetes() throws {
        let folder = try RunningServer.layOut()
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/localhost")
        try folder.write(RunningServer.document, to: "sites/localhost/..2026_01_01/apple-app-site-association")
        try link("sites/localhost/..data", to: "..2026_01_01", in: folder)
        try link(Self.file, to: "..data/apple-app-site-association", in: folder)
        let server = try RunningServer(folder)
        #expect(try answer(server) == "\(RunningServer.document) 200")
        for (number, text) in [Self.other, RunningServer.document].enumerated() {
            try folder.write(text, to: "sites/localhost/..2026_02_0\(number)/apple-app-site-association")
            try link("sites/localhost/..data", to: "..2026_02_0\(number)", in: folder)
            #expect(server.waitForLogs("1 site changed (localhost)", count: number + 1))
            #expect(try answer(server) == "\(text) 200")
        }
    }

    @Test("a certificate whose key comes a second later is used then, and the one before meanwhile")
    func lateKey() throws {
        let server = try RunningServer(RunningServer.layOut())
        let folder = server.folder
        let old = try Data(contentsOf: folder.url.appendingPathComponent("certs/localhost/fullchain.pem"))
        try folder.write(old, to: "old.pem")
        try TestCertificate.make(["DNS:localhost"], in: folder.url.appendingPathComponent("next"))
        move("next/fullchain.pem", to: "certs/localhost/fullchain.pem", in: folder)
        #expect(server.waitForLog("waiting for a matching key: \(folder.path)/certs/localhost (retrying for 60 s)"))
        let meanwhile = try server.curl("/apple-app-site-association", ["--cacert", "\(folder.path)/old.pem"])
        #expect(meanwhile.text == RunningServer.document, "\(meanwhile.errors)")
        move("next/privkey.pem", to: "certs/localhost/privkey.pem", in: folder)
        #expect(server.waitForLog("1 certificate changed (\(folder.path)/certs/localhost)"))
        #expect(try server.curl().text == RunningServer.document)
        #expect(!server.logText.contains("error"), "\(server.logText)")
    }

    @Test("a validator's configuration that is put in force counts")
    func lintConfiguration() throws {
        let server = try RunningServer(RunningServer.layOut(document: "\u{FEFF}" + RunningServer.document))
        try server.folder.write(#"{"severity": {"byte-order-mark": "error"}}"#, to: "sites/.aasa.json")
        #expect(server.waitForLog("1 site kept at its last good version (localhost)"))
        try server.folder.write(#"{"severity": {"byte-order-mark": "off"}}"#, to: "sites/.aasa.json")
        #expect(server.waitForLog("1 site valid again (localhost)"))
    }
}

import Foundation
import TestSupport
import Testing

/// The files beside the association file (server.md, sections 1, 2 and 5), asked for with curl over real TLS.
@Suite("aasa serve: several files", .waiting)
struct ServeFilesTests {
    private static let links = """
        [{"relation": ["delegate_permission/common.handle_all_urls"],
          "target": {"namespace": "android_app", "package_name": "com.shop.app", "sha256_cert_fingerprints": ["\
        3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"]}}]
        """
    private static let configuration =
        #"{"wellKnown": {"security.txt": "text/plain; charset=utf-8", "data": "application/json"}}"#
    private static let linksPath = "/.well-known/assetlinks.json"
    private static let associationPath = "/.well-known/apple-app-site-association"

    private static let shared = Result {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:*.b.example", "DNS:b.example"])
        for (name, text) in [("assetlinks.json", links), ("security.txt", "Contact: mailto:a@b.example\r\n")] {
            try folder.write(text, to: "sites/localhost/\(name)")
        }
        try folder.write("hidden", to: "sites/localhost/unlisted.txt")
        for (site, text) in [("_wildcard.b.example", links + " "), ("x.b.example", links + "  ")] {
            try folder.write(RunningServer.document, to: "sites/\(site)/apple-app-site-association")
            try folder.write(text, to: "sites/\(site)/assetlinks.json")
        }
        // Faulty: a JSON file that is none.
        try folder.write("{", to: "sites/x.b.example/data")
        // Of Android only.
        try folder.write(links, to: "sites/b.example/assetlinks.json")
        return try RunningServer(folder, configuration: configuration)
    }

    private static func digest(_ text: String) throws -> String {
        String(try Shell.run(["sha256sum"], input: Data(text.utf8)).text.prefix(64))
    }

    /// The body, and behind it status and content type.
    private func answer(_ server: RunningServer, _ path: String, host: String = "localhost") throws -> String {
        try server.curl(path, ["-w", "|%{http_code} %{content_type}"], host: host).text
    }

    @Test("tag, conditions, HEAD and caching are those of the association file")
    func rules() throws {
        let server = try Self.shared.get()
        let tag = "\"\(try Self.digest(Self.links))\""
        func head(_ arguments: [String]) throws -> [String] {
            try server.curl(Self.linksPath, ["--http1.1", "-o", "/dev/null", "-D", "-"] + arguments).text
                .split(separator: "\r\n").map(String.init)
        }
        let good = try head([])
        #expect(good.first == "HTTP/1.1 200 OK")
        for field in [
            "ETag: \(tag)", "Cache-Control: public, max-age=3600", "Content-Length: \(Self.links.utf8.count)",
            "Content-Type: application/json",
        ] {
            #expect(good.contains(field), "\(good)")
        }
        let modified = try #require(good.first { $0.hasPrefix("Last-Modified: ") }?.dropFirst(15))
        #expect(try head(["-I"]).filter { !$0.hasPrefix("Date") } == good.filter { !$0.hasPrefix("Date") })
        for (field, status) in [
            ("If-None-Match: \(tag)", 304), ("If-None-Match: W/\(tag)", 304), ("If-None-Match: \"x\"", 200),
            ("If-Modified-Since: \(modified)", 304), ("If-Match: \"x\"", 412), ("If-Match: \(tag)", 200),
            ("Range: bytes=0-1", 200), ("Accept-Encoding: gzip", 200),
        ] {
            #expect(try head(["-H", field]).first?.contains(" \(status) ") == true, "\(field)")
        }
        let notModified = try head(["-H", "If-None-Match: *"])
        #expect(notModified.contains("ETag: \(tag)") && !notModified.contains { $0.hasPrefix("Content-") })
        #expect(try head(["-X", "POST"]).first == "HTTP/1.1 405 Method Not Allowed")
    }

    @Test("a site without an association file serves what it has")
    func androidOnly() throws {
        let server = try Self.shared.get()
        #expect(try answer(server, Self.linksPath, host: "b.example") == "\(Self.links)|200 application/json")
        let absent = try server.curl(Self.associationPath, ["--http1.1", "-i"], host: "b.example").text
        #expect(absent.hasPrefix("HTTP/1.1 404 "), "\(absent)")
        #expect(server.logText.contains("x.b.example/data: file rejected (1 error), answering 503"))
    }

    @Test("the last good version stays, byte for byte, until it is good again or the folder of the site goes")
    func lastGood() throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:a.example"])
        let file = "sites/a.example/assetlinks.json"
        try folder.write(RunningServer.document, to: "sites/a.example/apple-app-site-association")
        try folder.write("{}", to: file)
        let server = try RunningServer(folder)
        func asked() throws -> [String] {
            try server.curl(Self.linksPath, ["-w", "|%{http_code} %header{etag}"], host: "a.example").text
                .components(separatedBy: "|")
        }
        func reload(_ text: String) {
            server.signal(SIGHUP)
            #expect(server.waitForLog(text), "\(server.logText)")
        }
        #expect(try asked().last == "503 ")
        #expect(
            server.logText.contains(
                "a.example/assetlinks.json: file rejected (1 error), answering 503; line 1:1 the file is an object, not "
                    + "an array of statements [no-statement-list]"), "\(server.logText)")

        try folder.write(Self.links, to: file)
        reload("1 site changed (a.example)")
        let good = [Self.links, "200 \"\(try Self.digest(Self.links))\""]
        #expect(try asked() == good)

        try folder.write("[", to: file)
        reload("1 file kept at its last good version (a.example/assetlinks.json)")
        #expect(try asked() == good)
        #expect(server.logText.contains("a.example/assetlinks.json: new file rejected ("))
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
        reload("; the file is gone; its last version is served until")
        #expect(try asked() == good)
        try folder.write(Self.links, to: file)
        reload("1 file valid again (a.example/assetlinks.json)")
        #expect(try asked() == good)
        #expect(try server.curl(Self.associationPath, host: "a.example").text == RunningServer.document)

        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/a.example")
        reload("1 site removed (a.example)")
        #expect(try asked().last == "404 ")
    }

    @Test("what was told is not told again")
    func toldOnce() throws {
        let folder = try RunningServer.layOut()
        try folder.write("[]", to: "sites/localhost/assetlinks.json")
        let server = try RunningServer(folder)
        #expect(server.logText.contains("[empty-statement-list]"))
        try folder.write("[ ]", to: "sites/localhost/assetlinks.json")
        server.signal(SIGHUP)
        #expect(server.waitForLog("1 site changed (localhost)"))
        try folder.write("{", to: "sites/localhost/apple-app-site-association")
        server.signal(SIGHUP)
        #expect(server.waitForLog("1 site kept at its last good version (localhost)"))
        #expect(server.logText.components(separatedBy: "[empty-statement-list]").count == 3)
        #expect(server.logText.components(separatedBy: "[unclosed-bracket]").count == 2)
    }

    @Test(
        "--check and --strict-sites count every file",
        arguments: [
            (#"[{}]"#, 1, "1 site: 1 broken"),
            ("[]", 0, "1 site: 1 fine; 1 warning in files that are served"),
            (links, 0, "1 site: 1 fine"),
        ])
    func check(text: String, status: Int32, last: String) throws {
        let sound =
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#
        let folder = try RunningServer.layOut(document: sound)
        try folder.write(text, to: "sites/localhost/assetlinks.json")
        let serve = [
            RunningServer.executable, "serve", "--sites", "\(folder.path)/sites", "--certs", "\(folder.path)/certs",
            "--listen", "127.0.0.1:0",
        ]
        let checked = try Shell.run(["timeout", "20"] + serve + ["--check"])
        #expect(checked.status == status)
        #expect(checked.text.contains("\(last)\nnext certificate to expire: "), "\(checked.errors)")
        guard status != 0 else { return }
        #expect(checked.errors.contains("/assetlinks.json:1:1: error: no statement of the file can be used"))
        #expect(try Shell.run(["timeout", "20"] + serve + ["--strict-sites"]).status == 1)
    }
}

import Foundation
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// SIGHUP reads sites and certificates again (server.md, sections 5 and 6), seen from outside.
@Suite("aasa serve: reload", .waiting)
struct ServeReloadTests {
    private static let file = "sites/localhost/apple-app-site-association"
    private static let other =
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#

    private func reload(_ server: RunningServer, until text: String) {
        server.signal(SIGHUP)
        #expect(server.waitForLog(text), "\(server.logText)")
    }

    /// Status, entity tag and body.
    private func answer(_ server: RunningServer, host: String = "localhost") throws -> [String] {
        let outcome = try server.curl(
            "/apple-app-site-association", ["-w", "\n%{http_code} %header{etag}"], host: host)
        return outcome.text.components(separatedBy: "\n")
    }

    private func tag(_ text: String) throws -> String {
        "\"\(try Shell.run(["sha256sum"], input: Data(text.utf8)).text.prefix(64))\""
    }

    @Test("a broken file leaves the last good one as it was, a mended one is served", arguments: [1, 2])
    func brokenAndMended(threads: Int) throws {
        let server = try RunningServer(RunningServer.layOut(), threads: threads)
        let before = try answer(server)
        #expect(before == [RunningServer.document, "200 \(try tag(RunningServer.document))"])
        try server.folder.write("{\n  \"applinks\": {},\n}", to: Self.file)
        reload(server, until: "1 site kept at its last good version (localhost)")
        #expect(try answer(server) == before)
        let lines = server.logText.split(separator: "\n").filter {
            $0.contains(" localhost: new file rejected (1 error), ")
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("; line 2:17 ") == true && lines.first?.contains(" [trailing-comma]; ") == true)
        let folder = "\(server.folder.path)/sites/localhost"
        #expect(lines.first?.hasSuffix("; details: aasa validate \(folder)") == true, "\(lines)")
        try server.folder.write(Self.other, to: Self.file)
        reload(server, until: "1 site changed (localhost)")
        #expect(try answer(server) == [Self.other, "200 \(try tag(Self.other))"])
        try FileManager.default.removeItem(atPath: "\(server.folder.path)/\(Self.file)")
        reload(server, until: "; the site has no file 'apple-app-site-association'")
        #expect(try answer(server) == [Self.other, "200 \(try tag(Self.other))"])
    }

    @Test(
        "a file without any service is an error message of another program: the last good one stays",
        arguments: [#"{"message":"Forbidden"}"#, #"{"error":"not found","status":404}"#, "{}", "{}\n"])
    func errorBody(text: String) throws {
        let server = try RunningServer(
            RunningServer.layOut(names: ["DNS:localhost", "DNS:b.example"]),
            configuration: #"{"admin": "127.0.0.1:0"}"#)
        func sites() throws -> String { try server.askAdmin("/sites").text }
        let before = try answer(server)
        #expect(before.first == RunningServer.document)
        #expect(try sites().contains(#""state":"published""#))
        try server.folder.write(text, to: Self.file)
        reload(server, until: "1 site kept at its last good version (localhost)")
        #expect(try answer(server) == before)
        #expect(server.logText.contains("localhost: new file rejected (1 error), still serving version "))
        #expect(server.logText.contains("[no-known-service]"))
        let report = try sites()
        #expect(report.contains(#""state":"stale""#) && report.contains("no-known-service"), "\(report)")

        // As the first file of a site it is refused.
        try server.folder.write(text, to: "sites/b.example/apple-app-site-association")
        reload(server, until: "1 site without a good version (b.example)")
        #expect(try answer(server, host: "b.example").last?.hasPrefix("503 ") == true)
    }

    @Test(
        "a connection stays open over reloads, and gets what is served at the time", arguments: SampleOffer.versions)
    func keptConnection(version: SampleOffer.Version) throws {
        let server = try RunningServer(RunningServer.layOut())
        let client = try HTTPSClient(port: server.port, SampleOffer(version))
        try client.handshake()
        #expect(try client.get().text == RunningServer.document)
        try server.folder.write(Self.other, to: Self.file)
        // The certificate of the connection is gone, and so is its context, but for the connection.
        try TestCertificate.make(["DNS:localhost"], in: server.folder.url.appendingPathComponent("certs/localhost"))
        reload(server, until: "1 site changed (localhost), 1 certificate changed (")
        #expect(try client.get().text == Self.other)
        #expect(try answer(server).first == Self.other)
        try FileManager.default.removeItem(atPath: "\(server.folder.path)/sites/localhost")
        reload(server, until: "1 site removed (localhost)")
        #expect(try client.get().status == 404)
    }

    @Test("a session of before a reload is resumed, also with a new certificate", arguments: ["-tls1_2", "-tls1_3"])
    func resumption(version: String) throws {
        let server = try RunningServer(RunningServer.layOut())
        let session = "\(server.folder.path)/session"
        let request = Data("GET /apple-app-site-association HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
        let arguments = [
            "timeout", "20", "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "localhost",
            "-ign_eof", version,
        ]
        #expect(try Shell.run(arguments + ["-sess_out", session], input: request).text.contains("\nNew, TLSv1"))
        try TestCertificate.make(["DNS:localhost"], in: server.folder.url.appendingPathComponent("certs/localhost"))
        reload(server, until: "1 certificate changed (")
        let again = try Shell.run(arguments + ["-sess_in", session], input: request).text
        #expect(again.contains("\nReused, TLSv1"))
        #expect(again.contains("HTTP/1.1 200 OK"))
    }

    @Test("fifty reloads under load lose no request")
    func underLoad() throws {
        let server = try RunningServer(RunningServer.layOut(), threads: 2)
        let large = #"{"a":""# + String(repeating: "~", count: 100_000) + #""}"#
        let url = "https://localhost:\(server.port)/apple-app-site-association?[1-100]"
        let arguments = [
            "curl", "-sS", "--fail", "--noproxy", "*", "--no-progress-meter", "--connect-to",
            "::127.0.0.1:\(server.port)",
            "--cacert", "\(server.folder.path)/certs/localhost/fullchain.pem", "-o", "/dev/null", "-w",
            "%{http_code}\\n", url,
        ]
        let isOver = Locked(false)
        // New connections all the time, each with many requests.
        let clients = (0..<4).map { _ in
            Background {
                var last = try Shell.run(arguments)
                while last.status == 0, last.text == String(repeating: "200\n", count: 100), !isOver.withLock({ $0 }) {
                    last = try Shell.run(arguments)
                }
                return last
            }
        }
        for number in 1...50 {
            try server.folder.write(number % 2 == 0 ? Self.other : large, to: Self.file)
            server.signal(SIGHUP)
            #expect(server.waitForLogs("reloaded: ", count: number))
        }
        isOver.withLock { $0 = true }
        for client in clients {
            let outcome = try client.result()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == String(repeating: "200\n", count: 100))
        }
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }
}

import Foundation
import Synchronization
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
        let admin = try #require(server.logText.firstMatch(of: #/http://127\.0\.0\.1:[0-9]+/#)?.output)
        func sites() throws -> String {
            try Shell.run(["curl", "-sS", "--noproxy", "*", "\(admin)/sites"]).text
        }
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

    @Test("a site that is added is served, one whose folder is gone ends")
    func addedAndRemoved() throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:*.b.example"])
        let server = try RunningServer(folder)
        #expect(try answer(server, host: "a.b.example").last?.hasPrefix("404 ") == true)
        try folder.write(Self.other, to: "sites/_wildcard.b.example/apple-app-site-association")
        reload(server, until: "1 site added (*.b.example)")
        #expect(try answer(server, host: "a.b.example").first == Self.other)
        try folder.write("", to: "sites/x.b.example/apple-app-site-association")
        reload(server, until: "1 site without a good version (x.b.example)")
        #expect(try answer(server, host: "x.b.example").last?.hasPrefix("503 ") == true)
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/_wildcard.b.example")
        reload(server, until: "1 site removed (*.b.example)")
        #expect(try answer(server, host: "a.b.example").last?.hasPrefix("404 ") == true)
        #expect(try answer(server).first == RunningServer.document)
    }

    @Test(
        "a connection stays open over reloads, and gets what is served at the time", arguments: ["-tls1_2", "-tls1_3"])
    func keptConnection(version: String) throws {
        let server = try RunningServer(RunningServer.layOut())
        let client = try TLSClient(port: server.port, arguments: [version])
        #expect(try client.get().hasSuffix(RunningServer.document))
        try server.folder.write(Self.other, to: Self.file)
        // The certificate of the connection is gone, and so is its context, but for the connection.
        try TestCertificate.make(["DNS:localhost"], in: server.folder.url.appendingPathComponent("certs/localhost"))
        reload(server, until: "1 site changed (localhost), 1 certificate changed (")
        #expect(try client.get().hasSuffix(Self.other))
        #expect(try answer(server).first == Self.other)
        try FileManager.default.removeItem(atPath: "\(server.folder.path)/sites/localhost")
        reload(server, until: "1 site removed (localhost)")
        #expect(try client.get().hasPrefix("HTTP/1.1 404 "))
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

    @Test("a pair that is bad now leaves the one before")
    func badPair() throws {
        let server = try RunningServer(RunningServer.layOut())
        let chain = "certs/localhost/fullchain.pem"
        let good = try Data(contentsOf: server.folder.url.appendingPathComponent(chain))
        try server.folder.write("x", to: chain)
        reload(server, until: "1 certificate kept at its last good version (")
        #expect(server.logText.contains(" error: \(server.folder.path)/\(chain): "))
        try server.folder.write(good, to: "ca.pem")
        let trusted = try server.curl("/apple-app-site-association", ["--cacert", "\(server.folder.path)/ca.pem"])
        #expect(trusted.text == RunningServer.document)
        try TestCertificate.make(["DNS:localhost"], in: server.folder.url.appendingPathComponent("certs/localhost"))
        reload(server, until: "1 certificate changed (")
        #expect(try server.curl().text == RunningServer.document)
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
        let isOver = Flag()
        // New connections all the time, each with many requests.
        let clients = (0..<4).map { _ in
            Background {
                var last = try Shell.run(arguments)
                while last.status == 0, last.text == String(repeating: "200\n", count: 100), !isOver.isSet {
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
        isOver.set()
        for client in clients {
            let outcome = try client.result()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == String(repeating: "200\n", count: 100))
        }
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }
}

/// One connection that sends a request when it is told to.
private final class TLSClient {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(port: Int, arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(port)"]
        process.arguments? += ["-servername", "localhost"] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The answer to a request, whole.
    func get() throws -> String {
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try input.fileHandleForWriting.write(contentsOf: Data(request.utf8))
        var answer = ""
        while true {
            if let end = answer.range(of: "\r\n\r\n"), let field = answer.firstMatch(of: /Content-Length: (\d+)/),
                answer[end.upperBound...].utf8.count >= Int(field.1) ?? 0
            {
                return answer
            }
            let more = output.fileHandleForReading.nextData()
            if more.isEmpty { throw TestFailure("the connection was closed after: \(answer)") }
            answer += String(decoding: more, as: UTF8.self)
        }
    }
}

/// Something that runs aside.
private final class Background: @unchecked Sendable {
    private let condition = NSCondition()
    private var outcome: Result<Shell.Outcome, any Error>?

    init(_ work: @escaping @Sendable () throws -> Shell.Outcome) {
        Thread { [self] in
            let outcome = Result { try work() }
            condition.lock()
            self.outcome = outcome
            condition.broadcast()
            condition.unlock()
        }.start()
    }

    func result() throws -> Shell.Outcome {
        condition.lock()
        defer { condition.unlock() }
        while outcome == nil { condition.wait() }
        return try outcome?.get() ?? { throw TestFailure("nothing came of it") }()
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

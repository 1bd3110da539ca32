import Foundation
import TestSupport
import Testing

/// `aasa serve --demo` and `aasa serve FOLDER` from outside (server.md, section 1).
@Suite("aasa serve --demo", .waiting)
struct ServeDemoTests {
    private static let document = #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app"]}}"#

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ arguments: [String], launcher: [String] = []) throws -> RunningServer {
        try RunningServer(
            folder, serving: arguments + ["--listen", "127.0.0.1:0", "--admin", "0", "--threads", "1"],
            launcher: ["env", "TMPDIR=\(folder.path)"] + launcher)
    }

    private func run(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run(["env", "TMPDIR=\(folder.path)", RunningServer.executable, "serve"] + arguments)
    }

    /// The folders of demos that are left.
    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("aasa-demo-") }
    }

    /// Runs a command of the introduction as it was printed.
    private func runPrinted(_ start: String, of server: RunningServer, _ more: String = "") throws -> Shell.Outcome {
        #expect(server.waitForLog("press Control-C"))
        let line = try #require(server.logText.split(separator: "\n").first { $0.hasPrefix("  \(start)") })
        let command = line.trimmingCharacters(in: .whitespaces).replacing(
            #/^aasa /#, with: "'\(RunningServer.executable)' ")
        return try Shell.run(["env", "no_proxy=*", "sh", "-c", "\(command)\(more)"])
    }

    @Test("the commands that it prints work, and nothing is left when it has stopped")
    func sample() throws {
        let server = try start(["--demo"])
        let answer = try runPrinted("curl ", of: server, " -sSi")
        #expect(answer.status == 0 && answer.text.hasPrefix("HTTP/"), "\(answer)")
        #expect(answer.text.contains("200") && answer.text.contains(#""appIDs""#), "\(answer.text)")
        let status = try runPrinted("aasa status", of: server)
        #expect(status.status == 0 && status.text.hasPrefix("1 site: 1 fine\n"), "\(status)")
        for text in ["a domain ", "a certificate ", "an admin ", "/console/ in a browser"] {
            #expect(server.logText.contains(text), "\(text)")
        }
        #expect(!server.logText.contains("[example-app-id]"))

        let demo = try #require(leftovers().first)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(demo)")[.posixPermissions]
        #expect(mode as? Int == 0o700)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(try leftovers().isEmpty)
    }

    @Test(
        "a folder is the site localhost, with its .well-known as well, and changes are served",
        arguments: ["", ".well-known/"])
    func oneSite(nested: String) throws {
        try folder.write(Self.document, to: "my site/\(nested)apple-app-site-association")
        let server = try start(["\(folder.path)/my site"])
        #expect(try runPrinted("curl ", of: server, " -sS").text == Self.document)
        let changed = Self.document.replacingOccurrences(of: "shop", with: "shop2")
        try folder.write(changed, to: "my site/\(nested)apple-app-site-association")
        #expect(try Waiting.until { try runPrinted("curl ", of: server, " -sS").text == changed })
        server.signal(SIGINT)
        #expect(server.exitStatus() == 0)
        #expect(try leftovers().isEmpty)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/my site/\(nested)apple-app-site-association"))
    }

    @Test("folders of domains are sites under their names, wildcards included")
    func severalSites() throws {
        for name in ["_wildcard.shop.example", "a.example"] {
            try folder.write(Self.document, to: "sites/\(name)/apple-app-site-association")
        }
        try folder.write("text", to: "sites/notes/README")
        let server = try start(["--demo", "\(folder.path)/sites"])
        #expect(try runPrinted("curl ", of: server, " -sS").text == Self.document)
        #expect(server.logText.contains("https://www.shop.example/.well-known/"))
        let certificate = "\(folder.path)/\(try #require(leftovers().first))/certs/development/fullchain.pem"
        for (host, isServed) in [("a.example", true), ("b.example", false)] {
            let outcome = try Shell.run([
                "curl", "-sSf", "--noproxy", "*", "--cacert", certificate, "--connect-to", "::127.0.0.1:\(server.port)",
                "https://\(host)/.well-known/apple-app-site-association",
            ])
            #expect((outcome.status == 0) == isServed, "\(host): \(outcome)")
        }
    }

    @Test(
        "the certificate is never used where another machine could reach it, nor beside another configuration",
        arguments: [
            (["--listen", "0.0.0.0:0"], "a development certificate is for this machine only"),
            (["--listen", "443"], "a development certificate is for this machine only"),
            (["--listen", "[::]:0"], "a development certificate is for this machine only"),
            (["--listen", "http://127.0.0.1:0"], "expected a loopback address, like 127.0.0.1:8443"),
            (["--config", "server.json"], "'--config' is for a server with server.json"),
            (["--certs", "certs"], "'--certs' is for a server with server.json"),
            (["--store", "postgresql://h/d"], "'--store' is for a server with server.json"),
            (["--store-poll", "5"], "'--store-poll' is for a server with server.json"),
            (["--check"], "'--check' is for a server with server.json"),
            (["--probe"], "'--probe' is for a server with server.json"),
        ] as [([String], String)])
    func refused(arguments: [String], message: String) throws {
        let outcome = try run(["--demo"] + arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome)")
        #expect(try leftovers().isEmpty)
    }

    @Test("sockets of a service manager are not used")
    func inherited() throws {
        let socket = try BoundSocket()
        // The shell becomes the server once more, with other arguments.
        let server = try ServiceProcess(
            RunningServer.layOut(), sockets: [socket.descriptor],
            prefix: #"/bin/sh -c 'exec "$1" serve --demo --listen 127.0.0.1:0 --admin none' sh"#)
        #expect(server.exitStatus() == 64)
        #expect(server.logText.contains("a demo does not use the sockets of a service manager"), "\(server.logText)")
    }

    @Test("what cannot be tried out is said in terms of the folder")
    func unusable() throws {
        let none = try run(["\(folder.path)/none"])
        #expect(none.status == 66 && none.errors.contains("error: there is no folder"), "\(none)")
        try folder.write(Self.document, to: "project/public/.well-known/apple-app-site-association")
        let project = try run(["\(folder.path)/project"])
        #expect(project.status == 66, "\(project)")
        #expect(project.errors.contains("try: aasa serve \(folder.path)/project/public/.well-known\n"), "\(project)")
        try folder.write("{}", to: "links/server.json")
        let links = try run(["\(folder.path)/links"])
        #expect(links.status == 66 && links.errors.contains("aasa serve --config \(folder.path)/links/server.json"))
        try folder.write(#"{"webcredentials":{"apps":["x"]}}"#, to: "faulty/apple-app-site-association")
        let faulty = try run(["\(folder.path)/faulty", "--listen", "127.0.0.1:0", "--admin", "none"])
        #expect(faulty.status == 1 && faulty.errors.contains("aasa validate \(folder.path)/faulty"), "\(faulty)")
        let file = try run(["\(folder.path)/faulty/apple-app-site-association"])
        #expect(file.status == 66 && file.errors.contains("there is no folder"), "\(file)")
        #expect(try leftovers().isEmpty)
    }

    @Test("without server.json, 'aasa serve' names the demo, and 'aasa status' says where it looked")
    func withoutConfiguration() throws {
        let serve = try Shell.run([RunningServer.executable, "serve"], in: folder.url)
        #expect(serve.status == 66 && serve.errors.contains("'aasa serve --demo' tries a sample"), "\(serve)")
        let status = try Shell.run([RunningServer.executable, "status"], in: folder.url)
        // Another program of the machine may listen there; then it has answered.
        guard status.errors.contains("refused") else { return }
        #expect(status.status == 64)
        #expect(
            status.errors == """
                error: no server is known: there is no 'Config/server.json' in this folder; and no server answers at \
                127.0.0.1:9443: connection refused
                  = help: name its server.json with --config, or the admin address that its log prints with --admin

                """)
    }
}

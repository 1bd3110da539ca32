import Foundation
import Glibc
import TestSupport
import Testing

/// `aasa status` against built servers (cli.md, 1.12).
@Suite("aasa status", .waiting)
struct StatusTests {
    private static let document = #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app"]}}"#

    private static func layOut(_ sites: [(name: String, days: Int?)]) throws -> TemporaryFolder {
        try SiteFolders.layOut(sites, document: document)
    }

    private static func status(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run([RunningServer.executable, "status"] + arguments)
    }

    @Test("a healthy server is 0, over TCP, a Unix socket, and by its server.json")
    func healthy() throws {
        let folder = try Self.layOut([("localhost", 60), ("b.example", 100)])
        let socket = "unix:\(folder.path)/admin.sock"
        let server = try RunningServer(folder, configuration: #"{"admin": "\#(socket)"}"#)
        for arguments in [
            ["--config", "\(folder.path)/server.json"], ["--admin", socket], ["--admin", "\(folder.path)/admin.sock"],
        ] {
            let outcome = try Self.status(arguments)
            #expect(outcome.status == 0 && outcome.text.hasPrefix("2 sites: 2 fine\naasa "), "\(outcome)")
            #expect(outcome.text.contains("; next certificate to expire: localhost, in ") && outcome.errors.isEmpty)
        }
        let listeners = ["127.0.0.1:0", "[::1]:0"]
        for listener in listeners {
            let other = try RunningServer(
                try Self.layOut([("localhost", 60)]), arguments: ["--admin", listener])
            let admin = try other.adminURL.dropFirst("http://".count)
            #expect(try Self.status(["--admin", String(admin)]).text.hasPrefix("1 site: 1 fine\naasa "))
            #expect(try Self.status(["--admin", other.adminURL]).text.hasPrefix("1 site: 1 fine\naasa "))
            let nagios = try Self.status(["--admin", String(admin), "--format", "nagios"])
            #expect(nagios.status == 0)
            #expect(
                nagios.text.contains(
                    #/^AASA OK - 1 site: 1 fine \| sites=1;;;0 broken=0;;0;0 attention=0;0;;0 stale=0;0;;0 refused=0;;0;0 without_certificate=0;;0;0 file_warnings=0;;;0 days=\d+;\d+:;\d+: uptime=\d+s;;;0\n$/#
                ), "\(nagios.text)")
        }
        withExtendedLifetime(server) {}
    }

    @Test("problems are listed, the worst first, with what to do, and the exit code is theirs")
    func problems() throws {
        let folder = try Self.layOut([("a.example", 20), ("b.example", nil), ("localhost", 60)])
        let socket = "unix:\(folder.path)/admin.sock"
        let server = try RunningServer(folder, arguments: ["--admin", socket])
        let outcome = try Self.status(["--admin", socket])
        #expect(outcome.status == 2 && outcome.errors.isEmpty)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 7, "\(outcome.text)")
        #expect(lines[0] == "x b.example: no certificate: nobody can fetch this file [no-certificate]")
        #expect(lines[1].hasPrefix("    help: put one into the folder of certificates"))
        #expect(
            lines[2].contains(#/^! a\.example: certificate expires in \d+ days \(20[0-9-]+\) \[certificate-expires\]$/#)
        )
        #expect(lines[3].hasPrefix("    --> ") && lines[3].hasSuffix("/certs/a.example"))
        #expect(lines[4].hasPrefix("    help: renew it now"))
        #expect(lines[5] == "3 sites: 1 broken, 1 needs attention, 1 fine" && lines[6].hasPrefix("aasa "))
        let one = try Self.status(["a.example", "--admin", socket])
        #expect(one.status == 1 && one.text.contains("\n1 site: 1 needs attention\n"), "\(one)")
        #expect(try Self.status(["localhost", "--admin", socket]).status == 0)
        let none = try Self.status(["c.example", "--admin", socket])
        #expect(none.status == 64 && none.errors.contains("has no site 'c.example'"), "\(none)")

        let narrow = try PseudoTerminal()
        try narrow.run(
            "stty cols 64; exec '\(RunningServer.executable)' status --color never --admin '\(socket)'",
            environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"])
        #expect(narrow.exitStatus() == 2)
        let shown = narrow.text
        // A path is not broken.
        let wide = shown.split(whereSeparator: \.isNewline).filter { $0.count > 64 && !$0.contains("--> ") }
        #expect(wide.isEmpty, "\(shown)")
        let words = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("no certificate: nobody can fetch this file"), "\(shown)")

        let json = try Self.status(["--admin", socket, "--format", "json"])
        #expect(json.status == 2)
        let object = try #require(JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect(object["status"] as? String == "critical" && object["serving"] as? String == "ready")
        #expect(
            (object["problems"] as? [[String: Any]])?.map { $0["domain"] as? String } == ["b.example", "a.example"])

        let nagios = try Self.status(["--admin", socket, "--format", "nagios"])
        #expect(nagios.status == 2)
        let plugin = nagios.text.split(separator: "\n")
        let first =
            "AASA CRITICAL - 3 sites: 1 broken, 1 needs attention, 1 fine | sites=3;;;0 broken=1;;0;0 attention=1;0;;0 "
        #expect(plugin.first?.hasPrefix(first) == true, "\(nagios.text)")
        #expect(
            plugin.dropFirst().first
                == "CRITICAL: b.example: no certificate: nobody can fetch this file [no-certificate]")

        try folder.write("{", to: "sites/localhost/apple-app-site-association")
        server.signal(SIGHUP)
        #expect(try Waiting.until { try Self.status(["--admin", socket]).text.contains("[stale]") })
        let stale = try Self.status(["localhost", "--admin", socket]).text
        #expect(stale.contains("/sites/localhost/apple-app-site-association:1:"), "\(stale)")
        #expect(stale.contains("[stale-until-restart]") && stale.contains(", last reload "), "\(stale)")
    }

    @Test("warnings alone are 1, and the days can be chosen")
    func warnings() throws {
        let folder = try Self.layOut([("localhost", 60)])
        let socket = "unix:\(folder.path)/admin.sock"
        let server = try RunningServer(folder, arguments: ["--admin", socket])
        #expect(try Self.status(["--admin", socket, "--certificate-days", "50"]).status == 0)
        let outcome = try Self.status(["--admin", socket, "--certificate-days", "70"])
        #expect(outcome.status == 1 && outcome.text.contains("\n1 site: 1 needs attention\n"), "\(outcome)")
        withExtendedLifetime(server) {}
    }

    @Test(
        "where nobody answers, or somebody else, it is 69 with the reason; a plugin says CRITICAL, or UNKNOWN if so asked"
    )
    func unavailable() throws {
        let silent = try BoundSocket(isListening: false)
        let admin = "127.0.0.1:\(silent.port)"
        let outcome = try Self.status(["--admin", admin])
        #expect(outcome.status == 69 && outcome.output.isEmpty)
        #expect(outcome.errors == "error: no server answers at \(admin): connection refused\n")
        let nagios = try Self.status(["--admin", admin, "--format", "nagios"])
        #expect(nagios.status == 2 && nagios.errors.isEmpty)
        #expect(nagios.text == "AASA CRITICAL - no server answers at \(admin): connection refused\n")
        let unknown = try Self.status(["--admin", admin, "--format", "nagios", "--unreachable", "unknown"])
        #expect(unknown.status == 3 && unknown.errors.isEmpty)
        #expect(unknown.text == "AASA UNKNOWN - no server answers at \(admin): connection refused\n")
        let server = try RunningServer(try Self.layOut([("localhost", 60)]))
        let other = try Self.status(["--admin", "127.0.0.1:\(server.port)"])
        #expect(other.status == 69 && other.errors.hasSuffix(" is not the admin listener of 'aasa serve'\n"))
        withExtendedLifetime(silent) {}
    }

    @Test("what is wrong with the options or server.json is reported")
    func usage() throws {
        let folder = try TemporaryFolder()
        let empty = try folder.write("{}", to: "server.json")
        let none = try Self.status(["--config", empty])
        #expect(none.status == 64)
        #expect(
            none.errors == """
                error: '\(empty)' does not set 'admin', so there is no server to ask
                  = help: set 'admin' in it, for example to "127.0.0.1:9443", and restart the server; or give the address \
                that its log prints with --admin

                """)
        for arguments in [
            ["--watch", "--format", "json"], ["not a domain"], ["--unreachable", "ok"],
            ["--admin", "192.0.2.1:1"], ["--admin", "none"], ["--admin", "x"], ["--certificate-days", "-1"],
            ["--certificate-days", "10001"], ["--format", "xml"],
        ] {
            #expect(try Self.status(arguments).status == 64, "\(arguments)")
        }
        #expect(try Self.status(["--config", "\(folder.path)/none.json"]).status == 66)
        #expect(try Self.status(["--config", try folder.write(#"{"admin": 1}"#, to: "bad.json")]).status == 65)
    }

    @Test("--watch shows what changes, and goes on where the server is away")
    func watching() throws {
        let folder = try Self.layOut([("localhost", 60)])
        let socket = "unix:\(folder.path)/admin.sock"
        let server = try RunningServer(folder, arguments: ["--admin", socket])
        let output = try folder.write("", to: "watched")
        let watch = Process()
        watch.executableURL = URL(fileURLWithPath: RunningServer.executable)
        watch.arguments = ["status", "--watch", "--admin", socket]
        watch.standardInput = FileHandle.nullDevice
        watch.standardOutput = FileHandle(forWritingAtPath: output)
        watch.standardError = FileHandle.nullDevice
        try watch.run()
        // It inherits the signals that a thread of Dispatch blocks, and would go on after the tests.
        let identifier = watch.processIdentifier
        Orphans.add(identifier)
        defer {
            kill(identifier, SIGKILL)
            watch.waitUntilExit()
            Orphans.remove(identifier)
        }
        func text() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }
        #expect(try Waiting.until { try text().contains("1 site: 1 fine\n") })
        try folder.write("{", to: "sites/localhost/apple-app-site-association")
        server.signal(SIGHUP)
        #expect(try Waiting.until { try text().contains("[stale]") })
        server.signal(SIGTERM)
        #expect(try Waiting.until { try text().contains("no server answers at \(socket)") })
        #expect(watch.isRunning)
    }
}

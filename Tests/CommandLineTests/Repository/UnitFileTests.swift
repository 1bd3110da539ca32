import Foundation
import TestSupport
import Testing

/// The units for systemd in Config.
@Suite("Unit files", .waiting)
struct UnitFileTests {
    private static let folder = Repository.url("Config")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// The value of a setting that stands there once.
    private func value(_ key: String, in name: String) throws -> String? {
        let lines = try text(name).split(separator: "\n").filter { $0.hasPrefix("\(key)=") }
        return lines.count == 1 ? lines.first.map { String($0.dropFirst(key.count + 1)) } : nil
    }

    @Test("systemd finds nothing wrong with them", .enabled(if: UnitFileTests.hasSystemd, "needs systemd-analyze"))
    func verified() throws {
        let copies = try TemporaryFolder()
        let program = "/usr/local/bin/aasa"
        let names = [
            "aasa.service", "aasa-node.service", "aasa.socket", "aasa-port80.socket", "aasa-http.socket",
            "aasa-admin.socket",
        ]
        for name in names {
            try copies.write(
                text(name).replacingOccurrences(
                    of: "ExecStart=\(program)", with: "ExecStart=\(RunningServer.executable)"), to: name)
        }
        let outcome = try Shell.run(["systemd-analyze", "verify"] + names.map { "\(copies.path)/\($0)" })
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        for name in names.prefix(2) {
            let security = [
                "systemd-analyze", "security", "--offline=true", "--threshold=15", "\(copies.path)/\(name)",
            ]
            let exposure = try Shell.run(security)
            #expect(exposure.status == 0, "\(exposure.text.suffix(200))")
        }
    }

    @Test("the service of a node is that of a server but for its store, and takes its place")
    func node() throws {
        /// The settings of a unit, without comments.
        func settings(_ name: String) throws -> Set<String> {
            let unit = try text(name)
            let start = try #require(unit.range(of: "\n[Unit]\n")).lowerBound
            return Set(unit[start...].split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init))
        }
        let (server, node) = (try settings("aasa.service"), try settings("aasa-node.service"))
        func keys(_ settings: Set<String>) -> Set<String> { Set(settings.map { String($0.prefix { $0 != "=" }) }) }
        #expect(
            keys(server.symmetricDifference(node)) == [
                "After", "Alias", "BindReadOnlyPaths", "Description", "Environment", "ExecStart", "StateDirectory",
                "StateDirectoryMode", "TimeoutStartSec",
            ])
        // The socket units lead to the service of this name.
        #expect(try value("Alias", in: "aasa-node.service") == "aasa.service")
        let command = try #require(try value("ExecStart", in: "aasa-node.service"))
        #expect(
            try command == #require(try value("ExecStart", in: "aasa.service")) + " --store-cache ${STATE_DIRECTORY}")
        #expect(try value("StateDirectoryMode", in: "aasa-node.service") == "0700")
        let folder = "/var/lib/\(try #require(try value("StateDirectory", in: "aasa-node.service")))"
        #expect(try Repository.text("docs/fleet.md").contains(folder))
        // The example in its first lines is a server.json.
        let unit = try text("aasa-node.service")
        let lines = unit.split(separator: "\n").prefix { $0.hasPrefix("#") }.map { $0.dropFirst(1) }
        let example = lines.joined(separator: " ").firstMatch(of: #/'(\{.*\})'/#)?.1
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(String(example ?? "").utf8)) as? [String: String])
        #expect(Set(object.keys) == ["store", "storeKeyFile"])
    }

    static let hasSystemd = (try? Shell.run(["systemd-analyze", "security", "--offline=true", "--help"]).status) == 0

    @Test("they say what the server expects")
    func settings() throws {
        #expect(try value("FileDescriptorName", in: "aasa.socket") == "https")
        #expect(try value("FileDescriptorName", in: "aasa-port80.socket") == "http")
        #expect(try value("ListenStream", in: "aasa-port80.socket") == "80")
        #expect(try value("Service", in: "aasa-port80.socket") == "aasa.service")
        #expect(try value("FileDescriptorName", in: "aasa-admin.socket") == "admin")
        #expect(try value("ListenStream", in: "aasa-admin.socket")?.hasPrefix("127.0.0.1:") == true)
        #expect(try value("Service", in: "aasa-admin.socket") == "aasa.service")
        #expect(try value("FileDescriptorName", in: "aasa-http.socket") == "http")
        #expect(try value("ListenStream", in: "aasa-http.socket") == "/run/aasa/http.sock")
        // Made before the service, for which it would otherwise change the owner of what is in it.
        #expect(try value("ExecStartPre", in: "aasa-http.socket")?.hasSuffix(" -o aasa -g aasa /run/aasa") == true)
        #expect(try value("SocketMode", in: "aasa-http.socket") == "0660")
        #expect(try value("SocketGroup", in: "aasa-http.socket") == "www-data")
        #expect(try value("Service", in: "aasa-http.socket") == "aasa.service")
        // Port 443 may be a proxy's: none of the sockets is required.
        #expect(try value("Requires", in: "aasa.service") == nil)
        #expect(try value("Also", in: "aasa.service") == nil)
        #expect(try value("Type", in: "aasa.service") == "notify")
        // Beside a web server on port 443 the service runs without aasa.socket; a drop-in could not take these back.
        let unit = try text("aasa.service")
        for key in ["Requires", "BindsTo", "Also"] { #expect(!unit.contains("\n\(key)="), "\(key)") }
        // The first milliseconds of a process no handler can be there yet.
        #expect(try value("RestartForceExitStatus", in: "aasa.service") == "SIGHUP")
        #expect(try value("SocketBindDeny", in: "aasa.service") == "any")
        // The user is that of sysusers.d; the folder with the sockets outlives the service, as the sockets do.
        let user = try #require(try value("User", in: "aasa.service"))
        #expect(try text("sysusers.d/aasa.conf").contains("\nu \(user) "))
        for key in ["RuntimeDirectory", "StateDirectory", "LogsDirectory"] {
            #expect(try value(key, in: "aasa.service") == "aasa")
        }
        #expect(try value("RuntimeDirectoryPreserve", in: "aasa.service") == "yes")
        for key in ["MemoryMax", "TasksMax", "IPAddressDeny", "TemporaryFileSystem"] {
            #expect(try value(key, in: "aasa.service") != nil, "\(key)")
        }
        // More than "timeouts.drain" allows, which is 30 s.
        #expect(try Int(value("TimeoutStopSec", in: "aasa.service") ?? "") ?? 0 > 30)
    }

    @Test("the service can get certificates: names, roots, outgoing connections, and a folder that it may write to")
    func certificates() throws {
        #expect(
            try value("RestrictAddressFamilies", in: "aasa.service") == "AF_UNIX AF_INET AF_INET6 AF_NETLINK")
        let hidden = try #require(try value("TemporaryFileSystem", in: "aasa.service"))
        #expect(hidden.contains("/etc:ro") && hidden.contains("/var/lib:ro"))
        let unit = try text("aasa.service")
        let seen = unit.matches(of: #/(?m)^BindReadOnlyPaths=(.+)$/#).flatMap { $0.1.split(separator: " ") }
        for path in ["resolv.conf", "hosts", "nsswitch.conf", "ssl/certs"] {
            #expect(seen.contains("-/etc/\(path)"), "\(path)")
        }
        // The folder of the example in the unit is the one that systemd makes.
        let example = String(try #require(unit.firstMatch(of: #/(?m)^# +(\{.*"acme".*\})$/#)).1)
        let state = "/var/lib/\(try value("StateDirectory", in: "aasa.service") ?? "")"
        #expect(example.contains(#""certs": "\#(state)""#))
        let folder = try RunningServer.layOut()
        let file = try folder.write(String(example).replacing(state, with: "\(folder.path)/state"), to: "server.json")
        let outcome = try Shell.run([RunningServer.executable, "serve", "--config", file, "--check"])
        #expect(outcome.status != 65 && outcome.status != 66, "\(outcome.errors)")
    }

    @Test("the command that the service runs is one of the program's")
    func command() throws {
        let command = try #require(try value("ExecStart", in: "aasa.service")).split(separator: " ").map(String.init)
        #expect(command.first == "/usr/local/bin/aasa")
        #expect(command.dropFirst() == ["serve", "--config", "/etc/aasa/server.json"])
        let folder = try RunningServer.layOut()
        let file = try folder.write(#"{ "certs": "certs" }"#, to: "server.json")
        let outcome = try Shell.run([RunningServer.executable, "serve", "--config", file, "--check"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}

import Foundation
import TestSupport
import Testing

/// The rights that the server has, and whether it needs more (server.md, sections 7 and 8).
@Suite("aasa serve: rights and limits of the process", .waiting)
struct ServeRightsTests {
    @Test("the limit of open files is raised as far as it goes")
    func raisedLimit() throws {
        let server = try ServiceProcess(
            RunningServer.layOut(), prefix: "sh -c 'ulimit -Sn 256; ulimit -Hn 512; exec \"$@\"' sh")
        _ = try server.port()
        let limits = try String(contentsOfFile: "/proc/\(server.processIdentifier)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        #expect(line.split(separator: " ").dropFirst(3).prefix(2) == ["512", "512"])
        #expect(
            server.logText.contains(
                " warning: connections are limited to 448: the process may only open 512 files\n"))
    }

    @Test("as root it says that this is not needed, and what to do instead", .enabled(if: getuid() == 0, "needs root"))
    func root() throws {
        let server = try ServiceProcess(RunningServer.layOut())
        _ = try server.port()
        let expected =
            "running as root, which is not needed: let systemd open the socket, or use DynamicUser= with AmbientCapabilities=CAP_NET_BIND_SERVICE"
        #expect(server.logText.contains(" warning: \(expected)\n"))
    }

    @Test(
        "another user serves without a word about it, and may not have a low port",
        .enabled(if: ServeRightsTests.canBeNobody, "needs root, setpriv, and a build that everybody can run"))
    func nobody() throws {
        let folder = try RunningServer.layOut()
        #expect(try Shell.run(["chown", "-R", "65534:65534", folder.path]).status == 0)
        let server = try ServiceProcess(folder, prefix: Self.asNobody)
        let port = try server.port()
        #expect(try server.curl(port: port).text == RunningServer.document)
        #expect(!server.logText.contains("root"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)

        let lowest =
            (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8)) ?? ""
        guard let first = Int(lowest.trimmingCharacters(in: .whitespacesAndNewlines)), first > 1 else { return }
        let low = try ServiceProcess(folder, prefix: Self.asNobody, configuration: #"{"listen": ["127.0.0.1:1"]}"#)
        #expect(low.exitStatus() == 69)
        let expected =
            "error: cannot listen on 127.0.0.1:1: permission denied\n  = help: ports below 1024 need a privilege: "
        #expect(low.logText.contains("\n\(expected)") || low.logText.hasPrefix(expected))
        // But it may have one that is handed over.
        let socket = try BoundSocket()
        let handed = try ServiceProcess(folder, sockets: [socket.descriptor], prefix: Self.asNobody)
        #expect(try handed.curl(port: handed.port()).text == RunningServer.document)
    }

    private static let asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs"

    static let canBeNobody: Bool = {
        guard getuid() == 0 else { return false }
        let command = asNobody.split(separator: " ").map(String.init) + [RunningServer.executable, "--version"]
        return (try? Shell.run(command).status) == 0
    }()
}

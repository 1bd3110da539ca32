import Foundation
import TestSupport
import Testing

/// Under a service manager (server.md, section 8), played by the tests.
@Suite("aasa serve: as a service", .waiting)
struct ServeServiceTests {
    private func abstractName() -> String { "@aasa-test-\(UUID().uuidString)" }

    @Test("a socket that is handed over is served, and 'listen' is not bound", arguments: [false, true])
    func inheritedSocket(ipv6: Bool) throws {
        let socket = try BoundSocket(ipv6: ipv6)
        // Nobody could bind this one.
        let taken = try BoundSocket()
        let server = try ServiceProcess(
            RunningServer.layOut(), sockets: [socket.descriptor],
            configuration: #"{"listen": ["127.0.0.1:\#(taken.port)"]}"#)
        #expect(try server.port() == socket.port)
        let outcome = try server.curl(port: socket.port, address: ipv6 ? "[::1]" : "127.0.0.1")
        #expect(outcome.text == RunningServer.document, "\(outcome.errors)")
        withExtendedLifetime(taken) {}
        #expect(server.logText.contains("using the service manager's sockets; 'listen' is ignored"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    @Test("several sockets are served, whatever they are called, and so are IPv4 clients of one for both")
    func severalSockets() throws {
        let sockets = try [BoundSocket(), BoundSocket(ipv6: true), BoundSocket(ipv6: true, everyAddress: true)]
        let server = try ServiceProcess(
            RunningServer.layOut(), sockets: sockets.map(\.descriptor),
            variables: ["LISTEN_FDNAMES": "aasa.socket:https"])
        #expect(try server.port() == sockets[0].port)
        for (socket, address) in zip([0, 1, 2, 2], ["127.0.0.1", "[::1]", "[::1]", "127.0.0.1"]) {
            let outcome = try server.curl(port: sockets[socket].port, address: address)
            #expect(outcome.text == RunningServer.document, "\(address) \(outcome.errors)")
        }
    }

    @Test(
        "the socket for the admin is used, whatever server.json says, and 'listen' is bound",
        arguments: ["none", "127.0.0.1:0"])
    func adminSocket(configured: String) throws {
        let socket = try BoundSocket()
        let server = try ServiceProcess(
            RunningServer.layOut(), sockets: [socket.descriptor], variables: ["LISTEN_FDNAMES": "admin"],
            configuration: #"{"listen": ["127.0.0.1:0"], "admin": "\#(configured)"}"#)
        let port = try server.port()
        #expect(port != socket.port)
        #expect(try server.curl(port: port).text == RunningServer.document)
        let health = try Shell.run(["curl", "-sS", "--noproxy", "*", "http://127.0.0.1:\(socket.port)/healthz"])
        #expect(health.text.hasPrefix("ok"), "\(health.errors)")
        #expect(!server.logText.contains("'listen' is ignored"))
    }

    /// A Unix socket that listens, as systemd makes it.
    private func unixSocket(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0 && listen(descriptor, 128) == 0)
        return descriptor
    }

    @Test("the name of a socket says what is spoken there, and whether certificates are needed")
    func named() throws {
        let folder = try RunningServer.layOut()
        let path = "\(folder.path)/http.sock"
        let unix = try unixSocket(path)
        defer { close(unix) }
        let sockets = try (0..<3).map { _ in try BoundSocket() }
        let ports = sockets.map(\.port)
        let server = try ServiceProcess(
            folder, sockets: sockets.map(\.descriptor) + [unix],
            variables: ["LISTEN_FDNAMES": "http:http-proxy:https-proxy:http"],
            configuration: #"{"trustedProxies": ["loopback"], "admin": "unix:\#(folder.path)/admin.sock"}"#)
        let addresses = [
            "http://127.0.0.1:\(ports[0])", "http://127.0.0.1:\(ports[1])", "https://127.0.0.1:\(ports[2])",
            "unix:\(path)",
        ]
        #expect(server.waitForLog("ready: 1 site, 1 certificate on \(addresses.joined(separator: ", "))"))
        #expect(server.logText.contains("using the service manager's sockets; 'listen' is ignored"))
        // That server.json says something else about listeners is no change of it.
        server.signal(SIGHUP)
        #expect(server.waitForLog("reloaded: nothing has changed"))
        #expect(!server.logText.contains("after a restart"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        // It was made by somebody else, who goes on listening.
        _ = try RawSocket(path: path)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/admin.sock"))

        try FileManager.default.removeItem(atPath: "\(folder.path)/certs")
        let plain = try ServiceProcess(folder, sockets: [unix], variables: ["LISTEN_FDNAMES": "http"])
        #expect(plain.waitForLog("ready: 1 site on unix:\(path)"))
        withExtendedLifetime(sockets) {}
    }

    @Test("a Unix socket for the admin is used, and stays")
    func unixAdmin() throws {
        let folder = try RunningServer.layOut()
        let path = "\(folder.path)/admin.sock"
        let unix = try unixSocket(path)
        defer { close(unix) }
        let server = try ServiceProcess(folder, sockets: [unix], variables: ["LISTEN_FDNAMES": "admin"])
        #expect(server.waitForLog("ready: "))
        #expect(server.logText.contains(" info: admin: unix:\(path)\n"))
        let probe = try Shell.run([RunningServer.executable, "serve", "--probe", "--admin", "unix:\(path)"])
        #expect(probe.status == 0 && probe.text == "ready\n")
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("a socket that only proxies may connect to needs some that are trusted")
    func untrustedProxies() throws {
        let socket = try BoundSocket()
        let server = try ServiceProcess(
            RunningServer.layOut(), sockets: [socket.descriptor], variables: ["LISTEN_FDNAMES": "https-proxy"])
        #expect(server.exitStatus() == 65)
        let problem = "it expects a PROXY header, but 'trustedProxies' is empty"
        #expect(
            server.logText
                == """
                error: nobody can connect to '127.0.0.1:\(socket.port)': \(problem)
                  = help: add the addresses of your proxies to 'trustedProxies'

                """)
    }

    @Test("systemd's own tool hands over what its names say", .needs(.socketActivate))
    func socketActivate() throws {
        let folder = try RunningServer.layOut()
        try FileManager.default.removeItem(atPath: "\(folder.path)/certs")
        let (http, admin) = ("\(folder.path)/http.sock", "\(folder.path)/admin.sock")
        let tool = try ExternalProgram.socketActivate.path
        let server = try ServiceProcess(
            folder, prefix: "\(tool) -l \(http) -l \(admin) --fdname=http:admin", configuration: "{}")
        #expect(server.waitForLog("Listening on \(admin) as 4."))
        // The first connection starts the server.
        let answer = try Shell.run([
            "curl", "-sS", "--max-time", "20", "--unix-socket", admin, "http://localhost/readyz",
        ])
        #expect(answer.text == "ready\n", "\(answer.errors)")
        let client = try RawSocket(path: http)
        client.send("GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        guard case .bytes(let bytes) = client.receive() else {
            Issue.record("no answer")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(server.logText.contains("ready: 1 site on unix:\(http)\n"), "\(server.logText)")
        #expect(FileManager.default.fileExists(atPath: http) && FileManager.default.fileExists(atPath: admin))
    }

    @Test("a socket for the admin that others reach is one line and exit 69", arguments: [false, true])
    func openAdminSocket(ipv6: Bool) throws {
        let sockets = try [BoundSocket(), BoundSocket(ipv6: ipv6, everyAddress: true)]
        let server = try ServiceProcess(
            RunningServer.layOut(), sockets: sockets.map(\.descriptor), variables: ["LISTEN_FDNAMES": "https:admin"])
        #expect(server.exitStatus() == 69)
        let address = "\(ipv6 ? "[::]" : "0.0.0.0"):\(sockets[1].port)"
        #expect(
            server.logText.contains(
                "cannot use the socket 'admin' of the service manager at \(address): expected a loopback address"))
        #expect(!server.logText.contains(" ready: "))
    }

    @Test("connections that wait while the server starts again are served, because the socket stays open")
    func socketOutlivesServer() throws {
        let folder = try RunningServer.layOut()
        let socket = try BoundSocket()
        let first = try ServiceProcess(folder, sockets: [socket.descriptor])
        _ = try first.port()
        first.signal(SIGTERM)
        #expect(first.exitStatus() == 0)
        let client = try RawSocket(port: socket.port)
        // HTTP in clear is answered as soon as somebody is there.
        client.send("GET / HTTP/1.1\r\n\r\n")
        let second = try ServiceProcess(folder, sockets: [socket.descriptor])
        #expect(String(decoding: client.receiveAll().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
        #expect(try second.curl(port: second.port()).status == 0)
    }

    @Test("what cannot be listened to is one line and exit 69")
    func unusableSockets() throws {
        let folder = try RunningServer.layOut()
        let good = try BoundSocket()
        let silent = try BoundSocket(isListening: false)
        let path = try unixSocket("\(folder.path)/x.sock")
        defer { close(path) }
        let cases: [([Int32], [String: String], String)] = [
            (
                [good.descriptor, silent.descriptor], [:],
                "cannot use descriptor 4 of the service manager: it does not listen; "
            ),
            (
                [path], ["LISTEN_FDNAMES": "https"],
                "cannot use descriptor 3 ('https') of the service manager: it is a Unix socket, and HTTPS needs TCP; "
            ),
            (
                [path], [:],
                "cannot use descriptor 3 of the service manager: it is a Unix socket, and HTTPS needs TCP; expected "
            ),
            ([good.descriptor], ["LISTEN_FDS": "many"], "LISTEN_FDS is 'many'; expected the number of sockets"),
            (
                [good.descriptor, good.descriptor], ["LISTEN_FDNAMES": "admin:admin"],
                "the service manager has two sockets named 'admin'; expected one"
            ),
        ]
        for (sockets, variables, expected) in cases {
            let server = try ServiceProcess(folder, sockets: sockets, variables: variables)
            #expect(server.exitStatus() == 69)
            #expect(server.logText.hasPrefix("error: \(expected)"))
            #expect(server.logText.split(separator: "\n").count == 1, "\(server.logText)")
        }
        withExtendedLifetime((good, silent)) {}
    }

    @Test("it tells that it is ready, reloads, is ready again, and stops", arguments: [true, false])
    func telling(isAbstract: Bool) throws {
        let folder = try RunningServer.layOut()
        let receiver = try DatagramReceiver(isAbstract ? abstractName() : "\(folder.path)/notify")
        let server = try ServiceProcess(folder, variables: ["NOTIFY_SOCKET": receiver.name])
        #expect(receiver.next() == "STATUS=reading sites and certificates")
        #expect(receiver.next() == "READY=1\nSTATUS=1 site, 1 certificate")
        // Ready is told when it is so.
        let port = try server.port()
        #expect(try server.curl(port: port).status == 0)
        let before = microseconds()
        server.signal(SIGHUP)
        let lines = try #require(receiver.next()).split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        #expect(lines.last == "STATUS=reloading")
        let time = try #require(lines.dropFirst().first.flatMap { Int64($0.drop { $0 != "=" }.dropFirst()) })
        #expect(lines.dropFirst().first?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(before <= time && time <= microseconds())
        #expect(receiver.next() == "READY=1\nSTATUS=1 site, 1 certificate")
        server.signal(SIGTERM)
        #expect(receiver.next() == "STOPPING=1\nSTATUS=finishing the requests in progress")
        #expect(server.exitStatus() == 0)
        #expect(receiver.next(withinMilliseconds: 0) == nil)
    }

    @Test("the status tells of sites that are kept, without being asked, and of a configuration that is refused")
    func status() throws {
        let folder = try RunningServer.layOut()
        let receiver = try DatagramReceiver(abstractName())
        let server = try ServiceProcess(folder, variables: ["NOTIFY_SOCKET": receiver.name])
        #expect(receiver.next() == "STATUS=reading sites and certificates")
        #expect(receiver.next() == "READY=1\nSTATUS=1 site, 1 certificate")
        try folder.write("{", to: "sites/localhost/apple-app-site-association")
        let kept = "1 site (1 at its last good version), 1 certificate"
        #expect(receiver.next() == "STATUS=\(kept)")
        let configuration = folder.url.appendingPathComponent("server.json")
        let good = try Data(contentsOf: configuration)
        try Data("{".utf8).write(to: configuration)
        server.signal(SIGHUP)
        #expect(receiver.next()?.hasPrefix("RELOADING=1\n") == true)
        let refused = "the configuration was not reloaded, the log says why"
        #expect(receiver.next() == "READY=1\nSTATUS=\(kept); \(refused)")
        // It is so until it is read again.
        try folder.write(RunningServer.document + " ", to: "sites/localhost/apple-app-site-association")
        #expect(receiver.next() == "STATUS=1 site, 1 certificate; \(refused)")
        try good.write(to: configuration)
        server.signal(SIGHUP)
        #expect(receiver.next()?.hasPrefix("RELOADING=1\n") == true)
        #expect(receiver.next() == "READY=1\nSTATUS=1 site, 1 certificate")
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    private func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    @Test("a server that cannot start is never ready")
    func neverReady() throws {
        let receiver = try DatagramReceiver(abstractName())
        let taken = try BoundSocket()
        let server = try ServiceProcess(
            RunningServer.layOut(), variables: ["NOTIFY_SOCKET": receiver.name],
            configuration: #"{"listen": ["127.0.0.1:\#(taken.port)"]}"#)
        #expect(server.exitStatus() == 69)
        withExtendedLifetime(taken) {}
        #expect(receiver.next(withinMilliseconds: 0) == "STATUS=reading sites and certificates")
        #expect(receiver.next(withinMilliseconds: 0) == nil)
    }

    @Test("the watchdog is notified if there is one")
    func watchdog() throws {
        let receiver = try DatagramReceiver(abstractName())
        let server = try ServiceProcess(
            RunningServer.layOut(),
            variables: ["NOTIFY_SOCKET": receiver.name, "WATCHDOG_USEC": "200000", "WATCHDOG_PID": "$$"])
        for _ in 0..<3 { #expect(receiver.next(with: "WATCHDOG=1") != nil) }
        #expect(try server.curl(port: server.port()).status == 0)
    }
}

extension ExternalProgram {
    fileprivate static let socketActivate = ExternalProgram("systemd-socket-activate", package: "systemd")
}

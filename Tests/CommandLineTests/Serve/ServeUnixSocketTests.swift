import Foundation
import TestSupport
import Testing

/// Listening on Unix sockets (deploy.md, A2), and without HTTPS.
@Suite("aasa serve: Unix sockets", .waiting)
struct ServeUnixSocketTests {
    private let folder: TemporaryFolder
    /// The path of the socket.
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(RunningServer.document, to: "sites/localhost/apple-app-site-association")
        path = "\(folder.path)/http.sock"
    }

    private func serve(_ listen: String, admin: String = "none", arguments: [String] = []) throws -> ServiceProcess {
        try ServiceProcess(
            folder, configuration: #"{"listen": [\#(listen)], "admin": "\#(admin)"}"#, arguments: arguments)
    }

    /// The socket as an entry of `listen`.
    private var entry: String { "\"unix:\(path)\"" }

    private func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Whether somebody serves the site there.
    private func answers(_ path: String) throws -> Bool {
        let client = try RawSocket(path: path)
        client.send("GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        guard case .bytes(let bytes) = client.receive() else { return false }
        return String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 ")
    }

    @Test("the socket is there when the server is ready, with its mode, and goes when the server stops")
    func lifeCycle() throws {
        let server = try serve(entry)
        #expect(server.waitForLog("ready: 1 site on unix:\(path)"))
        #expect(status(path)?.st_mode == S_IFSOCK | 0o660)
        #expect(try answers(path))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(status(path) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["server.json", "sites"])
    }

    @Test("a socket that a killed server has left is replaced, with one line in the log")
    func stale() throws {
        let first = try serve(entry, admin: "unix:\(folder.path)/admin.sock")
        #expect(first.waitForLog("ready: "))
        first.signal(SIGKILL)
        #expect(first.exitStatus() == -SIGKILL)
        #expect(status(path) != nil)
        let second = try serve(entry, admin: "unix:\(folder.path)/admin.sock")
        #expect(second.waitForLog("ready: "))
        #expect(try answers(path))
        for name in ["http.sock", "admin.sock"] {
            let line = " info: unix:\(folder.path)/\(name): replaced a stale socket, on which nothing listened\n"
            #expect(second.logText.components(separatedBy: line).count == 2)
        }
    }

    @Test("a socket that another server listens on stays its own")
    func live() throws {
        let first = try serve(entry)
        #expect(first.waitForLog("ready: "))
        let inode = status(path)?.st_ino
        let second = try serve(entry)
        #expect(second.exitStatus() == 69)
        #expect(second.logText.contains("error: cannot listen on unix:\(path): the socket is in use\n"))
        #expect(second.logText.contains("= help: another process uses it: stop that process, or choose a path with"))
        #expect(status(path)?.st_ino == inode)
        #expect(try answers(path))
        first.signal(SIGTERM)
        #expect(first.exitStatus() == 0)
    }

    @Test("an object says who may connect")
    func access() throws {
        let server = try serve(#"{"address": "unix:\#(path)", "mode": "0606", "group": "\#(getgid())"}"#)
        #expect(server.waitForLog("ready: "))
        #expect(status(path)?.st_mode == S_IFSOCK | 0o606)
        #expect(status(path)?.st_gid == getgid())
    }

    @Test("without its folder there is advice")
    func missingFolder() throws {
        for (listen, admin) in [
            ("\"unix:\(folder.path)/no/x.sock\"", "none"), (#""127.0.0.1:0""#, "unix:\(folder.path)/no/x.sock"),
        ] {
            try TestCertificate.make(["DNS:localhost"], in: folder.url.appendingPathComponent("certs/one"))
            let server = try serve(listen, admin: admin)
            #expect(server.exitStatus() == 69)
            let reason = "the folder '\(folder.path)/no' does not exist"
            #expect(server.logText.contains("error: cannot listen on unix:\(folder.path)/no/x.sock: \(reason)\n"))
            #expect(server.logText.contains("'RuntimeDirectory=aasa' in the unit creates /run/aasa"))
        }
    }

    @Test("a server that cannot start after all leaves no socket", arguments: [true, false])
    func failedStart(isAdmin: Bool) throws {
        let taken = try BoundSocket()
        let other = "127.0.0.1:\(taken.port)"
        let server = try serve(
            isAdmin ? entry : "\(entry), \"http://\(other)\"", admin: isAdmin ? other : "unix:\(folder.path)/a.sock")
        #expect(server.exitStatus() == 69)
        let shown = isAdmin ? other : "http://\(other)"
        #expect(server.logText.contains("error: cannot listen on \(shown): address already in use\n"))
        #expect(status(path) == nil)
        #expect(status("\(folder.path)/a.sock") == nil)
        withExtendedLifetime(taken) {}
    }

    @Test("while a server still answers what has begun, its path is free already")
    func drain() throws {
        let server = try serve(entry)
        #expect(server.waitForLog("ready: "))
        let client = try RawSocket(path: path)
        // A connection that has begun to say something.
        client.send([22])
        #expect(try answers(path))
        server.signal(SIGTERM)
        #expect(server.waitForLog("SIGTERM: stopping"))
        #expect(Waiting.until { status(path) == nil })
        let next = try serve(entry)
        #expect(next.waitForLog("ready: "))
        #expect(server.exitStatus() == 0)
        #expect(try answers(path))
        withExtendedLifetime(client) {}
    }

    @Test("the admin listener on a Unix socket is for its user only, and answers")
    func admin() throws {
        let admin = "\(folder.path)/admin.sock"
        let server = try serve(entry, admin: "unix:\(admin)")
        #expect(server.waitForLog("ready: "))
        #expect(server.logText.contains(" info: admin: unix:\(admin)\n"))
        #expect(status(admin)?.st_mode == S_IFSOCK | 0o600)
        func get(_ target: String) throws -> String {
            try Shell.run(["curl", "-sS", "--max-time", "10", "--unix-socket", admin, "http://localhost\(target)"]).text
        }
        #expect(try get("/healthz") == "ok\n")
        #expect(try get("/readyz") == "ready\n")
        #expect(try get("/sites?state=published").contains(#""domain":"localhost""#))
        #expect(try get("/metrics").contains("\naasa_site_state{site=\"localhost\",state=\"published\"} 1\n"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(status(admin) == nil)
    }

    @Test("several listeners of all kinds are named in the order of the configuration")
    func named() throws {
        try TestCertificate.make(["DNS:localhost"], in: folder.url.appendingPathComponent("certs/one"))
        let server = try serve(#""http://127.0.0.1:0", \#(entry), "127.0.0.1:0""#, admin: "127.0.0.1:0")
        #expect(server.waitForLog("ready: "))
        let line = #/ready: 1 site, 1 certificate on http://127\.0\.0\.1:\d+, unix:(\S+), https://127\.0\.0\.1:\d+\n/#
        #expect(server.logText.firstMatch(of: line)?.1 == Substring(path))
        #expect(server.logText.firstMatch(of: #/info: admin: http://127\.0\.0\.1:\d+\n/#) != nil)
        #expect(try server.port() > 0)
    }
}

/// A server without HTTPS needs no certificates (deploy.md, A1).
@Suite("aasa serve: without HTTPS", .waiting)
struct ServePlainTests {
    /// - Parameter certificates: what is in the folder for them; nil if there is none.
    private func layOut(certificates: [String: String]? = nil) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#,
            to: "sites/localhost/apple-app-site-association")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.git", withIntermediateDirectories: true)
        guard let certificates else { return folder }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/certs", withIntermediateDirectories: true)
        for (name, text) in certificates { try folder.write(text, to: "certs/\(name)") }
        return folder
    }

    @Test(
        "no certificate is asked for, and nothing is said about one",
        arguments: [nil, [:], ["one/fullchain.pem": "x", "one/privkey.pem": "y"]] as [[String: String]?])
    func started(certificates: [String: String]?) throws {
        let folder = try layOut(certificates: certificates)
        let server = try ServiceProcess(
            folder,
            configuration:
                #"{"listen": ["http://127.0.0.1:0"], "defaultSite": "localhost", "admin": "unix:\#(folder.path)/a.sock"}"#,
            arguments: ["--strict-sites"])
        #expect(server.waitForLog("ready: 1 site on http://127.0.0.1:"))
        func get(_ target: String) throws -> String {
            try Shell.run([
                "curl", "-sS", "--max-time", "20", "--unix-socket", "\(folder.path)/a.sock",
                "http://localhost\(target)",
            ]).text
        }
        let sites = try get("/sites")
        #expect(sites.contains(#""state":"published""#) && sites.contains(#""certificate":null"#))
        #expect(sites.contains(#""certificateProblems":[]"#))
        #expect(try get("/metrics").contains("aasa_site_state{site=\"localhost\",state=\"no-certificate\"} 0\n"))
        server.signal(SIGHUP)
        #expect(server.waitForLog("reloaded: nothing has changed; now 1 site"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(!server.logText.contains("certificate"), "\(server.logText)")
    }

    @Test("--check finds nothing missing, in every format")
    func checked() throws {
        let folder = try layOut()
        func check(_ arguments: [String]) throws -> Shell.Outcome {
            try Shell.run(
                [
                    RunningServer.executable, "serve", "--sites", "sites", "--certs", "certs", "--check",
                ] + arguments, in: folder.url)
        }
        let plain = ["--listen", "unix:/run/aasa/http.sock"]
        let text = try check(plain + ["--strict"])
        #expect(text.status == 0 && text.text == "1 site: 1 fine\n" && text.errors.isEmpty, "\(text)")
        #expect(try check(plain + ["--format", "nagios"]).text.hasPrefix("AASA OK - 1 site: 1 fine | sites=1"))
        try folder.write("", to: "sites/a.example/apple-app-site-association")
        let json = try check(plain + ["--format", "json"])
        #expect(json.status == 1)
        let none = #""certificate":{"daysLeft":null,"folder":null,"help":null,"message":"no certificate is needed","#
        #expect(json.text.contains(none), "\(json.text)")
        #expect(json.text.contains(#""notAfter":null,"severity":"ok","state":"not-needed"}"#), "\(json.text)")
        let table = try check(plain).text
        #expect(table.hasPrefix("x a.example: answers 503: the file has no JSON value [refused]"), "\(table)")
        let plugin = try check(plain + ["--format", "nagios"])
        #expect(plugin.status == 2 && plugin.text.contains("a.example: answers 503: "), "\(plugin)")
        // One listener for HTTPS, and they are needed.
        #expect(try check(plain + ["--listen", "127.0.0.1:0"]).status == 66)
    }

    @Test("what is believed of proxies takes effect with SIGHUP, and listeners with a restart")
    func reloaded() throws {
        let folder = try layOut()
        let listen = #""listen": ["http://127.0.0.1:0"]"#
        let server = try ServiceProcess(folder, configuration: "{\(listen)}")
        #expect(server.waitForLog("ready: "))
        try folder.write(
            """
            {\(listen), "trustedProxies": ["0.0.0.0/0"], "forwardedHeader": "forwarded", "plainRedirect": false,
             "timeouts": {"proxyHeader": 4}}
            """, to: "server.json")
        server.signal(SIGHUP)
        let keys = "trustedProxies, forwardedHeader, plainRedirect"
        #expect(server.waitForLog("reloaded: 3 settings changed (\(keys)); now 1 site"))
        let restart = "'timeouts.proxyHeader' of the configuration changed, which takes effect after a restart"
        #expect(server.logText.contains(" warning: \(restart)\n"))
        #expect(
            server.logText.contains(
                " warning: \(folder.path)/server.json:1:55: '0.0.0.0/0' in 'trustedProxies' trusts "))
        try folder.write(
            #"{"listen": [{"address": "http://127.0.0.1:0", "health": true}, "127.0.0.1:0"], "trustedProxies": ["10.0.0.1/8"]}"#,
            to: "server.json")
        server.signal(SIGHUP)
        #expect(server.waitForLog("not reloaded: the configuration cannot be used"))
        #expect(
            server.logText.contains("the network is 10.0.0.0/8 [invalid-config-value]; help: write \"10.0.0.0/8\"\n"))
        try folder.write(
            #"{"listen": [{"address": "http://127.0.0.1:0", "health": true}, "127.0.0.1:0"]}"#, to: "server.json")
        server.signal(SIGHUP)
        #expect(server.waitForLog("'listen' of the configuration changed, which takes effect after a restart"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    @Test("server.json that cannot be used is exit 65, a flag that cannot is 64")
    func refused() throws {
        let folder = try layOut()
        let bad = try ServiceProcess(
            folder,
            configuration:
                #"{"listen": [{"address": "unix:x", "mode": "9"}, {"address": "443", "proxyProtocol": true}]}"#)
        #expect(bad.exitStatus() == 65)
        for message in [
            "server.json:1:25: error: 'listen.address' is 'unix:x'; the path of a Unix socket must be absolute",
            "server.json:1:43: error: 'listen.mode' is '9'; expected three or four octal digits",
            "server.json:1:85: error: 'listen.proxyProtocol' is true, but 'trustedProxies' is empty",
        ] {
            #expect(bad.logText.contains(message), "\(bad.logText)")
        }
        for listen in ["unix:x", "http://127.0.0.1:1/x", "https://127.0.0.1:1", "unix:"] {
            let flag = try Shell.run([RunningServer.executable, "serve", "--listen", listen])
            #expect(flag.status == 64)
            #expect(flag.errors.hasPrefix("error: '--listen \(listen)' cannot be used; "), "\(flag.errors)")
        }
    }
}

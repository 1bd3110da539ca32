import AssociationServer
import Diagnostics
import DomainNames
import EventLoops
import Testing

/// `listen`, `admin`, and what is believed of proxies (deploy.md, A1).
@Suite("server.json: listeners and proxies")
struct ListenerConfigurationTests {
    private func read(_ text: String) throws(ServerError) -> ServerConfiguration {
        try ConfigurationReader.read(Array(text.utf8), path: "Config/server.json")
    }

    private func findings(_ text: String) -> [LocatedDiagnostic] {
        var warnings: [LocatedDiagnostic] = []
        do throws(ServerError) {
            _ = try ConfigurationReader.read(Array(text.utf8), path: "Config/server.json") { warnings.append($0) }
            return warnings
        } catch {
            return error.findings
        }
    }

    @Test(
        "an address is for HTTPS, or with 'http://' or 'unix:' for plain HTTP",
        arguments: [
            ("443", .https(proxyProtocol: false), ["0.0.0.0:443", "[::]:443"]),
            ("[::1]:8443", .https(proxyProtocol: false), ["[::1]:8443"]),
            ("http://127.0.0.1:8080", .plain(proxyProtocol: false, health: false), ["127.0.0.1:8080"]),
            ("http://[2001:db8::1]:80", .plain(proxyProtocol: false, health: false), ["[2001:db8::1]:80"]),
            ("http://8080", .plain(proxyProtocol: false, health: false), ["0.0.0.0:8080", "[::]:8080"]),
            ("http://:8080", .plain(proxyProtocol: false, health: false), ["0.0.0.0:8080", "[::]:8080"]),
            ("http://*:8080", .plain(proxyProtocol: false, health: false), ["0.0.0.0:8080", "[::]:8080"]),
            ("http://localhost:0", .plain(proxyProtocol: false, health: false), ["127.0.0.1:0", "[::1]:0"]),
            ("unix:/run/aasa/http.sock", .plain(proxyProtocol: false, health: false), ["unix:/run/aasa/http.sock"]),
            ("unix:///run//./x", .plain(proxyProtocol: false, health: false), ["unix:/run/x"]),
        ] as [(String, ListenerKind, [String])])
    func forms(text: String, kind: ListenerKind, addresses: [String]) throws {
        for json in [#"["\#(text)"]"#, #"[{"address": "\#(text)"}]"#] {
            let listener = try #require(try read("{\"listen\": \(json)}").listen?.first)
            #expect(listener == ListenerConfiguration(text))
            #expect(listener.kind == kind && listener.problem == nil)
            #expect(listener.endpoint?.addresses.map(\.description) == addresses)
        }
    }

    @Test("an object says more about a listener")
    func objects() throws {
        let listeners = try #require(
            try read(
                """
                {"listen": [{"address": "unix:/run/x", "mode": "640", "owner": 33, "group": "www-data",
                             "proxyProtocol": true, "health": true},
                            {"address": "http://127.0.0.1:1", "health": true, "proxyProtocol": true},
                            {"address": "127.0.0.1:2", "proxyProtocol": true},
                            {"address": "127.0.0.1:3", "proxyProtocol": false}],
                 "trustedProxies": ["loopback"]}
                """
            ).listen)
        #expect(
            listeners == [
                ListenerConfiguration(
                    "unix:/run/x", proxyProtocol: true, health: true, mode: 0o640, owner: "33", group: "www-data"),
                ListenerConfiguration("http://127.0.0.1:1", proxyProtocol: true, health: true),
                ListenerConfiguration("127.0.0.1:2", proxyProtocol: true), "127.0.0.1:3",
            ])
        #expect(
            listeners.map(\.kind) == [
                .plain(proxyProtocol: true, health: true), .plain(proxyProtocol: true, health: true),
                .https(proxyProtocol: true), .https(proxyProtocol: false),
            ])
        #expect(listeners[0].access == UnixSocketAccess(mode: 0o640, owner: "33", group: "www-data"))
        #expect(try read(#"{"listen": ["unix:/x"]}"#).listen?.first?.access == UnixSocketAccess(mode: 0o660))
    }

    private static let long = "unix:/" + String(repeating: "a", count: 107)

    @Test(
        "what is wrong is reported in one line, with its place and what was expected",
        arguments: [
            (
                #"{"listen": ["http://127.0.0.1:1/x"]}"#,
                "1:13: error: 'listen' has 'http://127.0.0.1:1/x'; expected an address and a port after 'http://', without a path, like"
            ),
            (#"{"listen": ["http://127.0.0.1:1/"]}"#, "without a path"),
            (#"{"listen": ["http://127.0.0.1:1?x"]}"#, "without a query"),
            (#"{"listen": ["http://127.0.0.1:1#x"]}"#, "without a fragment"),
            (#"{"listen": ["http://me:pw@127.0.0.1:1"]}"#, "without a user"),
            (#"{"listen": ["http://127.0.0.1"]}"#, "expected an address and a port after 'http://', like"),
            (#"{"listen": ["http://example.com:80"]}"#, "expected an address and a port after 'http://', like"),
            (#"{"listen": ["http://"]}"#, "expected an address and a port after 'http://', like"),
            (#"{"listen": ["https://127.0.0.1:1"]}"#, "expected an address without 'https://', like '127.0.0.1:8443'"),
            (
                #"{"listen": ["HTTP://127.0.0.1:1"]}"#,
                "for plain HTTP one of these after 'http://', or 'unix:/absolute/path'"
            ),
            (#"{"listen": ["unix:"]}"#, "'listen' has 'unix:'; expected an absolute path after 'unix:', like"),
            (#"{"listen": ["unix:run/x"]}"#, "the path of a Unix socket must be absolute, like"),
            (#"{"listen": ["unix:@aasa"]}"#, "sockets without a path are not supported"),
            (#"{"listen": ["unix:/run/"]}"#, "expected the path of a socket, not of a folder"),
            (#"{"listen": ["unix:/run\u0000/x"]}"#, "a path cannot contain NUL"),
            ("{\"listen\": [\"\(long)\"]}", "the path has 108 bytes; the path of a Unix socket can have at most 107"),
            (#"{"listen": ["/run/x"]}"#, "or 'unix:/absolute/path' [invalid-config-value]"),
            (
                #"{"listen": [1]}"#,
                "'listen' has a number; expected a string like \"0.0.0.0:443\", or an object with an"
            ),
            (#"{"listen": {"address": "443"}}"#, "'listen' is an object; expected an array like"),
            (#"{"listen": [{}]}"#, "'listen' has an object without \"address\"; expected one like {\"address\":"),
            (#"{"listen": [{"address": 443}]}"#, "1:25: error: 'listen.address' is a number; expected a string"),
            (#"{"listen": [{"address": "unix:x"}]}"#, "1:25: error: 'listen.address' is 'unix:x'; the path of a"),
            (
                #"{"listen": [{"address": "443", "helth": true}]}"#,
                "1:32: error: unknown key 'helth' in 'listen'; did you mean 'health'? [unknown-config-key]"
            ),
            (
                #"{"listen": [{"address": "443", "health": true}]}"#,
                "1:42: error: 'listen.health' is for plain HTTP, 'http://…' and 'unix:…', only; '443' is HTTPS"
            ),
            (#"{"listen": [{"address": "443", "health": false}]}"#, "'listen.health' is for plain HTTP"),
            (
                #"{"listen": [{"address": "443", "mode": "0660"}]}"#,
                "'listen.mode' is only for Unix sockets; '443' is TCP"
            ),
            (
                #"{"listen": [{"address": "http://1", "owner": "x"}]}"#,
                "'listen.owner' is only for Unix sockets; 'http://1' is TCP"
            ),
            (#"{"listen": [{"address": "443", "group": 0}]}"#, "'listen.group' is only for Unix sockets"),
            (#"{"listen": [{"address": "unix:/x", "health": 1}]}"#, "'listen.health' is a number; expected true or"),
            (#"{"listen": [{"address": "unix:/x", "proxyProtocol": "v2"}]}"#, "'listen.proxyProtocol' is a string; "),
            (#"{"listen": [{"address": "unix:/x", "mode": 660}]}"#, "'listen.mode' is a number; expected a string of"),
            (#"{"listen": [{"address": "unix:/x", "mode": "66"}]}"#, "'listen.mode' is '66'; expected three or four"),
            (#"{"listen": [{"address": "unix:/x", "mode": "00660"}]}"#, "expected three or four octal digits"),
            (#"{"listen": [{"address": "unix:/x", "mode": "0680"}]}"#, "expected three or four octal digits"),
            (#"{"listen": [{"address": "unix:/x", "mode": "+660"}]}"#, "expected three or four octal digits"),
            (#"{"listen": [{"address": "unix:/x", "mode": "4660"}]}"#, "without set-id and sticky bits"),
            (#"{"listen": [{"address": "unix:/x", "mode": "1777"}]}"#, "without set-id and sticky bits"),
            (
                #"{"listen": [{"address": "unix:/x", "owner": ""}]}"#,
                "'listen.owner' is ''; expected the name or the number of a user"
            ),
            (#"{"listen": [{"address": "unix:/x", "owner": "a:b"}]}"#, "expected the name or the number of a user"),
            (
                #"{"listen": [{"address": "unix:/x", "group": -1}]}"#,
                "'listen.group' is a number; expected the name or the number of a group"
            ),
            (#"{"listen": [{"address": "unix:/x", "group": 1.5}]}"#, "expected the name or the number of a group"),
            (
                #"{"listen": [{"address": "unix:/x", "group": "4294967295"}]}"#,
                "expected the name or the number of a group"
            ),
            (
                #"{"listen": [{"address": "443", "proxyProtocol": true}]}"#,
                "1:49: error: 'listen.proxyProtocol' is true, but 'trustedProxies' is empty: nobody can connect to '443'"
            ),
            (
                #"{"trustedProxies": [], "listen": [{"address": "http://1", "proxyProtocol": true}]}"#,
                "'trustedProxies' is empty: nobody can connect to 'http://1'"
            ),
            (
                #"{"listen": ["127.0.0.1:1", "http://127.0.0.1:1"]}"#,
                "1:28: error: 'listen' has 'http://127.0.0.1:1' and '127.0.0.1:1', which is the same address; expected each address once"
            ),
            (#"{"listen": ["http://1", "1"]}"#, "'listen' has '1' and 'http://1', which is the same address"),
            (#"{"listen": ["unix:/x", "unix:/x"]}"#, "'listen' has 'unix:/x' twice; expected each address once"),
            (#"{"listen": ["unix:/a/x", {"address": "unix:/a//x"}]}"#, "'unix:/a/x', which is the same address"),
            (
                #"{"listen": ["unix:/x"], "admin": "unix:/x"}"#,
                "1:34: error: 'admin' is 'unix:/x', and 'listen' has 'unix:/x'; expected each address once"
            ),
            (#"{"admin": "127.0.0.1:1", "listen": ["localhost:1"]}"#, "and 'listen' has 'localhost:1'; expected each"),
            (#"{"admin": "unix:x"}"#, "1:11: error: 'admin' is 'unix:x'; the path of a Unix socket must be absolute"),
            (#"{"admin": "unix:"}"#, "expected an absolute path after 'unix:'"),
            (#"{"admin": "/run/x"}"#, "or a Unix socket, like \"unix:/run/aasa/admin.sock\""),
            (
                #"{"trustedProxies": ["10.0.0.1/8"]}"#,
                "1:21: error: 'trustedProxies' has '10.0.0.1/8'; bits after the prefix are set; the network is 10.0.0.0/8"
            ),
            (#"{"trustedProxies": ["2001:db8::1/32"]}"#, "the network is 2001:db8::/32"),
            (#"{"trustedProxies": ["10.0.0.0/33"]}"#, "expected a prefix of at most 32 bits"),
            (#"{"trustedProxies": ["fe80::/129"]}"#, "expected a prefix of at most 128 bits"),
            (#"{"trustedProxies": ["10.0.0.0/"]}"#, "expected the number of bits of the prefix after the '/'"),
            (#"{"trustedProxies": ["10.0.0.0/255.0.0.0"]}"#, "expected the number of bits of the prefix after the '/'"),
            (
                #"{"trustedProxies": ["nginx"]}"#,
                "'trustedProxies' has 'nginx'; expected an address, a block like '10.0.0.0/8', \"loopback\" or \"private\""
            ),
            (#"{"trustedProxies": [""]}"#, "expected an address"),
            (#"{"trustedProxies": ["10.0.0"]}"#, "expected an address"),
            (#"{"trustedProxies": ["127.0.0.1:80"]}"#, "expected an address"),
            (#"{"trustedProxies": [7]}"#, "'trustedProxies' has a number; expected a string like \"10.0.0.0/8\""),
            (#"{"trustedProxies": "loopback"}"#, "'trustedProxies' is a string; expected an array like"),
            (
                #"{"forwardedHeader": "for"}"#,
                "'forwardedHeader' is 'for'; expected \"x-forwarded\", \"forwarded\" or \"none\""
            ),
            (#"{"forwardedHeader": null}"#, "'forwardedHeader' is null; expected a string"),
            (#"{"plainRedirect": "no"}"#, "'plainRedirect' is a string; expected true or false"),
            (#"{"timeouts": {"proxyHeader": 0}}"#, "'timeouts.proxyHeader' is 0; expected seconds, above 0"),
        ])
    func wrong(text: String, expected: String) {
        let found = findings(text).map(\.description)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("Config/server.json:1:") == true)
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test("all that is wrong with a listener is reported, and an address that cannot be read is judged no further")
    func all() {
        let found = findings(
            """
            {"listen": [{"address": "443", "health": true, "mode": "9", "group": "", "x": 1, "proxyProtocol": true},
                        {"address": "x", "health": true, "mode": "0600", "proxyProtocol": true}],
             "trustedProxies": ["x"]}
            """)
        #expect(
            found.compactMap(\.diagnostic.pointer) == [
                "/listen/0/health", "/listen/0/mode", "/listen/0/mode", "/listen/0/group", "/listen/0/group",
                "/listen/0/x", "/listen/1/address", "/trustedProxies/0",
            ])
    }

    @Test("on a Unix socket every proxy is trusted")
    func unixProxies() throws {
        let configuration = try read(#"{"listen": [{"address": "unix:/x", "proxyProtocol": true}]}"#)
        #expect(configuration.unreachableListener == nil)
        #expect(configuration.listen?.first?.kind == .plain(proxyProtocol: true, health: false))
    }

    @Test(
        "what was probably meant can be taken over",
        arguments: [
            (#"{"listen": ["http://127.0.0.1:1/x?y"]}"#, "\"http://127.0.0.1:1\""),
            (#"{"listen": ["http://me:pw@[::1]:1"]}"#, "\"http://[::1]:1\""),
            (#"{"listen": ["http://127.0.0.1"]}"#, "\"http://127.0.0.1:80\""),
            (#"{"listen": ["https://127.0.0.1:1/"]}"#, "\"127.0.0.1:1\""),
            (#"{"listen": ["https://127.0.0.1"]}"#, "\"127.0.0.1:443\""),
            (#"{"listen": ["HTTP://127.0.0.1:1"]}"#, "\"http://127.0.0.1:1\""),
            (#"{"listen": ["Unix:/run/x"]}"#, "\"unix:/run/x\""),
            (#"{"listen": ["/run/\"x\""]}"#, #""unix:/run/\"x\"""#),
            (#"{"listen": "unix:/x"}"#, "[\"unix:/x\"]"),
            (#"{"listen": {"address": "unix:/x"}}"#, "[{\"address\": \"unix:/x\"}]"),
            (#"{"listen": [{"adress": "unix:/x", "address": "unix:/x"}]}"#, nil),
            (#"{"listen": [{"address": "unix:/x", "mode": 660}]}"#, "\"0660\""),
            (#"{"listen": [{"address": "unix:/x", "mode": "4755"}]}"#, "\"0755\""),
            (#"{"listen": [{"address": "unix:/x", "mode": 6}]}"#, nil),
            (#"{"admin": "/run/x"}"#, "\"unix:/run/x\""), (#"{"admin": "run/x"}"#, nil),
            (#"{"trustedProxies": ["10.1.2.3/8"]}"#, "\"10.0.0.0/8\""),
            (#"{"trustedProxies": ["Private"]}"#, "\"private\""),
            (#"{"trustedProxies": ["localhost"]}"#, "\"loopback\""),
            (#"{"trustedProxies": ["[::1]:80"]}"#, "\"::1\""), (#"{"trustedProxies": "private"}"#, "[\"private\"]"),
            (#"{"trustedProxies": ["10.0.0.0/40"]}"#, nil),
            (#"{"forwardedHeader": "X-Forwarded-For"}"#, "\"x-forwarded\""),
            (#"{"forwardedHeader": "Forwarded"}"#, "\"forwarded\""),
        ] as [(String, String?)])
    func fixes(text: String, expected: String?) throws {
        let edit = findings(text).first?.diagnostic.fixIts.first?.edits.first
        #expect(edit?.replacement == expected)
        guard let edit else { return }
        var bytes = Array(text.utf8)
        bytes.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
        #expect(findings(String(decoding: bytes, as: UTF8.self)).isEmpty)
    }

    @Test("who is trusted is an address, a block, or a word for some")
    func trusted() throws {
        let proxies = try read(#"{"trustedProxies": ["loopback", "192.0.2.7", "2001:db8::/32"]}"#).trustedProxies
        for (text, expected) in [
            ("127.9.9.9", true), ("::1", true), ("192.0.2.7", true), ("192.0.2.8", false), ("2001:db8:1::1", true),
            ("10.0.0.1", false),
        ] {
            #expect(proxies.contains(try #require(IPAddress(text))) == expected, "\(text)")
        }
        let locals = try read(#"{"trustedProxies": ["private"]}"#).trustedProxies
        #expect(locals == CIDRSet(CIDRBlock.private))
        #expect(try read(#"{"trustedProxies": []}"#).trustedProxies.isEmpty)
    }

    @Test("whoever trusts everybody is warned", arguments: [("0.0.0.0/0", "IPv4"), ("::/0", "IPv6")])
    func everyone(block: String, family: String) throws {
        let text = #"{"trustedProxies": ["127.0.0.1", "\#(block)"]}"#
        let found = findings(text)
        #expect(
            found.map(\.description) == [
                "Config/server.json:1:34: warning: '\(block)' in 'trustedProxies' trusts every \(family) address: any client can claim to be another [trusts-everyone]"
            ])
        let address = try #require(IPAddress(family == "IPv4" ? "198.51.100.1" : "2001:db8::1"))
        #expect(try read(text).trustedProxies.contains(address))
    }

    @Test("certificates are needed as soon as one listener speaks TLS")
    func certificates() throws {
        #expect(ServerConfiguration().needsCertificates)
        for (listen, expected) in [
            (["unix:/x"], false), (["http://1", "unix:/x"], false), (["http://1", "2"], true), (["443"], true),
        ] {
            var configuration = ServerConfiguration()
            configuration.listen = listen.map { ListenerConfiguration($0) }
            #expect(configuration.needsCertificates == expected)
        }
    }

    @Test(
        "a program that asks for what cannot be gets the reason",
        arguments: [
            (ListenerConfiguration("unix:x"), "the path of a Unix socket must be absolute"),
            (ListenerConfiguration("example.com:1"), "expected a port, or an address and a port"),
            (ListenerConfiguration("443", health: true), "'health' is only for plain listeners"),
            (ListenerConfiguration("443", mode: 0o600), "'mode', 'owner' and 'group' are only for Unix sockets"),
            (ListenerConfiguration("http://1", group: "x"), "'mode', 'owner' and 'group' are only for Unix sockets"),
            (ListenerConfiguration("unix:/x", mode: 0o4660), "a mode has only permission bits"),
        ])
    func problems(listener: ListenerConfiguration, expected: String) {
        #expect(listener.problem?.hasPrefix(expected) == true, "\(listener.problem ?? "")")
    }
}

import AssociationServer
import Testing

@Suite("server.json")
struct ConfigurationTests {
    private func read(_ text: String) throws -> ServerConfiguration {
        try ConfigurationReader.read(Array(text.utf8), path: "Config/server.json")
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch {
            return (error as? ServerError)?.messages ?? []
        }
    }

    @Test("an empty object has all defaults")
    func defaults() throws {
        let configuration = try read("{}")
        #expect(configuration == ServerConfiguration())
        #expect(configuration.sites == "Config/sites")
        #expect(configuration.certs == "certs")
        #expect(configuration.limits.connections == 16_384)
        #expect(configuration.limits.perAddress == 1_024)
        #expect(configuration.timeouts.idle == 60)
        #expect(configuration.cacheMaxAge == 3_600)
    }

    @Test("every key is read")
    func everyKey() throws {
        let configuration = try read(
            """
            {"listen": ["127.0.0.1:8443", "[::1]:0"], "admin": "none", "sites": "/srv/sites", "certs": "c",
             "defaultSite": "localhost", "threads": 3, "cacheMaxAge": 60,
             "limits": {"connections": 1, "perAddress": 0, "requestsPerConnection": 2, "fileBytes": 3},
             "timeouts": {"handshake": 0.5, "header": 2, "idle": 3, "write": 4, "drain": 5},
             "strictSites": true, "log": {"access": "none", "format": "combined"}, "tls": {"minimumVersion": "1.3"},
             "gzip": false}
            """)
        var expected = ServerConfiguration()
        expected.listen = ["127.0.0.1:8443", "[::1]:0"]
        expected.sites = "/srv/sites"
        expected.certs = "Config/c"
        expected.defaultSite = "localhost"
        expected.threads = 3
        expected.cacheMaxAge = 60
        expected.limits.connections = 1
        expected.limits.perAddress = 0
        expected.limits.requestsPerConnection = 2
        expected.limits.fileBytes = 3
        expected.timeouts.handshake = 0.5
        expected.timeouts.header = 2
        expected.timeouts.idle = 3
        expected.timeouts.write = 4
        expected.timeouts.drain = 5
        expected.strictSites = true
        expected.minimumTLSVersion = .tls13
        #expect(configuration == expected)
    }

    @Test(
        "what is wrong is said in one line, with what was expected",
        arguments: [
            ("", "this is not valid JSON"), ("[]", "the file is an array; expected an object"),
            (#"{"lisen": []}"#, "unknown key 'lisen'; did you mean 'listen'? [unknown-config-key]"),
            (#"{"limits": {"perAdress": 1}}"#, "unknown key 'perAdress' in 'limits'; did you mean 'perAddress'?"),
            (#"{"zzzzzz": 1}"#, "unknown key 'zzzzzz'; known are listen, "),
            (#"{"listen": "0.0.0.0:1"}"#, "'listen' is a string; expected an array"),
            (#"{"listen": []}"#, "'listen' is empty; expected an array like"),
            (#"{"listen": [1]}"#, "'listen' is a number; expected a string"),
            (#"{"listen": ["zzz"]}"#, "'listen' has 'zzz'; expected an IP address and a port"),
            (#"{"listen": ["127.0.0.1\u0000x:1"]}"#, "expected an IP address and a port"),
            (#"{"threads": 0}"#, "'threads' is 0; expected a whole number from 1 to 1024"),
            (#"{"threads": 1.5}"#, "'threads' is 1.5; expected a whole number"),
            (#"{"threads": "2"}"#, "'threads' is a string; expected a whole number"),
            (#"{"cacheMaxAge": -1}"#, "'cacheMaxAge' is -1"),
            (#"{"timeouts": {"idle": 0}}"#, "'timeouts.idle' is 0; expected seconds, above 0"),
            (#"{"timeouts": []}"#, "'timeouts' is an array; expected an object"),
            (#"{"tls": {"minimumVersion": "1.1"}}"#, "'tls.minimumVersion' is '1.1'; expected \"1.2\" or \"1.3\""),
            (#"{"strictSites": 1}"#, "'strictSites' is a number; expected true or false"),
            (#"{"admin": "127.0.0.1:9"}"#, "'admin' can only be \"none\" in this version"),
            (#"{"log": {"access": "stdout"}}"#, "'log.access' can only be \"none\" in this version"),
            (#"{"gzip": true}"#, "'gzip' can only be false in this version"),
        ])
    func wrong(text: String, expected: String) {
        let found = problems(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Config/server.json: error: ") == true)
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test("all that is wrong is said, not the first thing only")
    func all() {
        #expect(problems(#"{"lisen": 1, "threads": 0, "limits": {"x": 1}, "tls": 3}"#).count == 4)
    }

    @Test(
        "relative paths start at the folder of the file",
        arguments: [
            ("Config", "sites", "Config/sites"), ("Config", "../certs", "certs"),
            ("/etc/aasa", "../certs", "/etc/aasa/../certs"),
            (".", "sites", "sites"), ("/", "sites", "/sites"), ("a/b", "/c", "/c"), ("..", "../c", "../../c"),
        ])
    func paths(folder: String, path: String, expected: String) {
        #expect(Path.join(folder, path) == expected)
    }

    @Test(
        "the folder of a file", arguments: [("a/b.json", "a"), ("b.json", "."), ("/b.json", "/"), ("/a/b/c", "/a/b")])
    func folders(path: String, expected: String) { #expect(Path.folder(of: path) == expected) }

    @Test(
        "close words are found",
        arguments: [("lisen", "listen"), ("Sites", "sites"), ("certificates", nil), ("x", nil), ("cets", "certs")]
            as [(String, String?)])
    func spelling(word: String, expected: String?) {
        #expect(Spelling.closest(to: word, among: ["listen", "sites", "certs"]) == expected)
    }
}

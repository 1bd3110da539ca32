import AssociationLint
import AssociationServer
import Diagnostics
import DomainNames
import FindingCatalogue
import Testing

@Suite("server.json")
struct ConfigurationTests {
    private func read(_ text: String) throws -> ServerConfiguration {
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

    private func problems(_ text: String) -> [String] { findings(text).map(\.description) }

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

    @Test(
        "each key is read, changes what it names only, and is reported when it has another type",
        arguments: ServerConfiguration.keys)
    func key(_ key: ConfigurationKey) throws {
        // Nothing else of `acme` is read without the consent.
        let consent = try #require(ServerConfiguration.keys.first { $0.path == "acme.agreeToTerms" })
        let needsConsent = key.path.hasPrefix("acme.") && key.path != consent.path
        let member = #"{"acme": {"agreeToTerms": true, "#
        let document = key.document()
        let text = needsConsent ? document.replacing(#"{"acme": {"#, with: member, maxReplacements: 1) : document
        var configuration = try read(text)
        #expect((configuration != ServerConfiguration()) == (key.path != "gzip"))
        #expect(
            ServerConfiguration.keys.filter { !$0.isSame(configuration, ServerConfiguration()) }.map(\.path)
                == (key.path == "gzip" ? [] : needsConsent ? [consent.path, key.path] : [key.path]))
        key.copy(&configuration, ServerConfiguration())
        if needsConsent { consent.copy(&configuration, ServerConfiguration()) }
        #expect(configuration == ServerConfiguration())
        #expect(
            problems(key.document("[[]]")).contains { $0.contains("'\(key.path)' ") },
            "\(problems(key.document("[[]]")))")
    }

    @Test("all keys are read together")
    func everyKey() throws {
        let configuration = try read(
            """
            {"listen": ["127.0.0.1:8443", "[::1]:0"], "admin": "127.0.0.1:9443", "sites": "/srv/sites", "certs": "c",
             "allowLinksOutside": true, "defaultSite": "localhost", "threads": 3, "cacheMaxAge": 60,
             "limits": {"connections": 1, "perAddress": 0, "requestsPerConnection": 2, "fileBytes": 3},
             "timeouts": {"handshake": 0.5, "header": 2, "idle": 3, "write": 4, "drain": 5, "proxyHeader": 6},
             "trustedProxies": ["private"], "forwardedHeader": "none", "plainRedirect": false,
             "strictSites": true, "log": {"access": "access.log", "format": "combined", "level": "error", "messages": "json"},
             "tls": {"minimumVersion": "1.3"}, "wellKnown": {"security.txt": "text/plain; charset=utf-8"},
             "metrics": {"sites": "problems"}, "gzip": false}
            """)
        var expected = ServerConfiguration()
        expected.listen = ["127.0.0.1:8443", "[::1]:0"]
        expected.admin = "127.0.0.1:9443"
        expected.sites = "/srv/sites"
        expected.certs = "Config/c"
        expected.allowLinksOutside = true
        expected.defaultSite = "localhost"
        expected.metricSites = .problems
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
        expected.timeouts.proxyHeader = 6
        expected.trustedProxies = CIDRSet(CIDRBlock.private)
        expected.forwardedHeader = .none
        expected.plainRedirect = false
        expected.strictSites = true
        expected.minimumTLSVersion = .tls13
        expected.log.access = .file("Config/access.log")
        expected.log.format = .combined
        expected.log.level = .error
        expected.log.messages = .json
        expected.wellKnown = [.init(name: "security.txt", contentType: "text/plain; charset=utf-8")]
        #expect(configuration == expected)
    }

    @Test("an address that two entries have in common is an error, however short they are written")
    func sameAddress() throws {
        #expect(try read(#"{"listen": ["443", "localhost:8443", ":8080"]}"#).listen?.count == 3)
        for (first, second) in [("443", ":443"), ("443", "[::]:443"), ("127.0.0.1:1", "localhost:1")] {
            let text = #"{"listen": ["\#(first)", "\#(second)"]}"#
            let expected = "'listen' has '\(second)' and '\(first)', which is the same address"
            #expect(throws: (any Error).self) { try read(text) }
            do { _ = try read(text) } catch { #expect("\(error)".contains(expected), "\(error)") }
        }
    }

    @Test("port 0 is another port each time, and there need be no default site")
    func repeatable() throws {
        let configuration = try read(#"{"listen": ["127.0.0.1:0", "127.0.0.1:0", "127.0.0.2:0"], "defaultSite": null}"#)
        #expect(configuration.listen?.count == 3)
        #expect(configuration.defaultSite == nil)
        #expect(try read(#"{"defaultSite": "WWW.example.com"}"#).defaultSite == "WWW.example.com")
    }

    @Test(
        "what is wrong is reported in one line, with what was expected",
        arguments: [
            ("", "the file has no JSON value [empty-file]"), ("[]", "the file is an array; expected an object"),
            (#"{"lisen": []}"#, "unknown key 'lisen'; did you mean 'listen'? [unknown-config-key]"),
            (#"{"limits": {"perAdress": 1}}"#, "unknown key 'perAdress' in 'limits'; did you mean 'perAddress'?"),
            (#"{"zzzzzz": 1}"#, "unknown key 'zzzzzz' [unknown-config-key]"),
            (#"{"listen": "0.0.0.0:1"}"#, "'listen' is a string; expected an array"),
            (#"{"listen": []}"#, "'listen' is empty; expected an array like"),
            (#"{"listen": [1]}"#, "'listen' has a number; expected a string"),
            (#"{"listen": ["zzz"]}"#, "'listen' has 'zzz'; expected a port, or an address and a port: '443', "),
            (#"{"listen": ["127.0.0.1\u0000x:1"]}"#, "expected a port, or an address and a port"),
            (
                #"{"listen": ["127.0.0.1:8443", "[::1]:8443", "127.0.0.1:8443"]}"#,
                "1:45: error: 'listen' has '127.0.0.1:8443' twice; expected each address once"
            ),
            (
                #"{"listen": ["[::1]:443", "[0:0::0:1]:443"]}"#,
                "'listen' has '[0:0::0:1]:443' and '[::1]:443', which is the same address; expected each address once"
            ),
            (#"{"defaultSite": ""}"#, "1:17: error: 'defaultSite' is ''; expected a host name, like \"example.com\""),
            (#"{"defaultSite": "*.example.com"}"#, "'defaultSite' is '*.example.com'; expected a host name"),
            (#"{"defaultSite": "_wildcard.example.com"}"#, "expected a host name"),
            (#"{"defaultSite": "example.com."}"#, "expected a host name"),
            (#"{"defaultSite": "example.com:443"}"#, "expected a host name"),
            (#"{"defaultSite": 1}"#, "'defaultSite' is a number; expected a string"),
            (#"{"threads": 0}"#, "'threads' is 0; expected a whole number from 1 to 1024"),
            (#"{"threads": 1.5}"#, "'threads' is 1.5; expected a whole number"),
            (#"{"threads": 1e400}"#, "'threads' is 1e400; expected a whole number"),
            (#"{"threads": "2"}"#, "'threads' is a string; expected a whole number"),
            (#"{"cacheMaxAge": -1}"#, "'cacheMaxAge' is -1"),
            (#"{"timeouts": {"idle": 0}}"#, "'timeouts.idle' is 0; expected seconds, above 0"),
            (#"{"timeouts": {"idle": 1e-400}}"#, "'timeouts.idle' is 1e-400; expected seconds, above 0"),
            (#"{"timeouts": {"idle": 1e400}}"#, "'timeouts.idle' is 1e400; expected seconds, above 0"),
            (#"{"sites": ""}"#, "'sites' is ''; expected the path of a folder"),
            (#"{"certs": "a\u0000"}"#, "'certs' is 'a\\u0000'; expected the path of a folder"),
            (#"{"threads": 1, "threads": 2}"#, "[duplicate-key]"),
            (#"{"threads": 1,}"#, "[trailing-comma]"), (#"{"threads": 01}"#, "[invalid-number]"),
            (#"{"timeouts": []}"#, "'timeouts' is an array; expected an object"),
            (#"{"tls": {"minimumVersion": "1.1"}}"#, "'tls.minimumVersion' is '1.1'; expected \"1.2\" or \"1.3\""),
            (#"{"strictSites": 1}"#, "'strictSites' is a number; expected true or false"),
            (#"{"gzip": true}"#, "'gzip' can only be false in this version"),
        ])
    func wrong(text: String, expected: String) {
        let found = problems(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Config/server.json:1:") == true)
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test(
        "the examples in the descriptions show what they say",
        arguments: AllRules.catalogue.rules.filter { $0.subject == .serverConfiguration }.map(\.code.rawValue))
    func examples(code: String) throws {
        let rule = try #require(AllRules.catalogue[code])
        let marked = MarkedText(rule.bad)
        let found = findings(String(decoding: marked.bytes, as: UTF8.self)).map(\.diagnostic)
        #expect(found.map { $0.code } == [rule.code])
        #expect(found.first?.range == marked.range)
        #expect(found.first?.severity == rule.severity)
        // What 'aasa explain' shows of it.
        #expect(found.first?.message == rule.finding?.message && found.first?.advice == rule.finding?.advice)
        #expect(findings(rule.good).isEmpty)
    }

    @Test("all that is wrong is reported, in the order of the file, each with its place")
    func all() {
        let text = """
            {
              "threads": 0,
              "lisen": [],
              // no comments in JSON
              "limits": {"x": 1, "perAddress": "many"},
              "tls": 3,
              "listen": ["127.0.0.1:1", "here"],
            }
            """
        let places = findings(text).map {
            "\($0.start?.line ?? 0):\($0.start?.column ?? 0) \($0.diagnostic.code.rawValue)"
        }
        #expect(
            places == [
                "2:14 invalid-config-value", "3:3 unknown-config-key", "4:3 json-comment", "5:14 unknown-config-key",
                "5:36 invalid-config-value", "6:10 invalid-config-value", "7:29 invalid-config-value",
                "7:36 trailing-comma",
            ])
        let pointers = findings(text).compactMap(\.diagnostic.pointer)
        #expect(pointers == ["/threads", "/lisen", "/limits/x", "/limits/perAddress", "/tls", "/listen/1"])
    }

    @Test("where the syntax leaves a doubt, only the syntax is spoken of")
    func doubtfulSyntax() {
        let codes = findings(#"{"lisen": 1 "a" "threads": 0"#).map(\.diagnostic.code.rawValue)
        #expect(codes.contains("unclosed-bracket"))
        #expect(!codes.contains("unknown-config-key"))
    }

    @Test("a finding is shown with its line, and what to write")
    func block() {
        let finding = findings("{\n  \"lisen\": [\"127.0.0.1:1\"]\n}").first
        #expect(
            finding?.block == [
                "Config/server.json:2:3: error: unknown key 'lisen'; did you mean 'listen'? [unknown-config-key]",
                "   |", #" 2 |   "lisen": ["127.0.0.1:1"]"#, "   |   ^^^^^^^", "   |", #"   = help: write "listen""#,
            ])
        #expect(finding?.diagnostic.range == SourceRange(start: 4, end: 11))
        #expect(
            finding?.diagnostic.fixIts == [
                FixIt(
                    title: "write \"listen\"", applicability: .suggested,
                    edits: [TextEdit(range: SourceRange(start: 4, end: 11), replacement: "\"listen\"")])
            ])
    }

    @Test("a suggestion would not write a key twice")
    func noSecondKey() {
        let finding = findings(#"{"lisen": [], "listen": ["127.0.0.1:1"]}"#).first
        #expect(finding?.message == "unknown key 'lisen'; did you mean 'listen'?")
        #expect(finding?.diagnostic.fixIts == [])
    }

    @Test("a byte order mark is tolerated and told of")
    func byteOrderMark() throws {
        var told: [LocatedDiagnostic] = []
        let configuration = try ConfigurationReader.read(
            Array("\u{FEFF}{\"threads\": 3}".utf8), path: "server.json"
        ) { told.append($0) }
        #expect(configuration.threads == 3)
        #expect(told.map { $0.diagnostic.code.rawValue } == ["byte-order-mark"])
        #expect(told.first?.severity == .warning)
    }

    @Test(
        "a whole number may be written in every way that JSON has",
        arguments: [
            ("3", 3), ("3.0", 3), ("3e0", 3), ("0.3e1", 3), ("30e-1", 3), ("0.0003E+4", 3), ("1e3", 1_000), ("0", nil),
            ("-0", nil), ("0e99999999999999999999", nil), ("3.5", nil), ("3e-1", nil), ("-3", nil), ("1025", nil),
            ("9223372036854775807", nil), ("9223372036854775808", nil), ("3e18", nil), ("3e99999999999999999999", nil),
            ("3e-99999999999999999999", nil), ("3e9223372036854775807", nil), ("30e-9223372036854775808", nil),
            ("3.00000000000000000001", nil), ("2.99999999999999999999", nil), ("30.0000000000000000000e-1", 3),
        ] as [(String, Int?)])
    func wholeNumbers(literal: String, expected: Int?) {
        let text = #"{"threads": \#(literal)}"#
        #expect((try? read(text))?.threads == expected)
        if expected == nil { #expect(problems(text).count == 1) }
    }

    @Test("numbers of any length are read, and cut in messages")
    func longNumbers() {
        let zeros = String(repeating: "0", count: 100_000)
        #expect((try? read(#"{"threads": 3.\#(zeros)}"#))?.threads == 3)
        #expect((try? read(#"{"cacheMaxAge": 0.\#(zeros)e5}"#))?.cacheMaxAge == 0)
        #expect(problems(#"{"threads": 3\#(zeros)}"#).first?.utf8.count ?? 1_000 < 200)
        #expect(problems(#"{"\#(zeros)": 3}"#).first?.utf8.count ?? 1_000 < 200)
    }
}

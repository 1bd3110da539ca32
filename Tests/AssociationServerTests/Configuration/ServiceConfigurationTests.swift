import AssociationServer
import Diagnostics
import Testing

@Suite("server.json: admin, log and wellKnown")
struct ServiceConfigurationTests {
    private func read(_ text: String) throws(ServerError) -> ServerConfiguration {
        try ConfigurationReader.read(Array(text.utf8), path: "Config/server.json")
    }

    private func findings(_ text: String) -> [LocatedDiagnostic] {
        do throws(ServerError) {
            _ = try read(text)
            return []
        } catch {
            return error.findings
        }
    }

    @Test("without the keys there is no admin listener, the log goes to standard output, and no further file is served")
    func defaults() throws {
        let configuration = try read("{}")
        #expect(configuration.admin == nil)
        #expect(configuration.log.access == .standardOutput)
        #expect(configuration.log.format == .json)
        #expect(configuration.wellKnown.isEmpty)
    }

    @Test(
        "the admin listener has a loopback address, or there is none",
        arguments: [
            ("none", nil), ("127.0.0.1:9443", "127.0.0.1:9443"), ("127.8.9.10:0", "127.8.9.10:0"),
            ("[::1]:9443", "[::1]:9443"), ("localhost:9443", "localhost:9443"), ("LOCALHOST:0", "LOCALHOST:0"),
            ("unix:/run/aasa/admin.sock", "unix:/run/aasa/admin.sock"),
        ] as [(String, String?)])
    func admin(text: String, expected: String?) throws {
        #expect(try read(#"{"admin": "\#(text)"}"#).admin == expected)
    }

    @Test(
        "the access log goes where the key says",
        arguments: [
            ("stdout", .standardOutput), ("none", .none), ("access.log", .file("Config/access.log")),
            ("../log/access.log", .file("log/access.log")),
            ("/var/log/aasa/access.log", .file("/var/log/aasa/access.log")),
            ("./none", .file("Config/./none")), ("requests", .file("Config/requests")),
            ("None.log", .file("Config/None.log")),
        ] as [(String, ServerConfiguration.LogSink)])
    func access(text: String, expected: ServerConfiguration.LogSink) throws {
        #expect(try read(#"{"log": {"access": "\#(text)"}}"#).log.access == expected)
    }

    @Test("the format of the access log is one of two", arguments: ServerConfiguration.LogFormat.allCases)
    func format(format: ServerConfiguration.LogFormat) throws {
        #expect(try read(#"{"log": {"format": "\#(format.rawValue)"}}"#).log.format == format)
    }

    @Test("further files come in the order of their names, and assetlinks.json is no further one")
    func wellKnown() throws {
        let configuration = try read(
            """
            {"wellKnown": {"security.txt": "text/plain; charset=utf-8", "assetlinks.json": "application/json",
             "gpc.json": "application/json", "Z": "a/b;c=\\"d \\\\\\" e\\" ;\\tf=g", "b~c!$&'()*+,;=:@": "x/y"}}
            """)
        #expect(
            configuration.wellKnown == [
                .init(name: "Z", contentType: "a/b;c=\"d \\\" e\" ;\tf=g"),
                .init(name: "b~c!$&'()*+,;=:@", contentType: "x/y"),
                .init(name: "gpc.json", contentType: "application/json"),
                .init(name: "security.txt", contentType: "text/plain; charset=utf-8"),
            ])
        #expect(try read(#"{"wellKnown": {}}"#).wellKnown.isEmpty)
    }

    @Test(
        "what is wrong is reported in one line, with its place and what was expected",
        arguments: [
            (#"{"admin": 1}"#, "1:11: error: 'admin' is a number; expected a string"),
            (#"{"admin": null}"#, "1:11: error: 'admin' is null; expected a string"),
            (
                #"{"admin": "x"}"#,
                "1:11: error: 'admin' is 'x'; expected \"none\", or a loopback address and a port, like"
            ),
            (#"{"admin": "127.0.0.1"}"#, "expected \"none\", or a loopback address and a port"),
            (
                #"{"admin": "0.0.0.0:9443"}"#,
                "'admin' is '0.0.0.0:9443'; expected a loopback address, like \"127.0.0.1:9443\""
            ),
            (
                #"{"admin": "[::]:9443"}"#,
                "the admin listener has neither TLS nor a password, so it is for this machine only"
            ),
            (#"{"admin": "192.168.1.2:9443"}"#, "expected a loopback address"),
            (#"{"admin": "[2001:db8::1]:9443"}"#, "expected a loopback address"),
            (#"{"admin": "[::ffff:127.0.0.1]:9443"}"#, "expected a loopback address"),
            (#"{"admin": "128.0.0.1:9443"}"#, "expected a loopback address"),
            (#"{"log": "stdout"}"#, "1:9: error: 'log' is a string; expected an object"),
            (#"{"log": {"acces": "none"}}"#, "1:10: error: unknown key 'acces' in 'log'; did you mean 'access'?"),
            (#"{"log": {"access": 1}}"#, "'log.access' is a number; expected a string"),
            (#"{"log": {"access": ""}}"#, "'log.access' is ''; expected \"stdout\", \"none\" or the path of a file"),
            (
                #"{"log": {"access": "log/"}}"#,
                "'log.access' is 'log/'; expected \"stdout\", \"none\" or the path of a file"
            ),
            (#"{"log": {"access": "a\u0000"}}"#, "'log.access' is 'a\\u0000'; expected"),
            (
                #"{"log": {"access": "stdot"}}"#,
                "'log.access' is 'stdot'; did you mean \"stdout\"? A file of that name is \"./stdot\""
            ),
            (#"{"log": {"access": "stderr"}}"#, "did you mean \"stdout\"?"),
            (#"{"log": {"access": "None"}}"#, "did you mean \"none\"?"),
            (#"{"log": {"access": "off"}}"#, "did you mean \"none\"?"),
            (#"{"log": {"format": "jsn"}}"#, "1:20: error: 'log.format' is 'jsn'; expected \"json\" or \"combined\""),
            (
                #"{"log": {"level": "warn"}}"#,
                "1:19: error: 'log.level' is 'warn'; expected \"error\", \"warning\" or \"info\""
            ),
            (
                #"{"log": {"messages": "jsn"}}"#,
                "1:22: error: 'log.messages' is 'jsn'; expected \"text\" or \"json\""
            ),
            (#"{"allowLinksOutside": 1}"#, "'allowLinksOutside' is a number; expected true or false"),
            (#"{"allowLinksOutsid": true}"#, "unknown key 'allowLinksOutsid'; did you mean 'allowLinksOutside'?"),
            (#"{"log": {"format": true}}"#, "'log.format' is a boolean; expected a string"),
            (#"{"wellKnown": []}"#, "1:15: error: 'wellKnown' is an array; expected an object like {\"security.txt\":"),
            (
                #"{"wellKnown": {"a/b": "x/y"}}"#,
                "1:16: error: 'wellKnown' has 'a/b'; expected the name of a file in the folder of a site, without a '/'"
            ),
            (#"{"wellKnown": {"..": "x/y"}}"#, "'wellKnown' has '..'; expected a name that does not begin with a dot"),
            (#"{"wellKnown": {".a": "x/y"}}"#, "expected a name that does not begin with a dot"),
            (#"{"wellKnown": {"": "x/y"}}"#, "'wellKnown' has ''; expected the name of a file"),
            (#"{"wellKnown": {"a b": "x/y"}}"#, "'wellKnown' has 'a b'; expected a name of letters, digits and"),
            (#"{"wellKnown": {"a%41": "x/y"}}"#, "expected a name of letters, digits and"),
            (#"{"wellKnown": {"a?": "x/y"}}"#, "expected a name of letters, digits and"),
            (#"{"wellKnown": {"ä": "x/y"}}"#, "expected a name of letters, digits and"),
            (#"{"wellKnown": {"a\r\nb": "x/y"}}"#, "'wellKnown' has 'a\\r\\nb'; expected a name of letters"),
            (#"{"wellKnown": {"a.txt~": "x/y"}}"#, "editors use this one for backup files"),
            (
                #"{"wellKnown": {"apple-app-site-association": "application/json"}}"#,
                "it is always served, as"
            ),
            (
                #"{"wellKnown": {"a": 1}}"#,
                "1:21: error: the content type of 'a' in 'wellKnown' is a number; expected a string"
            ),
            (
                #"{"wellKnown": {"a": "text"}}"#,
                "1:21: error: the content type of 'a' in 'wellKnown' is 'text'; expected a media type like"
            ),
            (
                #"{"wellKnown": {"assetlinks.json": "text/json"}}"#,
                "is 'text/json'; it can only be \"application/json\""
            ),
            (#"{"wellKnown": {"a": "x/y", "a": "x/z"}}"#, "[duplicate-key]"),
        ])
    func wrong(text: String, expected: String) {
        let found = findings(text).map(\.description)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("Config/server.json:1:") == true)
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test(
        "a content type cannot be what is no media type",
        arguments: [
            "", "/", "a/", "/b", "a", "a/b/c", "a b/c", "a/b c", "a/b;", "a/b; ", "a/b;c", "a/b;c=", "a/b;=c",
            "a/b;c=d;",
            "a/b;c=\"d", "a/b;c=\"d\\", "a/b;c=\"\u{7F}\"", "a/b;c=\"é\"", "a/b\r\nX: y", "a/b;c=\"\r\n\"", "a/b\0",
            "ä/b",
            " a/b", "a/b ", "a/b,c/d", "a/b;c = d", String(repeating: "a", count: 254) + "/b",
        ])
    func contentTypes(type: String) {
        let escaped = type.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let found = findings(#"{"wellKnown": {"a": "\#(escaped.joined())"}}"#).map(\.message)
        #expect(found.count == 1)
        #expect(found.first?.contains("expected a media type") == true, "\(found)")
    }

    @Test(
        "what was probably meant can be taken over",
        arguments: [
            (#"{"admin": ":9443"}"#, "\"127.0.0.1:9443\""),
            (#"{"admin": "0.0.0.0:80"}"#, "\"127.0.0.1:80\""), (#"{"log": {"access": "Stdout"}}"#, "\"stdout\""),
            (#"{"log": {"format": "combind"}}"#, "\"combined\""),
            (#"{"wellKnown": {"assetlinks.json": "text/json"}}"#, "\"application/json\""),
        ])
    func fixes(text: String, expected: String) throws {
        let found = findings(text)
        let edit = try #require(found.first?.diagnostic.fixIts.first?.edits.first)
        #expect(edit.replacement == expected)
        var bytes = Array(text.utf8)
        bytes.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
        #expect(findings(String(decoding: bytes, as: UTF8.self)).isEmpty)
    }

    @Test(
        "an address elsewhere is not guessed at",
        arguments: ["192.168.1.2:9443", "db:9443", "[2001:db8::1]:1", "x", ":x"])
    func noFix(address: String) {
        #expect(findings(#"{"admin": "\#(address)"}"#).first?.diagnostic.fixIts == [])
    }

    @Test("each finding says where in the file it is")
    func pointers() {
        let found = findings(
            #"{"wellKnown": {"a/b": "x", "c": 1}, "log": {"access": ""}, "admin": "x"}"#)
        #expect(
            found.compactMap(\.diagnostic.pointer) == [
                "/wellKnown/a~1b", "/wellKnown/a~1b", "/wellKnown/c", "/log/access", "/admin",
            ])
    }
}

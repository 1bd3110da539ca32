import AssociationConsole
import ConsoleSamples
import HTTP1
import Testing

/// Who may ask (console.md, section 2).
struct RequestGuardTests {
    private static let page = "GET /console/"
    private static let post = "POST /api/v1/validate"
    private static let body = ["Content-Type: application/json", "Content-Length: 2"]

    private func verdict(_ line: String, _ fields: [String], isServer: Bool = true) throws -> String {
        // Only an old client may leave out the host.
        let version = fields.contains { $0.hasPrefix("Host:") } ? "HTTP/1.1" : "HTTP/1.0"
        let head = "\(line) \(version)\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
        guard let request = ConsoleRequest(parsing: head.utf8) else { return "400" }
        switch RequestGuard.check(request, isServer: isServer) {
        case .refuse(let answer):
            // The API answers in JSON, everything else in text; neither says whom it would allow.
            let isAPI = line.contains("/api/")
            #expect(answer.contentType.hasPrefix(isAPI ? "application/json" : "text/plain"))
            #expect(answer.fields.contains { $0.name == "Access-Control-Allow-Origin" } == false)
            return "\(answer.status.rawValue)"
        case .readBody(let count): return "body \(count)"
        case .proceed: return "go"
        }
    }

    @Test(
        "the host is this machine",
        arguments: [
            ("localhost", "go"), ("LOCALHOST:8080", "go"), ("127.0.0.1", "go"), ("127.0.0.1:9443", "go"),
            ("127.255.0.9:1", "go"), ("[::1]", "go"), ("[::1]:9443", "go"), ("evil.test", "421"),
            ("127.evil.test", "421"), ("127.0.0.1.evil.test", "421"), ("127.0.0", "421"), ("127.1", "421"),
            ("127.0.0.256", "421"), ("127.0.0.0001", "421"), ("128.0.0.1", "421"), ("0.0.0.0", "421"),
            ("[::2]", "421"), ("[::ffff:127.0.0.1]", "421"), ("localhost.evil.test", "421"), ("localhost:x", "400"),
            ("", "400"), ("xn--localhost", "421"), ("localhost.", "421"),
        ])
    func hosts(host: String, expected: String) throws {
        #expect(try verdict(Self.page, ["Host: \(host)"]) == expected)
        #expect(try verdict("GET /api/v1/sites", ["Host: \(host)"]) == expected)
    }

    @Test("the authority of an absolute target replaces the field, and no field at all is a probe")
    func targets() throws {
        #expect(try verdict("GET http://evil.test/console/", ["Host: localhost"]) == "421")
        #expect(try verdict("GET http://localhost/console/", ["Host: evil.test"]) == "go")
        #expect(try verdict(Self.page, []) == "go")
    }

    @Test(
        "an origin is this one, byte for byte",
        arguments: [
            ("http://localhost:9443", "go"), ("HTTP://LOCALHOST:9443", "go"), ("http://localhost", "403"),
            ("https://localhost:9443", "403"), ("http://127.0.0.1:9443", "403"), ("null", "403"),
            ("http://evil.test", "403"), ("http://localhost:9443.evil.test", "403"), ("", "403"),
        ])
    func origins(origin: String, expected: String) throws {
        #expect(try verdict(Self.page, ["Host: localhost:9443", "Origin: \(origin)"]) == expected)
        #expect(
            try verdict(Self.post, ["Host: localhost:9443", "Origin: \(origin)"] + Self.body)
                == (expected == "go" ? "body 2" : expected))
    }

    @Test("an origin without a host, and two of them, are refused")
    func origin() throws {
        #expect(try verdict(Self.page, ["Origin: http://localhost"]) == "403")
        let twice = ["Host: localhost", "Origin: http://localhost", "Origin: http://localhost"]
        #expect(try verdict(Self.page, twice) == "403")
    }

    @Test(
        "a fetch comes from this origin or from a person; a link elsewhere may lead to a page",
        arguments: [
            ("GET /console/", "same-origin", "cors", "empty", "go"),
            ("GET /console/", "none", "navigate", "document", "go"),
            ("GET /console/", "cross-site", "navigate", "document", "go"),
            ("HEAD /console/sites/a.example", "same-site", "navigate", "document", "go"),
            ("GET /console/", "cross-site", "navigate", "iframe", "403"),
            ("GET /console/", "cross-site", "no-cors", "document", "403"),
            ("GET /console/assets/console.css", "cross-site", "navigate", "document", "403"),
            ("GET /console/assets/console.css", "cross-site", "no-cors", "style", "403"),
            ("GET /api/v1/sites", "cross-site", "navigate", "document", "403"),
            ("GET /api/v1/sites", "same-site", "cors", "empty", "403"),
            ("POST /console/", "cross-site", "navigate", "document", "403"),
            ("POST /api/v1/validate", "cross-site", "navigate", "document", "403"),
        ])
    func fetches(line: String, site: String, mode: String, destination: String, expected: String) throws {
        let fields = [
            "Host: localhost", "Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: \(mode)", "Sec-Fetch-Dest: \(destination)",
        ]
        #expect(try verdict(line, fields + Self.body) == expected)
    }

    @Test(
        "each path has its methods",
        arguments: [
            ("GET /console/", "go"), ("HEAD /console/", "go"), ("POST /console/", "405"), ("get /console/", "405"),
            ("OPTIONS /console/", "405"), ("PUT /console/playground", "405"), ("TRACE /api/v1/route", "405"),
            ("GET /api/v1/route", "405"), ("OPTIONS /api/v1/route", "405"), ("HEAD /api/v1/fix", "405"),
            ("POST /api/v1/sites", "405"), ("GET /api/v1/sites", "go"), ("HEAD /api/v1/metrics-history", "go"),
            ("GET /api/v1/doctor", "405"), ("DELETE /console/assets/console.css", "405"), ("GET /console", "go"),
            ("GET /Console/", "404"), ("GET /api/v1/sites/", "404"), ("GET /api/v2/sites", "404"), ("GET /api/", "404"),
            ("GET /console/sites/a%2Fb", "404"), ("GET /console/sites/a.example/", "404"),
            ("GET /console/assets/../x", "404"), ("GET /console/files/1", "404"), ("POST /console/nothing", "404"),
        ])
    func methods(line: String, expected: String) throws {
        #expect(try verdict(line, ["Host: localhost"] + Self.body) == expected)
    }

    @Test("what a server alone has is not there for files, and the other way round")
    func kinds() throws {
        let paths = [
            "console/sites", "console/sites/a.example", "console/certificates", "console/fleet", "console/fleet/7",
            "console/metrics",
        ]
        for path in paths + ["api/v1/sites", "api/v1/status", "api/v1/certificates", "api/v1/metrics-history"] {
            #expect(try verdict("GET /\(path)", ["Host: localhost"]) == "go", "\(path)")
            #expect(try verdict("GET /\(path)", ["Host: localhost"], isServer: false) == "404", "\(path)")
        }
        #expect(try verdict("POST /api/v1/doctor", ["Host: localhost"] + Self.body, isServer: false) == "body 2")
        #expect(try verdict("GET /console/doctor", ["Host: localhost"], isServer: false) == "go")
        for number in ["x", "07", "-1", "99999999999999999999"] {
            #expect(try verdict("GET /console/fleet/\(number)", ["Host: localhost"]) == "404")
        }
        #expect(try verdict("GET /console/files/1", ["Host: localhost"], isServer: false) == "go")
        for number in ["0", "01", "-1", "x", "99999999999999999999"] {
            #expect(try verdict("GET /console/files/\(number)", ["Host: localhost"], isServer: false) == "404")
        }
    }

    @Test(
        "a body is JSON of a known length",
        arguments: [
            (["Content-Type: application/json", "Content-Length: 2"], "body 2"),
            (["content-type: Application/JSON; charset=utf-8", "content-length: 0"], "body 0"),
            (["Content-Type: application/json", "Content-Length: 262144"], "body 262144"),
            (["Content-Type: application/json", "Content-Length: 262145"], "413"),
            (["Content-Type: application/json", "Content-Length: 99999999999999999999999"], "400"),
            (["Content-Type: application/json"], "411"),
            (["Content-Type: application/json", "Transfer-Encoding: chunked"], "411"),
            (["Content-Type: application/json", "Transfer-Encoding: chunked", "Content-Length: 2"], "400"),
            (["Content-Length: 2"], "415"), (["Content-Type: text/plain", "Content-Length: 2"], "415"),
            (["Content-Type: application/x-www-form-urlencoded", "Content-Length: 2"], "415"),
            (["Content-Type: text/plain, application/json", "Content-Length: 2"], "415"),
        ])
    func bodies(fields: [String], expected: String) throws {
        #expect(try verdict(Self.post, ["Host: localhost"] + fields) == expected)
    }

    @Test("the first rule that fails decides")
    func order() throws {
        let all = [
            "Host: evil.test", "Origin: http://evil.test", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain",
            "Content-Length: 999999",
        ]
        #expect(try verdict("PUT /api/v1/validate", all) == "421")
        let expected = ["403", "405", "415", "413"]
        let later = [
            ["Host: localhost"] + all.dropFirst(), ["Host: localhost", "Content-Type: text/plain"],
            ["Host: localhost", "Content-Type: text/plain", "Content-Length: 999999"],
            ["Host: localhost", "Content-Type: application/json", "Content-Length: 999999"],
        ]
        for (index, fields) in later.enumerated() {
            #expect(try verdict(index == 1 ? "PUT /api/v1/validate" : Self.post, fields) == expected[index])
        }
    }

    @Test("only what is below the base is a request to the console, whatever else it has")
    func bases() {
        let base = "/0123456789abcdef0123456789abcdef/"
        func path(_ target: String) -> String? {
            ConsoleRequest(parsing: "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8, below: base)?.path
        }
        #expect(path("\(base)console/?a=b") == "console/")
        #expect(path("http://localhost\(base)console/") == "console/" && path("\(base)console") == "console")
        for target in [
            "/", "/console/", "/0123456789abcdef0123456789abcdeF/console/", "/%30" + base.dropFirst(2), "*",
            base.dropLast() + "",
        ] {
            #expect(path(target) == nil, "\(target)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// The console of a built `aasa serve`.
@Suite("The console of aasa serve", .waiting)
struct ServeConsoleTests {
    private static let document =
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#

    private static func curl(_ url: String, _ arguments: [String] = []) throws -> (status: Int, body: String) {
        let outcome = try Shell.run(
            [
                "curl", "-sS", "--max-time", "\(Patience.seconds)", "--noproxy", "*", "--path-as-is", "-k", "-w",
                "\n%{http_code}", url,
            ] + arguments)
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let last = lines.last, let status = Int(last) else { throw TestFailure("\(outcome)") }
        return (status, lines.dropLast().joined(separator: "\n"))
    }

    private static func post(_ url: String, _ body: String) throws -> (status: Int, body: String) {
        try curl(url, ["-H", "Content-Type: application/json", "-d", body])
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    @Test("pages and the API are on the admin listener, and on no other")
    func listeners() throws {
        let folder = try RunningServer.layOut(document: Self.document)
        let server = try RunningServer(folder, arguments: ["--admin", "127.0.0.1:0", "--listen", "http://127.0.0.1:0"])
        let admin = try server.adminURL
        let addresses = try #require(server.logText.firstMatch(of: #/ on https://127\.0\.0\.1:(\d+), (http://\S+)/#))
        let (secure, plain) = ("https://localhost:\(addresses.1)", addresses.2)
        for path in ["console/", "console/sites/localhost", "console/playground", "console/metrics", "api/v1/sites"] {
            let (status, body) = try Self.curl("\(admin)/\(path)")
            #expect(status == 200 && (body.contains("</html>") || path.hasPrefix("api/")), "\(path)")
            #expect(try Self.curl("\(secure)/\(path)").status == 404)
            #expect(try Self.curl("\(plain)/\(path)", ["-H", "X-Forwarded-Proto: https"]).status == 404)
        }
        #expect(try Self.curl("\(secure)/api/v1/status").status == 404)
        let site = try Self.curl("\(admin)/console/sites/localhost?url=https%3A%2F%2Flocalhost%2Fbuy%2F7").body
        #expect(site.contains(#"data-outcome="open""#))
        let one = try Self.object(Self.curl("\(admin)/api/v1/sites/localhost").body)
        #expect(one["text"] as? String == Self.document && one["rejected"] is NSNull && one["versions"] is NSNull)
    }

    @Test("the text of a file that was rejected is shown with its findings, and a private key never is")
    func rejected() throws {
        let folder = try RunningServer.layOut(document: Self.document)
        let server = try RunningServer(folder, arguments: ["--admin", "127.0.0.1:0"])
        let admin = try server.adminURL
        func rejected() throws -> [String: Any]? {
            try Self.object(Self.curl("\(admin)/api/v1/sites/localhost").body)["rejected"] as? [String: Any]
        }
        try folder.write(#"{"applinks":{"details":[}}"#, to: "sites/localhost/apple-app-site-association")
        server.signal(SIGHUP)
        #expect(try Waiting.until { try rejected() != nil })
        let file = try #require(try rejected())
        #expect(file["text"] as? String == #"{"applinks":{"details":[}}"#)
        #expect((file["diagnostics"] as? [Any])?.isEmpty == false)
        #expect(try Self.curl("\(admin)/console/sites/localhost").body.contains("<mark"))
        let key = try String(contentsOfFile: "\(folder.path)/certs/localhost/privkey.pem", encoding: .utf8)
        try folder.write(key, to: "sites/localhost/apple-app-site-association")
        server.signal(SIGHUP)
        let line = String(key.split(separator: "\n")[1].prefix(20))
        #expect(try Waiting.until { try rejected()?["text"] as? String == "" })
        #expect(try !Self.curl("\(admin)/console/sites/localhost").body.contains(line))
    }

    @Test("the doctor checks a site of the server with the settings of server.json")
    func doctor() throws {
        let folder = try RunningServer.layOut(document: Self.document)
        let settings = """
            {"doctor": {"allowPrivate": true, "cdn": "none", "google": "none", "caFile": "certs/localhost/fullchain.pem",
             "resolve": ["localhost:443:127.0.0.1"]}}
            """
        let server = try RunningServer(folder, configuration: settings, arguments: ["--admin", "127.0.0.1:0"])
        let admin = try server.adminURL
        let (status, body) = try Self.post("\(admin)/api/v1/doctor", #"{"domain": "localhost"}"#)
        #expect(status == 200, "\(body)")
        let report = try Self.object(body)
        #expect(report["tool"] as? String == "aasa doctor" && (report["domains"] as? [Any])?.count == 1, "\(body)")
        #expect(!body.contains("app-site-association.cdn-apple.com") && !body.contains("googleapis.com"), "\(body)")
        #expect(body.contains("127.0.0.1") && !body.contains("private address"), "\(body)")
        #expect(try Self.post("\(admin)/api/v1/doctor", #"{"domain": "example.com"}"#).status == 404)
    }
}

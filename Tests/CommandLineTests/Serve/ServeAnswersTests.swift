import Foundation
import TestSupport
import Testing

/// The answers that a client gets (server.md, section 2), asked with curl over real TLS.
@Suite("aasa serve: answers", .waiting)
struct ServeAnswersTests {
    private static let shared = Result {
        try RunningServer(RunningServer.layOut(), configuration: #"{"timeouts": {"idle": 5}}"#)
    }
    private let server: RunningServer

    init() throws { server = try Self.shared.get() }

    /// The head of an answer as a status and fields by lower-case name.
    private func head(_ path: String = "/.well-known/apple-app-site-association", _ arguments: [String] = []) throws
        -> (status: String, fields: [String: String])
    {
        let lines = try server.curl(path, ["--http1.1", "-o", "/dev/null", "-D", "-"] + arguments)
            .text.split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            let name = parts[0].lowercased()
            #expect(fields[name] == nil, "\(name) stands twice")
            fields[name] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return (lines.first.map(String.init) ?? "", fields)
    }

    @Test(
        "both paths give the exact bytes",
        arguments: [
            "/.well-known/apple-app-site-association", "/apple-app-site-association", "/apple-app-site-association?",
            "/apple-app-site-association?a=b/../c", "/.well-known/apple%2Dapp-site-association",
            "/%2Ewell-known/apple-app-site-association", "/%61pple-app-site-association",
        ])
    func bytes(path: String) throws {
        let outcome = try server.curl(path, ["-w", "%{http_code} %{content_type} %{num_redirects}"])
        #expect(outcome.text == RunningServer.document + "200 application/json 0")
    }

    @Test(
        "other paths are not found",
        arguments: [
            "/", "/apple-app-site-association/", "/apple-app-site-association.json", "//apple-app-site-association",
            "/Apple-App-Site-Association", "/./apple-app-site-association",
            "/.well-known/../apple-app-site-association",
            "/.well-known%2Fapple-app-site-association", "/.well-known/apple-app-site-association%00",
            "/apple%252Dapp-site-association", "/.well-known/", "/.well-known/assetlinks.json",
        ])
    func notFound(path: String) throws {
        let outcome = try server.curl(path, ["-w", "%{http_code} %{content_type}"])
        #expect(outcome.text == "not found\n404 text/plain")
    }

    @Test("a good answer has all its fields, each once")
    func fields() throws {
        let (status, fields) = try head()
        #expect(status == "HTTP/1.1 200 OK")
        #expect(
            Set(fields.keys) == [
                "date", "content-type", "content-length", "etag", "last-modified", "cache-control",
                "x-content-type-options",
            ])
        #expect(fields["content-type"] == "application/json")
        #expect(fields["content-length"] == "\(RunningServer.document.utf8.count)")
        #expect(fields["cache-control"] == "public, max-age=3600")
        let digest = try Shell.run(["sha256sum"], input: Data(RunningServer.document.utf8)).text.prefix(64)
        #expect(fields["etag"] == "\"\(digest)\"")
        let date = try #require(fields["date"])
        #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
    }

    @Test("HEAD gives the same head and no body")
    func headRequest() throws {
        var get = try head().fields
        var head = try head("/.well-known/apple-app-site-association", ["-I"]).fields
        get["date"] = nil
        head["date"] = nil
        #expect(head == get)
        let raw = try server.exchange("HEAD /apple-app-site-association HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(raw.hasSuffix("\r\n\r\n"))
    }

    @Test("conditions are honoured")
    func conditions() throws {
        let good = try head().fields
        let tag = try #require(good["etag"])
        let modified = try #require(good["last-modified"])
        let cases: [(String, Int)] = [
            ("If-None-Match: \(tag)", 304), ("If-None-Match: W/\(tag)", 304), ("If-None-Match: \"x\", \(tag)", 304),
            ("If-None-Match: *", 304), ("If-None-Match: \"x\"", 200), ("If-Modified-Since: \(modified)", 304),
            ("If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT", 200), ("If-Modified-Since: yesterday", 200),
            ("If-Modified-Since: Fri, 31 Dec 9999 23:59:59 GMT", 200), ("If-Match: \(tag)", 200),
            ("If-Match: \"x\"", 412), ("If-Match: W/\(tag)", 412), ("If-Match: *", 200),
            ("If-Unmodified-Since: \(modified)", 200), ("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT", 412),
            ("Range: bytes=0-1", 200),
        ]
        for (field, status) in cases {
            let answer = try head("/apple-app-site-association", ["-H", field])
            #expect(answer.status.contains(" \(status) "), "\(field): \(answer.status)")
        }
        let both = try head("/", ["-H", "If-None-Match: *"])
        #expect(both.status.contains(" 404 "))
    }

    @Test("a 304 has its fields and no body")
    func notModified() throws {
        let (status, fields) = try head("/apple-app-site-association", ["-H", "If-None-Match: *"])
        #expect(status == "HTTP/1.1 304 Not Modified")
        #expect(Set(fields.keys) == ["date", "etag", "last-modified", "cache-control"])
    }

    @Test(
        "any other method is not allowed, on any path",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "X"])
    func methods(method: String) throws {
        for path in ["/apple-app-site-association", "/other"] {
            let (status, fields) = try head(path, ["-X", method])
            #expect(status == "HTTP/1.1 405 Method Not Allowed")
            #expect(fields["allow"] == "GET, HEAD")
            #expect(fields["connection"] == nil)
        }
    }

    @Test("a host that the certificate does not cover is misdirected")
    func misdirected() throws {
        let (status, _) = try head("/apple-app-site-association", ["-H", "Host: example.com"])
        #expect(status == "HTTP/1.1 421 Misdirected Request")
    }

    @Test("many requests use one connection")
    func keepAlive() throws {
        let url = "https://localhost:\(server.port)/apple-app-site-association"
        let outcome = try server.curl(
            "/apple-app-site-association", ["-o", "/dev/null", url, "-o", "/dev/null", "-w", "%{num_connects} "])
        #expect(outcome.text == "1 0 ")
    }

    @Test("no answer is a redirect or names a place")
    func neverARedirect() throws {
        for path in ["/", "/x", "//", "/apple-app-site-association/", "/%2e%2e/"] {
            let (status, fields) = try head(path)
            #expect(!status.contains(" 3"))
            #expect(fields["location"] == nil)
        }
    }
}

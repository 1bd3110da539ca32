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

    @Test("a 304 has its fields and no body")
    func notModified() throws {
        let (status, fields) = try head("/apple-app-site-association", ["-H", "If-None-Match: *"])
        #expect(status == "HTTP/1.1 304 Not Modified")
        #expect(Set(fields.keys) == ["date", "etag", "last-modified", "cache-control"])
    }

    @Test("many requests use one connection")
    func keepAlive() throws {
        let url = "https://localhost:\(server.port)/apple-app-site-association"
        let outcome = try server.curl(
            "/apple-app-site-association", ["-o", "/dev/null", url, "-o", "/dev/null", "-w", "%{num_connects} "])
        #expect(outcome.text == "1 0 ")
    }
}

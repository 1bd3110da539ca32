import Foundation
import TestSupport
import Testing

/// Programs of others that speak HTTP/2.
@Suite("aasa serve: clients of HTTP/2", .waiting)
struct ServeHTTP2ClientsTests {
    private static let path = "/.well-known/apple-app-site-association"

    @Test("curl gets the file by HTTP/2 when it may, and by HTTP/1.1 when it must")
    func curl() throws {
        let server = try RunningServer(RunningServer.layOut())
        for (option, version) in [
            ("--http2", "2"), ("--http1.1", "1.1"), ("--http2-prior-knowledge", "2"), ("--no-alpn", "1.1"),
        ] {
            let outcome = try server.curl(Self.path, [option, "-w", " %{http_version}"])
            #expect(outcome.text == "\(RunningServer.document) \(version)", "\(option): \(outcome.errors)")
        }
        // Two requests on one connection.
        let both = try server.curl(
            Self.path,
            [
                "--http2", "-o", "/dev/null", "-w", "%{http_code} %{num_connects} ", "-o", "/dev/null",
                "https://localhost:\(server.port)/x",
            ])
        #expect(both.text == "200 1 404 0 ", "\(both.errors)")
        let large = try RunningServer.layOut(document: Self.large)
        let other = try RunningServer(large)
        #expect(try other.curl(Self.path, ["--http2"]).text == Self.large)
    }

    /// More than the initial window, and than a frame.
    private static let large: String = {
        let components = (0..<3_000).map { "{\"/\":\"/section/\($0)/*\"}" }.joined(separator: ",")
        return
            "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.com.example.app\"],\"components\":[\(components)]}]}}"
    }()

    @Test("nghttp gets many streams at once, and reports no error", .needs(.nghttp))
    func nghttp() throws {
        let server = try RunningServer(RunningServer.layOut(document: Self.large))
        let outcome = try Shell.run(
            Patience.timeout + [
                ExternalProgram.nghttp.path, "-v", "-n", "-m", "50", "https://localhost:\(server.port)\(Self.path)",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.components(separatedBy: ":status: 200").count == 51)
        #expect(!outcome.text.contains("RST_STREAM"))
        let posted = try Shell.run(
            Patience.timeout + [
                "sh", "-c", "printf x | \(ExternalProgram.nghttp.path) -v -d - https://localhost:\(server.port)/x",
            ])
        #expect(posted.text.contains(":status: 405"), "\(posted.text)")
        // Windows of 15 bytes.
        let narrow = try Shell.run(
            Patience.timeout + [
                ExternalProgram.nghttp.path, "-n", "-s", "-w", "4", "-W", "4",
                "https://localhost:\(server.port)\(Self.path)",
            ])
        #expect(narrow.text.contains(" 200 "), "\(narrow.text) \(narrow.errors)")
    }

    @Test(
        "h2load counts no error", .needs(.h2load),
        arguments: [["-c", "8", "-m", "1"], ["-c", "2", "-m", "100"], ["-c", "1", "-m", "10", "-w", "10"]])
    func h2load(options: [String]) throws {
        let server = try RunningServer(RunningServer.layOut(), threads: 2)
        let outcome = try Shell.run(
            Patience.timeout + [ExternalProgram.h2load.path, "-n", "5000"] + options
                + ["https://localhost:\(server.port)\(Self.path)"])
        #expect(outcome.text.contains("5000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(outcome.text)")
        #expect(outcome.text.contains("status codes: 5000 2xx"), "\(outcome.text)")
    }

    @Test("The connection that the limit on requests ends is used to its end by h2load", .needs(.h2load))
    func requestsPerConnection() throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"limits": {"requestsPerConnection": 10}}"#)
        let outcome = try Shell.run(
            Patience.timeout + [
                ExternalProgram.h2load.path, "-n", "10", "-c", "1", "-m", "4",
                "https://localhost:\(server.port)\(Self.path)",
            ])
        #expect(outcome.text.contains("10 succeeded, 0 failed"), "\(outcome.text)")
    }
}

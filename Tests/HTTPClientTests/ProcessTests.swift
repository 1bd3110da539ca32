import Foundation
import HTTPClient
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// Tests of a process as a whole, each in one of its own.
@Suite("The process of a transport", .waitingApart)
struct ProcessTests {
    @Test("proxies, credentials and roots of the environment have no say")
    func environment() async throws {
        try await ProcessOfItsOwn.run(Self.self) {
            let folder = try TemporaryFolder()
            try folder.write("default login someone password secret\n", to: ".netrc")
            try folder.write("proxy = http://127.0.0.1:9\n", to: ".curlrc")
            for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:9", 1)
            }
            setenv("HOME", folder.path, 1)
            setenv("CURL_HOME", folder.path, 1)
            setenv("SSL_CERT_FILE", try folder.write(try SampleSite.otherRoot.certificate.pem(), to: "roots.pem"), 1)
            let origin = try StubOrigin(SampleSite.identity()) { connection in
                _ = connection.request()
                connection.answer("{}")
            }
            let client = try Client()
            let response = await client.send(try Client.request("https://localhost:\(origin.port)/"))
            #expect(response.value?.status == 200)
            #expect(origin.requests.first?.contains("Authorization") == false)
            let stranger = try StubOrigin(
                SampleSite.identity(SampleSite.leaf(issuer: SampleSite.otherRoot), chain: [])
            ) { _ = $0.request() }
            let refused = await client.send(try Client.request("https://localhost:\(stranger.port)/"))
            #expect(refused.problem?.reason == .certificateRefused(20))
        }
    }

    @Test("200 requests and handshakes at a time leave no descriptor and no thread behind")
    func leftovers() async throws {
        try await ProcessOfItsOwn.run(Self.self) {
            let origin = try StubOrigin(SampleSite.identity()) { connection in
                guard let request = connection.request() else { return }
                if request.hasPrefix("GET /reset") { connection.resetAtEnd() } else { connection.answer("{}") }
            }
            func count(_ kind: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
            }
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
                    try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                }
            }
            // What the library opens once in a process is there afterwards.
            var client: Client? = try Client(perHost: 200)
            _ = await client?.send(try Client.request("https://localhost:\(origin.port)/"))
            client = nil
            try #expect(Waiting.until { try !names().contains("http-transport\n") })
            let before = try count("fd")
            client = try Client(perHost: 200)
            if let client {
                let paths = ["", "reset"]
                let requests = try paths.map { try Client.request("https://localhost:\(origin.port)/\($0)") }
                let probe = ChainProbe(
                    host: "localhost", port: origin.port, address: Client.loopback, timeLimit: .seconds(20))
                let ends = await withTaskGroup(of: Int.self, returning: [Int].self) { group in
                    for number in 0..<200 {
                        group.addTask {
                            switch number % 4 {
                            case 0: return await client.send(requests[1]).problem?.reason == .reset ? 1 : -1
                            case 1: return await client.transport.chain(for: probe).value == nil ? -1 : 1
                            default: return await client.send(requests[0]).value?.status == 200 ? 1 : -1
                            }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(ends.count == 200 && ends.allSatisfy { $0 == 1 })
                try #expect(names().filter { $0 == "http-transport\n" }.count == 1)
            }
            client = nil
            try #expect(Waiting.until { try !names().contains("http-transport\n") })
            try #expect(Waiting.until { try count("fd") <= before })
        }
    }
}

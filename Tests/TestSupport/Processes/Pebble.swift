internal import Foundation
internal import PushSamples
internal import SystemSupport
internal import TLSSamples

extension ExternalProgram {
    public static let pebble = ExternalProgram("pebble")
    public static let pebbleChallengeServer = ExternalProgram("pebble-challtestsrv", package: "pebble")
}

/// A certificate authority for ACME: Debian's pebble, with a name server of its own that says 127.0.0.1 to every name.
public final class Pebble: Sendable {
    public struct Settings: Sendable {
        /// The ports of the server that is to be validated.
        public var httpPort: Int
        public var tlsPort: Int
        /// The number of good nonces among 100 that are rejected.
        public var rejectedNonces = 50
        /// For how many of 100 identifiers an authorization that is valid is used again.
        public var reusedAuthorizations = 0
        /// The keys of external accounts, base64url, by their names; none are asked for if it is empty.
        public var externalAccounts: [String: String] = [:]

        public init(httpPort: Int, tlsPort: Int) {
            self.httpPort = httpPort
            self.tlsPort = tlsPort
        }
    }

    public let port: Int
    private let managementPort: Int
    /// The port on which the name server is controlled.
    private let controlPort: Int
    /// The file with the root of the authority's own HTTPS certificate.
    public let caFile: String
    private let names: ForegroundServer
    private let start: @Sendable () throws -> ForegroundServer
    private let server: Locked<ForegroundServer>
    /// The log before the last restart.
    private let earlierLog = Locked("")

    /// - Parameter folder: A folder of the test.
    public init(_ settings: Settings, in folder: TemporaryFolder) throws {
        // For tests that move the clock.
        let identity = SampleSite.leaf(
            ["localhost"], addresses: [[127, 0, 0, 1]], notBefore: -200, notAfter: 2_000)
        try folder.write(
            identity.pem() + SampleSite.intermediate.certificate.pem(), to: "pebble/chain.pem")
        try folder.write(identity.key.pem(), to: "pebble/key.pem")
        caFile = try folder.write(SampleSite.root.certificate.pem(), to: "pebble/root.pem")
        port = try FreePort.reserve()
        managementPort = try FreePort.reserve()
        let dnsPort = try FreePort.reserve()
        controlPort = try FreePort.reserve()
        var pebble: [String: Any] = [
            "listenAddress": "127.0.0.1:\(port)", "managementListenAddress": "127.0.0.1:\(managementPort)",
            "certificate": "pebble/chain.pem", "privateKey": "pebble/key.pem", "httpPort": settings.httpPort,
            "tlsPort": settings.tlsPort, "ocspResponderURL": "",
            "externalAccountBindingRequired": !settings.externalAccounts.isEmpty,
        ]
        if !settings.externalAccounts.isEmpty { pebble["externalAccountMACKeys"] = settings.externalAccounts }
        let configuration = try folder.write(
            try JSONSerialization.data(withJSONObject: ["pebble": pebble]), to: "pebble/\(port).json")
        names = try ForegroundServer(
            .pebbleChallengeServer,
            [
                "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", "", "-dns01", "127.0.0.1:\(dnsPort)",
                "-management", "127.0.0.1:\(controlPort)",
            ], in: folder, ports: [dnsPort, controlPort])
        let ports = [port, managementPort]
        start = {
            try ForegroundServer(
                .pebble, ["-config", configuration, "-dnsserver", "127.0.0.1:\(dnsPort)"], in: folder, ports: ports,
                environment: [
                    "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "\(settings.rejectedNonces)",
                    "PEBBLE_AUTHZREUSE": "\(settings.reusedAuthorizations)",
                ])
        }
        server = Locked(try start())
    }

    /// The URL of the directory.
    public var directory: String { "https://localhost:\(port)/dir" }

    /// Has a name lead to an address of this machine, such as 127.0.0.2, so that servers in several tests can be
    /// validated at the same ports.
    public func point(_ name: String, to address: String) throws {
        // What is added is added to what there is.
        for (path, body) in [
            ("clear-a", #"{"host": "\#(name)"}"#),
            ("add-a", #"{"host": "\#(name)", "addresses": ["\#(address)"]}"#),
        ] {
            let socket = try RawSocket(port: controlPort)
            socket.send("POST /\(path) HTTP/1.0\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let answer = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
            guard answer.hasPrefix("HTTP/1.0 200 ") else { throw TestFailure("no address for '\(name)': \(answer)") }
        }
    }

    /// Where its management interface has the root of the chains that it issues; each start makes a new one.
    public var rootURL: String { "https://localhost:\(managementPort)/roots/0" }

    /// The log so far: each request, and each validation. It comes a moment later than the answer.
    public var logText: String { earlierLog.withLock { $0 } + server.withLock { $0.logText } }

    /// The number of requests that it got for a path.
    public func requests(of path: String) -> Int { logText.components(separatedBy: " \(path) -> ").count - 1 }

    /// Whether it logs a text, before it is restarted.
    public func waitForLog(_ text: String) -> Bool { server.withLock { $0 }.waitForLog(text) }

    /// Ends, with all that it knows, until ``goUp()``.
    public func goDown() { server.withLock { $0.end() } }

    /// Comes back at the same ports, with an empty database and a new root.
    public func goUp() throws {
        let next = try start()
        server.withLock { server in
            earlierLog.withLock { $0 += server.logText }
            server = next
        }
    }

    /// Loses its database.
    public func restart() throws {
        goDown()
        try goUp()
    }

    /// Ends for good.
    public func end() {
        goDown()
        names.end()
    }

    /// Stops answering, with open connections, until `resume`.
    public func pause() {
        server.withLock { server in
            server.signal(SIGSTOP)
            _ = Waiting.until { server.isStopped }
        }
    }

    public func resume() { server.withLock { $0.signal(SIGCONT) } }
}

internal import Foundation
internal import PushSamples
internal import TLSSamples

extension ExternalProgram {
    public static let pebble = ExternalProgram("pebble")
    public static let pebbleChallengeServer = ExternalProgram("pebble-challtestsrv", package: "pebble")
}

/// A certificate authority for ACME: Debian's pebble, with a name server of its own that says 127.0.0.1 to every name.
public final class Pebble: Sendable {
    public let port: Int
    /// The port on which the name server is controlled.
    private let controlPort: Int
    /// The file with the root of the authority's own HTTPS certificate.
    public let caFile: String
    private let names: ForegroundServer
    private let server: ForegroundServer

    /// - Parameters:
    ///   - httpPort: of the server that is to be validated.
    ///   - tlsPort: the same for TLS.
    ///   - folder: a folder of the test.
    public init(httpPort: Int, tlsPort: Int, in folder: TemporaryFolder) throws {
        // For tests that move the clock.
        let identity = SampleSite.leaf(
            ["localhost"], addresses: [[127, 0, 0, 1]], notBefore: -200, notAfter: 2_000)
        try folder.write(
            identity.pem() + SampleSite.intermediate.certificate.pem(), to: "pebble/chain.pem")
        try folder.write(identity.key.pem(), to: "pebble/key.pem")
        caFile = try folder.write(SampleSite.root.certificate.pem(), to: "pebble/root.pem")
        port = try FreePort.reserve()
        let managementPort = try FreePort.reserve()
        let dnsPort = try FreePort.reserve()
        controlPort = try FreePort.reserve()
        let pebble: [String: Any] = [
            "listenAddress": "127.0.0.1:\(port)", "managementListenAddress": "127.0.0.1:\(managementPort)",
            "certificate": "pebble/chain.pem", "privateKey": "pebble/key.pem", "httpPort": httpPort,
            "tlsPort": tlsPort, "ocspResponderURL": "",
        ]
        let configuration = try folder.write(
            try JSONSerialization.data(withJSONObject: ["pebble": pebble]), to: "pebble/\(port).json")
        names = try ForegroundServer(
            .pebbleChallengeServer,
            [
                "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", "", "-dns01", "127.0.0.1:\(dnsPort)",
                "-management", "127.0.0.1:\(controlPort)",
            ], in: folder, ports: [dnsPort, controlPort])
        // Of all good nonces it rejects half, and no authorization is used again.
        server = try ForegroundServer(
            .pebble, ["-config", configuration, "-dnsserver", "127.0.0.1:\(dnsPort)"], in: folder,
            ports: [port, managementPort],
            environment: [
                "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "50", "PEBBLE_AUTHZREUSE": "0",
            ])
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
}

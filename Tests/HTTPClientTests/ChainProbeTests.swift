import Foundation
import HTTPClient
import OpenSSL
import ProxySupport
import PushSamples
import TLSSamples
import TestSupport
import Testing

@Suite("Probes of chains", .waitingApart)
struct ChainProbeTests {
    private func probe(
        _ port: Int, host: String = "localhost", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        seconds: Double = 10
    ) async throws -> Result<Chain, Failure> {
        let client = try Client()
        let probe = ChainProbe(
            host: host, port: port, address: Client.loopback, versions: versions,
            timeLimit: .seconds(seconds * Double(Patience.factor)))
        return await Cancellation.result { client.transport.start(probe, completion: $0) }
    }

    private func origin(_ leaf: SampleCertificate = SampleSite.leaf(), chain: [SampleAuthority]) throws -> StubOrigin {
        try StubOrigin(SampleSite.identity(leaf, chain: chain)) { $0.waitForEnd() }
    }

    @Test("whatever a server presents is handed over as it was sent, and judged afterwards")
    func presented() async throws {
        let trust = try SampleSite.trust()
        func verdict(_ leaf: SampleCertificate, _ chain: [SampleAuthority]) async throws -> ChainVerdict {
            let text = try leaf.pem() + chain.map { try $0.certificate.pem() }.joined()
            let origin = try StubOrigin(SampleSite.identity(pem: text)) { $0.waitForEnd() }
            let sent = try await probe(origin.port).get()
            #expect(sent.address == Client.loopback)
            #expect(
                String(decoding: sent.certificates, as: UTF8.self).split(separator: "\n") == text.split(separator: "\n")
            )
            return try PresentedChain(pem: sent.certificates).verdict(
                for: "localhost", at: SampleSite.now, trust: trust)
        }
        let intermediate = [SampleSite.intermediate]
        #expect(try await verdict(SampleSite.leaf(), intermediate) == .good)
        #expect(try await verdict(SampleSite.leaf(), []) == .missingIntermediate("Sample Intermediate"))
        #expect(try await verdict(SampleSite.leaf(issuer: nil), []) == .untrusted(.selfSigned))
        #expect(try await verdict(SampleSite.leaf(["a.example.com"]), intermediate) == .nameMismatch(["a.example.com"]))
        let old = SampleSite.leaf(notBefore: -60, notAfter: -3)
        #expect(try await verdict(old, intermediate) == .expired(SampleSite.now - 3 * SampleSite.day))
    }

    @Test("the versions of TLS that are offered are these only")
    func versions() async throws {
        let origin = try origin(chain: [SampleSite.intermediate])
        for version in [TLSVersion.tls12, .tls13] {
            #expect(try await probe(origin.port, versions: version...version).value != nil, "\(version)")
        }
        let old = try await probe(origin.port, versions: .tls10 ... .tls11).problem
        #expect(old?.reason == .tls(.alert(70)))
        let only = try TLSVersionServer(SampleSite.leaf(), arguments: ["-tls1_2"])
        #expect(try await probe(only.port).value != nil)
        #expect(try await probe(only.port, versions: .tls13 ... .tls13).problem?.reason == .tls(.alert(70)))
    }

    @Test("a server with an old version only is recognized as one")
    func oldVersion() async throws {
        let old = try TLSVersionServer(SampleSite.leaf(), arguments: ["-tls1", "-cipher", "DEFAULT:@SECLEVEL=0"])
        let refused = try await probe(old.port).problem
        // It answers with an alert, or with a version that was not offered.
        #expect([.tls(.alert(70)), .tls(.versionNotOffered)].contains(refused?.reason))
        let chain = try await probe(old.port, versions: .tls10 ... .tls11).get()
        #expect(try PresentedChain(pem: chain.certificates).leaf.names == ["localhost"])
    }

    @Test("faults of a handshake are those of a request")
    func faults() async throws {
        let mute = try StubOrigin { while $0.receiveRaw() != nil {} }
        let silent = try await probe(mute.port, seconds: 0.3).problem
        #expect(silent?.reason == .timedOut)
        #expect(silent?.phase == .handshaking)
        let closed = try BoundSocket(isListening: false)
        #expect(try await probe(closed.port).problem?.reason == .notConnected(.refused))
        let plain = try StubOrigin { connection in
            _ = connection.receiveRaw()
            connection.sendRaw(Array("220 mail.example.com ESMTP\r\n".utf8))
            connection.waitForEnd()
        }
        #expect(try await probe(plain.port).problem?.reason == .tls(.notTLS))
    }
}

/// A TLS server of OpenSSL's command, with a version that ours does not speak.
private final class TLSVersionServer {
    let port: Int
    private let process = Process()
    private let folder: TemporaryFolder

    init(_ leaf: SampleCertificate, arguments: [String]) throws {
        folder = try TemporaryFolder()
        let certificate = try folder.write(try leaf.pem(), to: "certificate.pem")
        let key = try folder.write(try leaf.key.pem(), to: "key.pem")
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key] + arguments
        process.standardInput = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("\n") || !text.contains("ACCEPT") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw TestFailure("openssl s_server: \(text)") }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let port = text.matches(of: /ACCEPT [^\n]*:(\d+)/).first.flatMap({ Int($0.1) }) else {
            throw TestFailure("openssl s_server: \(text)")
        }
        self.port = port
    }

    deinit {
        // It inherits the signals that our threads block, so that it is not asked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

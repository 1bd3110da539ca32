import OpenSSL
import PushSamples
import TLSSamples
import TestSupport

/// Servers that answer challenges, rightly or not.
enum ChallengeServer {
    /// A certificate of RFC 8737, section 3.
    static func certificate(_ domain: String, _ keyAuthorization: String) -> SampleCertificate {
        let hash = SampleVerifier.sha256(Array(keyAuthorization.utf8))
        return SampleCertificate(
            subject: [.commonName("challenge")], issuer: nil, notBefore: SampleSite.now - 3_600,
            notAfter: SampleSite.now + 3_600, extensions: [names(domain), identifier(hash)], key: .p256(811))
    }

    static func names(_ names: String...) -> SampleExtension {
        SampleExtension("2.5.29.17", DER.sequence(of: names.map { DER.element(0x82, Array($0.utf8)) }))
    }

    static func identifier(_ hash: [UInt8], isCritical: Bool = true) -> SampleExtension {
        SampleExtension("1.3.6.1.5.5.7.1.31", DER.octets(hash), isCritical: isCritical)
    }

    /// - Parameter isPending: whether it knows of the challenge, or is a site as any other.
    static func tls(_ certificate: SampleCertificate, isPending: Bool = true) throws -> StubOrigin {
        let identity = try SampleSite.identity(pem: certificate.pem(), key: .p256(811))
        let site = try TLSContext(certificates: [identity], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
        let challenge = isPending ? try TLSChallenge(identity) : nil
        return try StubOrigin { connection in
            guard let server = try? SampleServer(site) else { return }
            server.challenge = challenge
            var bytes: [UInt8] = []
            while true {
                let progress = server.handshake(bytes)
                connection.sendRaw(server.takeOutput())
                guard progress == .needsInput, let more = connection.receiveRaw() else { break }
                bytes = more
            }
            server.close()
            connection.sendRaw(server.takeOutput())
        }
    }

    /// Answers all requests so, and tells what it was asked.
    static func http(
        _ body: String, status: Int = 200, type: String = "application/octet-stream"
    ) throws -> StubOrigin {
        return try StubOrigin { connection in
            guard connection.request() != nil else { return }
            connection.send("HTTP/1.1 \(status) Whatever\r\nContent-Type: \(type)\r\n")
            connection.send("Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }
}

import AssociationServer
import Dispatch
import Foundation
import OpenSSL
import TLSSamples
import TestSupport

extension ServedListeners {
    /// Adds a site for which there is no certificate.
    func addSite(_ name: String) throws {
        try folder.write(RunningServer.document, to: "sites/\(name)/apple-app-site-association")
        server.reloadAndWait()
    }

    /// Returns when every loop answers these challenges.
    func publish(_ challenges: [PendingChallenge?]) throws {
        let challenges = challenges.compactMap { $0 }
        let isServed = DispatchSemaphore(value: 0)
        server.publish(challenges) { isServed.signal() }
        guard isServed.wait(timeout: .now() + .seconds(Patience.seconds)) == .success else {
            throw TestFailure("the loops have not confirmed the challenges")
        }
    }

    /// The number of the alert that the beginning of a handshake is answered with; `nil` if it is answered otherwise.
    func alert(_ offer: SampleOffer) throws -> UInt8? {
        let client = try HTTPSClient(port: port(), offer)
        client.socket.send(client.hello())
        let bytes = client.socket.receiveAll().bytes
        return bytes.count == 7 && bytes[0] == 21 && bytes[5] == 2 ? bytes[6] : nil
    }
}

/// Challenges as a CA sets them.
enum SampleChallenge {
    static let alpn = "acme-tls/1"
    /// RFC 8446, section 6.2.
    static let unrecognizedName: UInt8 = 112
    static let noApplicationProtocol: UInt8 = 120

    static func keyAuthorization(_ name: String) -> String { "token-of-\(name.replacing(".", with: "-")).thumbprint" }

    static func certificate(_ name: String) throws -> ServerCertificate {
        try ChallengeCertificate.make(
            name: name, keyAuthorization: keyAuthorization(name), at: SampleSite.now, in: LibraryContext())
    }

    static func tls(_ name: String) throws -> PendingChallenge? {
        PendingChallenge(name: name, .tlsALPN01(try certificate(name)))
    }

    static func http(_ name: String, token: String) -> PendingChallenge? {
        PendingChallenge(name: name, .http01(token: token, keyAuthorization: "\(token).thumbprint"))
    }

    /// The offer of a CA.
    static func offer(_ name: String?, _ version: SampleOffer.Version, protocols: [String] = [alpn]) -> SampleOffer {
        var offer = SampleOffer(version)
        offer.serverName = name
        offer.protocols = protocols
        return offer
    }

    /// Whether a CA would be content with what was presented.
    static func isAnswer(_ leaf: [UInt8], for name: String) throws -> Bool {
        let certificate = try X509Certificate(der: leaf[...], in: LibraryContext())
        return ChallengeCertificate.isAnswer(certificate, name: name, keyAuthorization: keyAuthorization(name))
    }
}

import AssociationLint
import Diagnostics
import DomainDoctor
import Foundation
import HTTPClient
import TLSSamples
import TestSupport
import Testing

/// Each fault of a real server, seen over real connections, comes out as its one code.
@Suite("Faults and their codes", .waitingApart)
struct FaultCodeTests {
    private static let shop = "shop.example.com"

    private func codes(_ seen: Observation) -> [String] {
        var options = DiagnosisOptions()
        options.allowsPrivateAddresses = true
        // That the stand-in is on this machine, and not on port 443, are notes.
        return Diagnosis(seen, options).findings.map(\.diagnostic).filter { $0.severity >= .warning }
            .map(\.code.rawValue)
    }

    private static let answers: [(name: String, answer: StubAnswer, codes: [String])] = [
        ("silence", .silence, ["http-timeout"]), ("stalled header", .stalledHeader, ["http-timeout"]),
        ("stalled body", .stalledBody, ["http-timeout"]), ("reset", .reset, ["http-protocol-error"]),
        ("closed", .close, ["http-protocol-error"]), ("garbage", .garbage, ["http-protocol-error"]),
        ("large header", .largeHeader, ["http-protocol-error"]), ("short body", .shortBody, ["http-protocol-error"]),
        ("damaged gzip", .damagedGzip, ["http-content-encoding"]),
        ("endless body", .endlessBody, ["file-too-large", "assetlinks-unreachable"]),
        ("a page", .page, ["html-instead-of-json"]), ("404", .status(404), ["http-not-found"]),
        ("403", .status(403), ["http-forbidden"]), ("502", .status(502), ["http-server-error"]),
        ("204", .status(204), ["http-unexpected-status"]),
        ("redirect", .redirect(to: "https://example.com/"), ["http-redirect"]),
    ]

    @Test("an answer that all clients get", arguments: answers)
    func answer(name: String, answer: StubAnswer, codes: [String]) async throws {
        let network = try StubNetwork()
        let site = try network.site(Self.shop)
        site.answer(with: answer)
        let seconds = codes == ["http-timeout"] ? StubNetwork.shortLimit : 10
        let found = self.codes(try await network.observe(site, seconds: seconds))
        #expect(found == codes, "\(found)")
    }

    @Test("a robot that is stalled, reset or shown a page is blocked")
    func blocked() async throws {
        for (answer, seconds) in [
            (StubAnswer.silence, StubNetwork.shortLimit), (.reset, 10), (.page, 10), (.status(403), 10),
        ] {
            let network = try StubNetwork()
            let site = try network.site(Self.shop)
            site.answer(StubNetwork.wellKnown, agent: "AASA-Bot", with: answer)
            #expect(codes(try await network.observe(site, seconds: seconds)) == ["agent-blocked"])
        }
    }

    private static let fronts: [(front: StubFront, code: String)] = [
        (.httpOnTLSPort, "tls-handshake-failed"), (.garbage, "tls-handshake-failed"), (.reset, "tls-handshake-failed"),
        (.silence, "tls-handshake-failed"), (.refused, "connect-failed"), (.tls13, "tls12-missing"),
    ]

    @Test("a front that is not a good TLS server", arguments: fronts)
    func front(front: StubFront, code: String) async throws {
        let network = try StubNetwork()
        let site = try network.site(Self.shop, fronts: [("127.0.0.1", front)])
        let seconds = if case .silence = front { StubNetwork.shortLimit } else { 10.0 }
        #expect(codes(try await network.observe(site, seconds: seconds)) == [code])
    }

    private static let certificates: [(certificate: StubCertificate, code: String)] = [
        (.expired, "tls-expired"), (.notYetValid, "tls-not-yet-valid"), (.otherName, "tls-name-mismatch"),
        (.withoutIntermediate, "tls-missing-intermediate"), (.selfSigned, "tls-untrusted"),
        (.otherAuthority, "tls-untrusted"),
    ]

    @Test("a certificate that is not accepted", arguments: certificates)
    func certificate(certificate: StubCertificate, code: String) async throws {
        let network = try StubNetwork()
        #expect(codes(try await network.observe(network.site(Self.shop, certificate))) == [code])
    }
}

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

    /// - Parameter isTimed: whether a request of it has to run out of time, and the others have to end before that.
    private func found(
        _ network: StubNetwork, _ site: StubSite, _ expected: [String], isTimed: Bool
    ) async throws -> [String] {
        guard isTimed else { return codes(try await network.observe(site)) }
        return try await Patience.withLimit {
            codes(try await network.observe(site, seconds: $0))
        } until: {
            $0 == expected
        }
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
        let found = try await found(network, site, codes, isTimed: codes == ["http-timeout"])
        #expect(found == codes, "\(found)")
    }

    @Test("a robot that is stalled, reset or shown a page is blocked")
    func blocked() async throws {
        for (answer, isTimed) in [(StubAnswer.silence, true), (.reset, false), (.page, false), (.status(403), false)] {
            let network = try StubNetwork()
            let site = try network.site(Self.shop)
            site.answer(StubNetwork.wellKnown, agent: "AASA-Bot", with: answer)
            #expect(try await found(network, site, ["agent-blocked"], isTimed: isTimed) == ["agent-blocked"])
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
        let isTimed = if case .silence = front { true } else { false }
        #expect(try await found(network, site, [code], isTimed: isTimed) == [code])
    }

    private static let certificates: [(certificate: StubCertificate, code: String)] = [
        (.expired, "tls-expired"), (.notYetValid, "tls-not-yet-valid"), (.otherName, "tls-name-mismatch"),
        (.withoutIntermediate, "tls-missing-intermediate"), (.selfSigned, "tls-untrusted"),
        (.otherAuthority, "tls-untrusted"),
    ]

    @Test("a certificate that is not accepted: no request is sent", arguments: certificates)
    func certificate(certificate: StubCertificate, code: String) async throws {
        let network = try StubNetwork()
        let site = try network.site(Self.shop, certificate)
        #expect(codes(try await network.observe(site)) == [code])
        #expect(site.requests.isEmpty)
    }
}

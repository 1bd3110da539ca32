import ACME
import DomainNames
import Foundation
import FuzzingSupport
import OpenSSL
import PushSamples
import TLSSamples
import TestSupport

/// The values that tests of orders have in common.
enum Samples {
    static let now: Int64 = SampleSite.now
    static let base = "https://ca.example.net"
    static let directoryURL = url("/directory")
    static let domain = domain("shop.example.com")
    /// The key of orders.
    static let orderKey = SampleKey.p256(301)
    static let token = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"

    static func url(_ path: String) -> SecureURL {
        guard let url = SecureURL(base + path) else { fatalError("\(path) is no path") }
        return url
    }

    static func domain(_ text: String) -> Domain {
        guard let domain = Domain(text) else { fatalError("\(text) is no domain") }
        return domain
    }

    static func accountKey() throws -> AccountKey {
        guard let key = AccountKey(try SampleKey.p256(300).privateKey()) else { throw TestFailure("no key") }
        return key
    }

    static func settings(
        _ id: AuthorityID = AuthorityID(directory: directoryURL, folder: "/certs"), contact: [String] = []
    ) -> IssuanceSettings {
        var configuration = ACMEConfiguration()
        configuration.directory = .other(id.directory.description)
        configuration.contact = contact
        let settings = IssuanceSettings(configuration, folder: id.folder, answerable: [.tlsALPN01, .http01])
        guard let settings else { fatalError("\(id.directory) is no directory") }
        return settings
    }

    static func directoryText(_ meta: String = #"{"termsOfService":"https://ca.example.net/terms"}"#) -> String {
        """
        {"newNonce":"\(base)/nonce","newAccount":"\(base)/account","newOrder":"\(base)/order",\
        "renewalInfo":"\(base)/renewal","revokeCert":"\(base)/revoke","meta":\(meta)}
        """
    }

    static func directory(_ meta: String = "{}") throws -> Directory {
        try Directory(Array(directoryText(meta).utf8))
    }

    static let account = ACMEAccount(
        directory: directoryURL, url: url("/account/7"), contact: ["ops@example.com"], termsOfService: nil,
        caaIdentities: ["ca.example.net"])

    static func problem(_ type: String, _ detail: String = "because", more: String = "") -> String {
        #"{"type":"urn:ietf:params:acme:error:\#(type)","detail":"\#(detail)"\#(more)}"#
    }

    static func order(
        _ status: String, domain: Domain = domain, certificate: String? = nil, more: String = ""
    ) -> String {
        let certificate = certificate.map { #","certificate":"\#(base)\#($0)""# } ?? ""
        return """
            {"status":"\(status)","identifiers":[{"type":"dns","value":"\(domain)"}],\
            "authorizations":["\(base)/authorization/1"],"finalize":"\(base)/finalize/1"\(certificate)\(more)}
            """
    }

    /// - Parameter challenges: type and status of each.
    static func authorization(
        _ status: String, domain: Domain = domain,
        _ challenges: [(type: String, status: String)] = [("http-01", "pending"), ("tls-alpn-01", "pending")],
        more: String = ""
    ) -> String {
        let list = challenges.map { type, status in
            let own = type == "dns-persist-01" ? #""issuer-domain-names":["ca.example.net"]"# : #""token":"\#(token)""#
            return #"{"type":"\#(type)","url":"\#(base)/challenge/\#(type)","status":"\#(status)",\#(own)\#(more)}"#
        }
        let wildcard = domain.isWildcard ? #","wildcard":true"# : ""
        return """
            {"status":"\(status)","identifier":{"type":"dns","value":"\(domain.base)"}\(wildcard),\
            "challenges":[\(list.joined(separator: ","))]}
            """
    }

    /// A chain for the domain by an intermediate, as PEM.
    static func chain(
        _ names: [String] = [domain.identifier], key: SampleKey = orderKey, notBefore: Int64 = -1,
        notAfter: Int64 = 89, issuer: SampleAuthority = SampleSite.intermediate
    ) throws -> String {
        try SampleSite.leaf(names, issuer: issuer, notBefore: notBefore, notAfter: notAfter, key: key).pem()
            + issuer.certificate.pem()
    }
}

/// A signed message of a client, taken apart.
struct SentMessage {
    let header: [String: Any]
    let payload: String

    init(_ request: ACMERequest) throws {
        guard case .post(let body) = request.method else { throw TestFailure("not a POST") }
        let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: String] ?? [:]
        header = try Self.object(object["protected"])
        payload = String(decoding: StubAuthorityBase64URL.bytes(object["payload"] ?? "") ?? [], as: UTF8.self)
        guard StubAuthorityBase64URL.bytes(object["signature"] ?? "")?.count == 64, object.count == 3 else {
            throw TestFailure("no signature")
        }
    }

    private static func object(_ text: String?) throws -> [String: Any] {
        let data = Data(StubAuthorityBase64URL.bytes(text ?? "") ?? [])
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// The payload as an object.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(payload.utf8))) as? [String: Any] ?? [:]
    }

    var account: String? { header["kid"] as? String }
    var nonce: String? { header["nonce"] as? String }
}

extension ACMEResponse {
    /// An answer with a nonce of its own.
    static func json(
        _ status: Int = 200, _ body: String, _ fields: [String: String] = [:], nonce: String? = "nonce"
    ) -> ACMEResponse {
        var all = fields.map { (name: $0.key, value: $0.value) }
        if let nonce { all.append(("Replay-Nonce", nonce)) }
        return ACMEResponse(status: status, fields: all, body: Array(body.utf8))
    }
}

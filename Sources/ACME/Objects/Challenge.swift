/// How control over a name can be proved.
package enum ChallengeType: String, Sendable, CaseIterable {
    case tlsALPN01 = "tls-alpn-01"
    case http01 = "http-01"
    case dnsPersist01 = "dns-persist-01"
}

/// One way to prove control over a name (RFC 8555, section 7.1.5).
package struct Challenge: Equatable, Sendable {
    package enum Status: String, Sendable {
        case pending, processing, valid, invalid
    }

    package let type: ChallengeType
    package let url: SecureURL
    package let status: Status
    /// Of the challenges that are answered by this server; base64url, so that it can be part of a path.
    package let token: String?
    package let problem: Problem?
    /// Who may issue by a TXT record that stays (draft-ietf-acme-dns-persist); at most 10.
    package let issuerDomainNames: [String]
    /// The account as the TXT record has to name it, if the CA says so.
    package let accountURI: SecureURL?

    /// Nil for a challenge of another type.
    init?(_ object: ReceivedObject) throws(IssuanceError) {
        guard let type = ChallengeType(rawValue: try object.string("type")) else { return nil }
        self.type = type
        url = try object.url("url")
        status = try object.status(Status.init)
        let token = try object.optionalString("token")
        if type != .dnsPersist01 {
            guard let token else { throw IssuanceError(.protocol, "\(object.subject) has no 'token'") }
            guard KeyAuthorization.isUsable(token: token) else {
                throw IssuanceError(
                    .protocol, "'token' of \(object.subject) is not up to 255 characters of base64url")
            }
        }
        self.token = token
        problem = try object.optionalObject("error").map { object throws(IssuanceError) in try Problem(object) }
        issuerDomainNames = Array((try object.optionalStrings("issuer-domain-names") ?? []).prefix(10))
        accountURI = try object.optionalURL("accounturi")
    }
}

extension ReceivedObject {
    /// The member `status`.
    func status<Status>(_ status: (String) -> Status?) throws(IssuanceError) -> Status {
        let text = try string("status")
        guard let status = status(text) else {
            throw IssuanceError(
                .protocol, "'status' of \(subject) is '\(AuthorityText.shown(text, limit: 60))', which is not a status")
        }
        return status
    }

    /// Whether the member `identifier` is a DNS name.
    func isDNSIdentifier(_ name: String) throws(IssuanceError) -> Bool {
        guard try string("type") == "dns" else { return false }
        return try string("value").lowercased() == name
    }
}

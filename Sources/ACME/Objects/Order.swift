package import DomainNames

/// A certificate that was asked for, and how far it is (RFC 8555, section 7.1.3).
package struct Order: Equatable, Sendable {
    package enum Status: String, Sendable {
        case pending, ready, processing, valid, invalid
    }

    package let status: Status
    package let authorization: SecureURL
    package let finalize: SecureURL
    /// The URL of the chain; an order that is valid has one.
    package let certificate: SecureURL?
    package let problem: Problem?

    /// - Throws: `protocol`, also if it is for anything but the one name.
    package init(_ bytes: [UInt8], for domain: Domain) throws(IssuanceError) {
        let object = try ReceivedObject(bytes, subject: "the order")
        status = try object.status(Status.init)
        let identifiers = try object.objects("identifiers", subject: "an identifier of the order")
        guard identifiers.count == 1, try identifiers[0].isDNSIdentifier(domain.identifier) else {
            throw IssuanceError(.protocol, "the order is not for '\(domain)' alone")
        }
        let authorizations = try object.urls("authorizations")
        guard authorizations.count == 1 else {
            throw IssuanceError(
                .protocol, "the order has \(authorizations.count) authorizations, expected one for its one name")
        }
        authorization = authorizations[0]
        finalize = try object.url("finalize")
        certificate = try object.optionalURL("certificate")
        problem = try object.optionalObject("error").map { object throws(IssuanceError) in try Problem(object) }
        if status == .valid, certificate == nil {
            throw IssuanceError(.protocol, "the order is valid, but has no 'certificate'")
        }
    }

    /// Why there will be no certificate.
    var error: IssuanceError {
        problem?.error("the order is invalid")
            ?? IssuanceError(.other, "the order is invalid, and the CA gives no reason")
    }
}

/// The state of one name's validation, and the challenges for it (RFC 8555, section 7.1.4).
package struct Authorization: Equatable, Sendable {
    package enum Status: String, Sendable {
        case pending, valid, invalid, deactivated, expired, revoked
    }

    package let status: Status
    /// Those of a type that is known here.
    package let challenges: [Challenge]
    /// The types of all of them, escaped, for messages; at most 10.
    package let offered: [String]

    /// - Throws: `protocol`, also if it is for another name.
    package init(_ bytes: [UInt8], for domain: Domain) throws(IssuanceError) {
        let object = try ReceivedObject(bytes, subject: "the authorization")
        status = try object.status(Status.init)
        guard try object.object("identifier").isDNSIdentifier(domain.base),
            try object.optionalBoolean("wildcard") ?? false == domain.isWildcard
        else { throw IssuanceError(.protocol, "the authorization is not for '\(domain)'") }
        var challenges: [Challenge] = []
        var offered: [String] = []
        for object in try object.objects("challenges", subject: "the challenge").prefix(32) {
            offered.append(AuthorityText.shown(try object.string("type"), limit: 60))
            if let challenge = try Challenge(object) { challenges.append(challenge) }
        }
        self.challenges = challenges
        self.offered = Array(offered.prefix(10))
    }

    /// Why it is not valid, and never will be.
    func error(for domain: Domain) -> IssuanceError {
        let problem = challenges.first { $0.status == .invalid && $0.problem != nil }?.problem
        return problem?.error("the name was not validated")
            ?? IssuanceError(.unauthorized, "the authorization for '\(domain)' is \(status.rawValue)")
    }
}

/// A method by which a CA verifies control over a name.
package enum ChallengeType: String, Sendable, CaseIterable {
    /// A handshake with an HTTPS listener (RFC 8737).
    case tlsALPN01 = "tls-alpn-01"
    /// A request to a plain listener (RFC 8555, section 8.3).
    case http01 = "http-01"
    /// A DNS record that is created once (draft-ietf-acme-dns-persist).
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
    /// The token of a challenge that this server answers; base64url, so that it can be part of a path.
    package let token: String?
    package let problem: Problem?
    /// The issuers that a persistent TXT record may name (draft-ietf-acme-dns-persist); at most 10.
    package let issuerDomainNames: [String]
    /// The account as the TXT record has to name it, if the CA says so.
    package let accountURI: SecureURL?
    /// Whether the server knows the challenge in this form: draft-ietf-acme-dns-persist-02 gave `dns-persist-01` other
    /// members and another record.
    package var isAnswerable: Bool { type != .dnsPersist01 || !issuerDomainNames.isEmpty }

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

/// The proof that the server that answers a challenge has the account's key (RFC 8555, section 8.1).
package struct KeyAuthorization: Equatable, Sendable, CustomStringConvertible {
    /// The token of the challenge, a full stop, and the thumbprint of the account's key.
    package let description: String

    package init(token: String, key: AccountKey) {
        description = "\(token).\(key.thumbprint)"
    }

    /// Whether a token can be in a path and in a file's name as it is: up to 255 characters of base64url (RFC 8555,
    /// section 8.3).
    static func isUsable(token: String) -> Bool {
        1...255 ~= token.utf8.count && Base64URL.isSpelledInAlphabet(token)
    }
}

/// The TXT record that proves control over a name as long as it is there (draft-ietf-acme-dns-persist).
package struct PersistentRecord: Equatable, Sendable {
    /// `_validation-persist.` and the domain without a wildcard.
    package let name: String
    package let value: String

    /// Nil if the CA's name for itself or the account's URL cannot be in such a record.
    ///
    /// - Parameters:
    ///   - issuer: the CA's name for itself in such records.
    ///   - account: the URL of the account.
    package init?(domain: Domain, issuer: String, account: SecureURL) {
        let issuer = issuer.lowercased()
        // What separates the parts of the value cannot be within one of them.
        guard let issuer = Domain(issuer), !issuer.isWildcard, !account.description.utf8.contains(UInt8(ascii: ";"))
        else { return nil }
        name = Self.name(of: domain)
        value = "\(issuer); accounturi=\(account)" + (domain.isWildcard ? "; policy=wildcard" : "")
    }

    /// One whose value is known.
    package init(domain: Domain, value: String) {
        name = Self.name(of: domain)
        self.value = value
    }

    private static func name(of domain: Domain) -> String { "_validation-persist.\(domain.base)" }

    /// The record as a line of a zone file (RFC 1035, section 5.1); a value over 255 bytes is several strings.
    package var zoneLine: String {
        var strings: [String] = []
        var rest = value.utf8[...]
        while !rest.isEmpty {
            strings.append("\"\(Substring(rest.prefix(255)))\"")
            rest = rest.dropFirst(255)
        }
        return "\(name). 3600 IN TXT \(strings.joined(separator: " "))"
    }
}

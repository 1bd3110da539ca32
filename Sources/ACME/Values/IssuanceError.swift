/// The type of a failure of an order or the CA: one of a fixed set of words, for JSON, metrics and diagnostics.
package enum IssuanceErrorType: String, Sendable, CaseIterable {
    // RFC 8555, section 6.7.
    case accountDoesNotExist, alreadyRevoked, badCSR, badNonce, badPublicKey, badRevocationReason
    case badSignatureAlgorithm, caa, compound, connection, dns, externalAccountRequired, incorrectResponse
    case invalidContact, malformed, orderNotReady, rateLimited, rejectedIdentifier, serverInternal, tls
    case unauthorized, unsupportedContact, unsupportedIdentifier, userActionRequired
    /// RFC 9773, section 7.4.
    case alreadyReplaced
    /// draft-aaron-acme-profiles.
    case invalidProfile
    /// Any other type of a CA.
    case other

    // Our own; `dns` above is also what our own look-up says.
    case preflight
    /// The CA cannot be reached, or has failed (5xx).
    case unavailable
    /// An answer breaks the rules.
    case `protocol`
    case badCertificate = "bad-certificate"
    case storage
    case timeout
    case acmeWildcard = "acme-wildcard"
    case acmeChallenges = "acme-challenges"
    case acmeProfile = "acme-profile"
    case acmeAccount = "acme-account"
    case acmeName = "acme-name"

    private static let prefix = "urn:ietf:params:acme:error:"
    private static let own: Set<IssuanceErrorType> = [
        .other, .preflight, .unavailable, .protocol, .badCertificate, .storage, .timeout, .acmeWildcard,
        .acmeChallenges, .acmeProfile, .acmeAccount, .acmeName,
    ]

    /// The type of a problem document; `other` for what no specification has.
    package init(urn: String) {
        guard urn.hasPrefix(Self.prefix), let type = Self(rawValue: String(urn.dropFirst(Self.prefix.count))),
            !Self.own.contains(type)
        else {
            self = .other
            return
        }
        self = type
    }

    /// Whether the failure is about the account, whatever was requested: only a change by the operator helps.
    var concernsAccount: Bool {
        [.externalAccountRequired, .userActionRequired, .invalidContact, .unsupportedContact].contains(self)
    }

    /// Whether nothing but a change on this side helps, so that the domain counts as blocked.
    package var isBlocking: Bool {
        switch self {
        case .acmeWildcard, .acmeChallenges, .acmeName: true
        default: false
        }
    }
}

/// Why an order, or everything that is asked of the CA, has failed.
package struct IssuanceError: Error, Equatable, Sendable {
    /// Who has to wait.
    package enum Scope: Sendable {
        case domain
        /// All domains: the directory, a nonce or the account could not be had.
        case authority
    }

    package let type: IssuanceErrorType
    /// One clause without a full stop, which can be shown as it is: what the CA has written in it is escaped.
    package internal(set) var message: String
    package internal(set) var scope: Scope
    /// Seconds that the CA wants to be left alone.
    package let retryAfter: Int64?

    package init(_ type: IssuanceErrorType, _ message: String, scope: Scope = .domain, retryAfter: Int64? = nil) {
        (self.type, self.message, self.scope, self.retryAfter) = (type, message, scope, retryAfter)
    }

    /// The error with a remark after it, such as what could not be found out beforehand.
    package func adding(_ remark: String) -> IssuanceError {
        var copy = self
        copy.message += "; \(remark)"
        return copy
    }

    /// The error with another scope.
    package func concerning(_ scope: Scope) -> IssuanceError {
        var copy = self
        copy.scope = scope
        return copy
    }
}

package import DomainNames
package import OpenSSL

/// The type of a certificate's private key.
package enum CertificateKeyType: String, Sendable, CaseIterable {
    case p256, p384, rsa2048
}

/// A certificate to be had from the CA.
package struct OrderTask: Equatable, Sendable {
    package let domain: Domain
    /// The types of challenge that may be used, the preferred one first.
    package var challenges: [ChallengeType]
    /// The settings of the time at which it was planned.
    package var configuration: ACMEConfiguration
    /// The certificate that the new one takes the place of.
    package var replaces: CertificateID?
    /// The order of an earlier run, to be continued if the CA still has it.
    package var resumes: SecureURL?

    package init(
        domain: Domain, challenges: [ChallengeType], configuration: ACMEConfiguration = ACMEConfiguration(),
        replaces: CertificateID? = nil, resumes: SecureURL? = nil
    ) {
        (self.domain, self.challenges, self.configuration) = (domain, challenges, configuration)
        (self.replaces, self.resumes) = (replaces, resumes)
    }
}

/// The answer that the server gives while a challenge is pending.
package struct ChallengeAnswer: Equatable, Sendable {
    package let domain: Domain
    /// `tls-alpn-01` or `http-01`.
    package let type: ChallengeType
    package let token: String
    package let keyAuthorization: KeyAuthorization
}

/// A certificate that was issued and checked, with its key: what is installed.
package struct OrderedCertificate: Sendable {
    package let domain: Domain
    package let chain: IssuedChain
    package let key: PrivateKey

    package init(domain: Domain, chain: IssuedChain, key: PrivateKey) {
        (self.domain, self.chain, self.key) = (domain, chain, key)
    }
}

/// An order that has come to nothing.
package struct OrderFailure: Equatable, Sendable {
    package let error: IssuanceError
    /// Whether the order can be continued by the next attempt: the CA has not given it up.
    package let keepsOrder: Bool
    /// The challenge by which the name was not validated; the next order uses another one.
    package let challenge: ChallengeType?

    package init(error: IssuanceError, keepsOrder: Bool, challenge: ChallengeType? = nil) {
        (self.error, self.keepsOrder, self.challenge) = (error, keepsOrder, challenge)
    }

    /// The failure with a remark after its error.
    func adding(_ remark: String) -> OrderFailure {
        OrderFailure(error: error.adding(remark), keepsOrder: keepsOrder, challenge: challenge)
    }
}

package import DomainNames
package import OpenSSL

/// The settings with which a server gets its certificates by itself (acme.md, section 1). The server reads them from server.json.
package struct ACMEConfiguration: Equatable, Sendable {
    /// The CA to ask.
    package enum Directory: Equatable, Sendable {
        case letsEncrypt, letsEncryptStaging
        /// Begins with `https://`.
        case other(String)

        /// The URL of its directory (RFC 8555, section 7.1.1).
        package var url: String {
            switch self {
            case .letsEncrypt: "https://acme-v02.api.letsencrypt.org/directory"
            case .letsEncryptStaging: "https://acme-staging-v02.api.letsencrypt.org/directory"
            case .other(let url): url
            }
        }

        /// Whether it is known that it signs for public names only.
        package var isPublic: Bool {
            switch self {
            case .letsEncrypt, .letsEncryptStaging: true
            case .other: false
            }
        }
    }

    /// An existing account at the CA (RFC 8555, section 7.3.4).
    package struct ExternalAccount: Equatable, Sendable {
        /// The `kid`.
        package let keyIdentifier: String
        package let hmacKeyFile: String
        /// The key in that file, decoded; `nil` until it was read.
        package var hmacKey: SecretBytes?

        package init(keyIdentifier: String, hmacKeyFile: String, hmacKey: SecretBytes? = nil) {
            self.keyIdentifier = keyIdentifier
            self.hmacKeyFile = hmacKeyFile
            self.hmacKey = hmacKey
        }
    }

    /// The ports at which the CA connects.
    package struct Ports: Equatable, Sendable {
        package var tlsALPN01 = 443
        package var http01 = 80
    }

    package struct Limits: Equatable, Sendable {
        /// Orders in progress at a time.
        package var parallelOrders = 4
        /// Orders that are begun in any three hours.
        package var ordersPer3Hours = 250
    }

    /// Whether the CA's terms of service are agreed to; without that no certificate is asked for.
    package var agreesToTerms = false
    package var directory = Directory.letsEncrypt
    /// E-mail addresses, without `mailto:`.
    package var contact: [String] = []
    /// The name of a certificate profile of the CA.
    package var profile: String?
    package var keyType = CertificateKeyType.p256
    /// Where the account and the certificates are kept; `nil` is the folder of certificates.
    package var folder: String?
    /// A file with the roots to trust for the CA's HTTPS; `nil` is the system's store.
    package var rootsFile: String?
    /// The certificates in that file; `nil` until it was read.
    package var roots: [UInt8]?
    /// The names of the folders of sites that get no certificate.
    package var exclude: [String] = []
    /// The preferred one first.
    package var challenges = [ChallengeType.tlsALPN01, .http01]
    package var externalAccount: ExternalAccount?
    /// The common name of an issuer.
    package var preferredChain: String?
    /// Whether a name is looked at from here before it is ordered.
    package var preflight = true
    package var challengePorts = Ports()
    package var limits = Limits()

    package init() {}
}

/// The settings in force, with what orders need to know beside them.
package struct IssuanceSettings: Sendable {
    package let authority: AuthorityID
    package var configuration: ACMEConfiguration
    /// The challenges for which there is a listener.
    package var answerable: Set<ChallengeType>
    /// The domains that are excluded: by names of folders, and no other spelling.
    package var excluded: Set<Domain>

    /// Nil if the CA's directory is not a usable URL.
    ///
    /// - Parameter folder: where the account and the certificates are kept.
    package init?(_ configuration: ACMEConfiguration, folder: String, answerable: Set<ChallengeType>) {
        guard let directory = SecureURL(configuration.directory.url) else { return nil }
        authority = AuthorityID(directory: directory, folder: folder)
        (self.configuration, self.answerable) = (configuration, answerable)
        excluded = Set(configuration.exclude.compactMap { try? Domain(folder: $0) })
    }
}

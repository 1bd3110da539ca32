package import ACME
package import OpenSSL
package import ServiceHealth

/// A server as what gets certificates for it sees it: all that the two have to do with each other.
///
/// All methods may be called on any thread, and none waits for a loop.
package protocol IssuanceHost: AnyObject, Sendable {
    /// The sites that need certificates, the certificates that there are, and the settings.
    var issuanceInput: IssuanceInput { get }

    /// Has the handler called after each reload, whatever it has changed: `issuanceInput`, or the requests in
    /// `acme-account/renew`; but for those of `certificatesChanged`. It is called on the queue of reloads, and must not
    /// wait.
    ///
    /// - Parameter handler: `nil` for none; another one takes the place of the one before.
    func whenIssuanceInputChanges(_ handler: (@Sendable () -> Void)?)

    /// Has every loop answer these challenges, beside those that are pending already.
    ///
    /// - Parameter whenServed: is called once, on any thread, when all do.
    func publish(_ challenges: [PendingChallenge], whenServed: @escaping @Sendable () -> Void)

    /// Answers these challenges no more.
    func withdraw(_ challenges: [PendingChallenge])

    /// Reads certificates again, because they were written, and presents what is good of them.
    ///
    /// Calls that come while another one is at work are one.
    /// - Parameters:
    ///   - folders: the names of their folders; of others only what could not be used before is looked at.
    ///   - whenPresented: is called once, on any thread, when every loop does.
    func certificatesChanged(in folders: Set<String>, whenPresented: @escaping @Sendable () -> Void)

    /// Shows this from now on.
    ///
    /// - Parameter report: is called at most once, when the report is first asked for, on any thread.
    func show(_ report: @escaping @Sendable () -> IssuanceReport)
}

/// The sites that need certificates, the certificates that there are, and the settings.
package struct IssuanceInput: Equatable, Sendable {
    /// A certificate that was read.
    package struct Certificate: Equatable, Sendable {
        /// The folder that it was read from.
        package let folder: String
        /// The certificate in DER.
        package let leaf: [UInt8]
        /// The DNS names in it, in lowercase.
        package let names: [String]
        package let keyType: ServerCertificate.KeyType
        package let keyBits: Int
        /// Seconds since 1970.
        package let notBefore: Int64
        /// Seconds since 1970.
        package let notAfter: Int64
        package let source: CertificateSource
        /// The URL of the directory of the CA that it was ordered from, if a store says so; files have it beside them.
        package let authority: String?
        /// Whether the present files cannot be used, or are gone: what is presented was read earlier.
        package let isKept: Bool
        /// Whether some client is presented it.
        package let isPresented: Bool

        /// Whether the certificate names a domain.
        ///
        /// - Parameter domain: `example.com`, or `*.example.com`, which only the same wildcard names.
        package func names(_ domain: String) -> Bool {
            names.contains(domain) || names.contains(CertificateChoice.wildcard(of: domain))
        }
    }

    /// The settings in force.
    package let configuration: ACMEConfiguration
    /// Where the account and the certificates are kept.
    package let folder: String
    /// The domains of the sites, sorted: `example.com`, or `*.example.com` for a wildcard.
    package let domains: [String]
    /// All that were read.
    package let certificates: [Certificate]
    /// The challenges that a listener can answer, with the one that a DNS record answers.
    package let answerable: Set<ChallengeType>
}

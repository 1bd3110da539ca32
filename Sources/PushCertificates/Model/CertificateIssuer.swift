/// Who issued a certificate.
public struct CertificateIssuer: Sendable, Equatable {
    /// As the certificate says; nobody has proved it.
    public let commonName: String?
    /// Which of Apple's intermediates signed it, like `G4`; nil if none of them did.
    public let generation: String?
    /// Whether signatures lead from it to one of Apple's roots. Says nothing about time or revocation.
    public let chainsToApple: Bool
    /// When the certificate of the one that signed it ends, in seconds since 1970; nil if that one is neither built in nor
    /// in the file, and for what signed itself.
    package let notAfter: Int64?

    public init(commonName: String?, generation: String?, chainsToApple: Bool) {
        self.init(commonName: commonName, generation: generation, chainsToApple: chainsToApple, notAfter: nil)
    }

    package init(commonName: String?, generation: String?, chainsToApple: Bool, notAfter: Int64?) {
        self.commonName = commonName
        self.generation = generation
        self.chainsToApple = chainsToApple
        self.notAfter = notAfter
    }
}

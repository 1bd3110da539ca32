/// A certificate at a time.
public struct CertificateCheck: Sendable {
    public let certificate: PushCertificate
    public let status: CheckStatus
    /// Whole days until its end, rounded down, −1 in the first second after it; nil for a token key.
    public let daysLeft: Int?
    /// The newest certificate of the run that replaces it; nil if none does, or none needs to.
    public let supersededBy: CertificatePlace?
    /// Whether its end matters: there is one, no newer certificate replaces it, and it is no CA beside others.
    public let counts: Bool
    /// Whether nothing can be sent with it as it is in its file, whatever the time: its private key is missing there.
    public let isUnusable: Bool
    /// How the time lies in its validity; nil for a token key.
    package let validity: Validity?

    /// Whether a newer one of the run replaces it.
    public var isSuperseded: Bool { supersededBy != nil }
}

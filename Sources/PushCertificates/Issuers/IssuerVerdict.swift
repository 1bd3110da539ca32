/// What signatures tell about who issued a certificate.
struct IssuerVerdict {
    /// The authority of Apple whose key has made the signature.
    var authority: AppleAuthority?
    /// One that the certificate names as its issuer, and that has not signed it.
    var pretended: AppleAuthority?
    /// The place of the authority in the same file whose key has made the signature.
    var parent: Int?
    /// Whether signatures lead to one of Apple's roots.
    var chainsToApple = false
    /// When the issuer's certificate ends, as far as it is known, in seconds since 1970.
    var issuerNotAfter: Int64?
}

/// The object identifiers that say what a certificate is.
enum ObjectIdentifier {
    // Attributes of a subject (RFC 4519).
    static let userID = "0.9.2342.19200300.100.1.1"
    static let commonName = "2.5.4.3"
    static let organization = "2.5.4.10"
    static let organizationalUnit = "2.5.4.11"

    // Extensions (RFC 5280, section 4.2).
    static let subjectKeyIdentifier = "2.5.29.14"
    static let basicConstraints = "2.5.29.19"
    static let authorityKeyIdentifier = "2.5.29.35"
    static let extendedKeyUsage = "2.5.29.37"

    // Apple's extensions (push-certificates.md, section 2).
    static let appleCodeSigning = "1.2.840.113635.100.6.1."
    static let passTypeID = "1.2.840.113635.100.6.1.16"
    static let pushDevelopment = "1.2.840.113635.100.6.3.1"
    static let pushProduction = "1.2.840.113635.100.6.3.2"
    static let voipTopics = "1.2.840.113635.100.6.3.4"
    static let topics = "1.2.840.113635.100.6.3.6"

    // Extended key usages (RFC 5280, section 4.2.1.12).
    static let serverAuthentication = "1.3.6.1.5.5.7.3.1"
    static let clientAuthentication = "1.3.6.1.5.5.7.3.2"
    static let codeSigning = "1.3.6.1.5.5.7.3.3"
    static let emailProtection = "1.3.6.1.5.5.7.3.4"
    static let timeStamping = "1.3.6.1.5.5.7.3.8"
    static let ocspSigning = "1.3.6.1.5.5.7.3.9"
}

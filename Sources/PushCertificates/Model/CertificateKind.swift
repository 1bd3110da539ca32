/// What a certificate is for.
public enum CertificateKind: String, Sendable, CaseIterable {
    /// The universal one of today: all topics of an app, both environments.
    case applePushServices = "apple-push-services"
    case apnsDevelopment = "apns-development"
    case apnsProduction = "apns-production"
    case voip
    case watchkit
    case websitePush = "website-push"
    case passTypeID = "pass-type-id"
    case mdm
    /// A signing key for tokens (`.p8`): no certificate, and without an end.
    case tokenKey = "token-key"
    /// A certification authority.
    case ca
    /// A certificate for something else.
    case notPush = "not-push"
}

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

extension CertificateKind {
    /// What it is for, in a few words.
    var explanation: String {
        switch self {
        case .applePushServices: "all notifications for an app"
        case .apnsDevelopment: "notifications for an app in development"
        case .apnsProduction: "notifications for an app in production"
        case .voip: "incoming VoIP calls for an app"
        case .watchkit: "complications of a watch app"
        case .websitePush: "notifications from a website in Safari"
        case .passTypeID: "updates of passes in Wallet"
        case .mdm: "device management, MDM"
        case .tokenKey: "a key that signs tokens, not a certificate"
        case .ca: "a certificate authority"
        case .notPush: "not for push notifications"
        }
    }

    /// In a word, for a table.
    var word: String {
        switch self {
        case .applePushServices: "push"
        case .apnsDevelopment: "sandbox"
        case .apnsProduction: "production"
        case .voip: "voip"
        case .watchkit: "watchkit"
        case .websitePush: "website"
        case .passTypeID: "pass"
        case .mdm: "mdm"
        case .tokenKey: "token key"
        case .ca: "ca"
        case .notPush: "not push"
        }
    }
}

/// What to do about a certificate that ends (push-certificates.md, section 10).
enum RenewalAdvice {
    static func text(_ kind: CertificateKind) -> String {
        switch kind {
        case .mdm:
            "renew this same certificate in the Apple Push Certificates Portal, with the same Apple ID, and make no "
                + "new one: a new one has a new topic, and every device would have to enrol again"
        case .ca:
            "take the current one from https://www.apple.com/certificateauthority/"
        case .notPush:
            "renew it where it comes from"
        case .applePushServices, .apnsDevelopment, .apnsProduction, .voip, .watchkit, .websitePush, .passTypeID,
            .tokenKey:
            "make a new certificate ('certcheck csr' begins that without a Mac), deploy it, check it with certcheck, "
                + "and only then revoke the old one; Apple allows two at a time, and revoking first is an outage; only "
                + "if both places are taken must one that nobody uses be revoked before"
        }
    }
}

/// What to do about a certificate that expires (push-certificates.md, section 10).
enum RenewalAdvice {
    static func text(_ kind: CertificateKind) -> String {
        switch kind {
        case .mdm:
            "renew this certificate at identity.apple.com with the same Apple ID; do not create a new one: it would have "
                + "another topic, and every device would have to enrol again"
        case .ca:
            "download the current one from https://www.apple.com/certificateauthority/"
        case .notPush:
            "renew it with whoever issued it"
        case .applePushServices, .apnsDevelopment, .apnsProduction, .voip, .watchkit, .websitePush, .passTypeID,
            .tokenKey:
            "renew now: run 'certcheck csr', deploy the new certificate, then revoke the old one (never before)"
        }
    }
}

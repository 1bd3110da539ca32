internal import Diagnostics

/// The codes about certificates that `aasa serve` gets by itself (acme.md).
enum IssuanceDescriptions {
    static let all: [RuleDescription] = settings + names + orders

    private static let settings: [RuleDescription] = [
        RuleDescription(
            "acme-terms", .error, subject: .serverConfiguration,
            summary: "'acme' in 'server.json' does not agree to the terms of service",
            reason: """
                A CA gives certificates only to those who agree to its terms of service. That is for a person to do, who \
                has read them.
                """, basis: [.lint],
            bad: """
                { "acme": { "agreeToTerms": ⟦false⟧ } }

                """,
            good: """
                { "acme": { "agreeToTerms": true } }

                """),
        issuance(
            "acme-no-listener", .warning, "no challenge of 'acme' can be answered by a listener",
            """
            The CA asks at an HTTPS listener for 'tls-alpn-01' and at a plain listener for 'http-01'. The server has no \
            listener for any of 'acme.challenges', so no certificate can be got.
            """,
            bad: #"{ "listen": ["443"], "acme": { "agreeToTerms": true, "challenges": ["http-01"] } }"#,
            good:
                #"{ "listen": ["443", "http://0.0.0.0:80"], "acme": { "agreeToTerms": true, "challenges": ["http-01"] } }"#,
            "Add a listener to 'listen', or the challenge that the listeners can answer to 'acme.challenges'."),
        issuance(
            "acme-exclude-unknown", .warning, "'acme.exclude' has a name without a site",
            "The entry has no effect: there is no site folder of this name, so no certificate would be ordered for it.",
            bad: #""exclude": ["*.example.com"], and the folder 'sites/_wildcard.example.com'"#,
            good: #""exclude": ["_wildcard.example.com"]"#,
            "Write the name of the site's folder exactly, or remove the entry."),
        issuance(
            "acme-folder", .error, "the folder of accounts and certificates cannot be written",
            """
            The account's key is made before the first order, and a certificate is of use only if it is there after a \
            restart. Without a folder to write to, nothing is ordered.
            """,
            bad: "certs: permission denied", good: "drwx------ aasa certs",
            """
            Give the user of the server the right to write the folder, or choose another with 'acme.folder'; under systemd \
            'StateDirectory=aasa' makes /var/lib/aasa.
            """),
    ]

    private static let names: [RuleDescription] = [
        issuance(
            "acme-wildcard", .warning, "a wildcard needs a DNS record, or a certificate of your own",
            """
            Only a DNS record proves a wildcard. The server answers challenges itself and writes no DNS records, so the one \
            way is 'dns-persist-01', with a record that is made once; not every CA offers it.
            """,
            bad: "sites/_wildcard.example.com, and a CA without dns-persist-01",
            good: "_validation-persist.example.com. TXT \"ca.example; accounturi=…; policy=wildcard\"",
            """
            Choose a CA that offers dns-persist-01 and make the record that 'aasa certificates --record' shows, or put a \
            certificate of your own into the certificates folder, or name the site in 'acme.exclude'.
            """),
        issuance(
            "acme-name", .warning, "a name cannot have a certificate of a public CA",
            """
            A public CA signs only for names in public DNS. A name of one label, or below 'localhost', 'local', \
            'internal', 'test', 'invalid', 'example', 'onion' or 'home.arpa', is none, so it is never ordered.
            """,
            bad: "sites/localhost, and the directory \"letsencrypt\"", good: "sites/www.example.com",
            """
            Put a certificate of your own into the certificates folder, set 'acme.directory' to a private CA, or name the \
            site in 'acme.exclude'.
            """),
    ]

    private static let orders: [RuleDescription] = [
        issuance(
            "acme-order-failed", .warning, "the last order of a certificate has failed",
            "The site has no valid certificate, and when one was ordered last, the CA refused it or could not be asked.",
            bad: "shop.example.com: unauthorized: 203.0.113.10: Invalid response from http://shop.example.com/…",
            good: "shop.example.com: issued by 'R11', valid until 2027-01-21",
            """
            See the message of the CA. Most often the name leads elsewhere, or port 443 (80 for 'http-01') is not open to \
            the Internet. The order is repeated by itself; 'aasa certificates --renew' does it now.
            """),
        issuance(
            "acme-challenges", .error, "the CA offers no challenge that can be answered",
            """
            Of the challenges that the CA offers for a name none is in 'acme.challenges', or none of those can be answered \
            by a listener.
            """,
            bad: "offered: dns-01, dns-account-01", good: "offered: tls-alpn-01, http-01, dns-01",
            "Add an offered challenge to 'acme.challenges', and a listener for it; or choose another CA."),
        issuance(
            "acme-profile", .error, "the CA does not have the profile",
            "The CA lists its profiles, and 'acme.profile' is none of them, so nothing is ordered.",
            bad: "'acme.profile' is 'shortlife'; the CA has 'classic', 'shortlived'",
            good: #""profile": "shortlived""#, "Write one of the names that the message lists, or remove the key."),
        issuance(
            "acme-account", .error, "the account at the CA cannot be used",
            """
            The key of the account cannot be read or is damaged, the account belongs to another CA or is deactivated, or \
            the CA refuses it. The key is never replaced by itself: whoever has it controls the account.
            """,
            bad: "certs/acme-account/…/account.key: it holds no private key in PEM form",
            good: "-rw------- aasa certs/acme-account/…/account.key",
            """
            Restore the folder of the account from a backup. If the account is lost, delete its folder: the next order \
            makes a new one.
            """),
        issuance(
            "acme-storage", .error, "a certificate was issued and cannot be written",
            """
            The disk is full or read-only. The certificate is served from memory until the server ends, and the writing is \
            repeated; nothing new is ordered.
            """,
            bad: "certs/shop.example.com: no space left on device", good: "certs/shop.example.com/fullchain.pem",
            "Make room on the disk, or make the folder writable, before the server ends."),
        issuance(
            "acme-clock", .warning, "the clock differs from that of the CA",
            """
            The CA's answers have a date that is more than five minutes from the clock of this machine. Certificates are \
            judged by that clock, so that they may be renewed too late or be called expired too early.
            """,
            bad: "this machine: 2026-11-22 10:00:00 UTC; CA: 2026-11-22 12:31:07 UTC",
            good: "NTP service: active", "Set the clock, for example with 'timedatectl set-ntp true'."),
    ]

    private static func issuance(
        _ code: String, _ severity: Severity, _ summary: String, _ reason: String, bad: String, good: String,
        _ advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .issuance, summary: summary, reason: reason, basis: [.lint], bad: bad, good: good,
            advice: advice)
    }
}

package import Diagnostics

/// The rules about certificates that the server obtains itself (acme.md).
package enum IssuanceRules {
    package static let all: [RuleDescription] = [
        .acmeTerms, .acmeNoListener, .acmeExcludeUnknown, .acmeFolder, .acmeWildcard, .acmeName, .acmeOrderFailed,
        .acmeChallenges, .acmeProfile, .acmeAccount, .acmeStorage, .acmeClock, .acmeRenewalWindow, .acmeRenewalLimit,
    ]
}

extension RuleDescription {
    private static func issuance(
        _ code: String, _ severity: Severity, _ summary: String, _ reason: String, bad: String, good: String,
        _ advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .issuance, summary: summary, reason: reason, basis: [.lint], bad: bad, good: good,
            advice: advice)
    }

    package static let acmeTerms = RuleDescription(
        "acme-terms", .error, subject: .serverConfiguration,
        summary: "'acme' in 'server.json' does not agree to the terms of service",
        reason: """
            A CA issues certificates only if you agree to its terms of service. A person has to read them and agree.
            """, basis: [.lint],
        bad: """
            { "acme": { "agreeToTerms": ⟦false⟧ } }

            """,
        good: """
            { "acme": { "agreeToTerms": true } }

            """,
        finding: ExampleFinding(
            """
            'acme.agreeToTerms' is not true; read the CA's terms of service, then write "agreeToTerms": true
            """))
    package static let acmeNoListener = issuance(
        "acme-no-listener", .warning, "no challenge of 'acme' can be answered by a listener",
        """
        The CA connects to an HTTPS listener for 'tls-alpn-01', and to a plain listener for 'http-01'. The server has \
        no listener for any of 'acme.challenges', so it cannot obtain a certificate.
        """,
        bad: #"{ "listen": ["443"], "acme": { "agreeToTerms": true, "challenges": ["http-01"] } }"#,
        good:
            #"{ "listen": ["443", "http://0.0.0.0:80"], "acme": { "agreeToTerms": true, "challenges": ["http-01"] } }"#,
        "Add a listener to 'listen', or add a challenge that the listeners can answer to 'acme.challenges'.")
    package static let acmeExcludeUnknown = issuance(
        "acme-exclude-unknown", .warning, "'acme.exclude' has a name without a site",
        "The entry has no effect: there is no site folder of this name, so no certificate would be ordered for it.",
        bad: #""exclude": ["*.example.com"], and the folder 'sites/_wildcard.example.com'"#,
        good: #""exclude": ["_wildcard.example.com"]"#,
        "Write the name of the site's folder exactly, or remove the entry.")
    package static let acmeFolder = issuance(
        "acme-folder", .error, "the folder of accounts and certificates cannot be written",
        """
        The account's key is created before the first order, and certificates have to survive a restart. Without a \
        writable folder nothing is ordered.
        """,
        bad: "certs: permission denied", good: "drwx------ aasa certs",
        """
        Give the server's user permission to write to the folder, or choose another with 'acme.folder'; with systemd, \
        'StateDirectory=aasa' creates /var/lib/aasa.
        """)
    package static let acmeWildcard = issuance(
        "acme-wildcard", .warning, "a wildcard needs a certificate of your own",
        """
        CAs validate wildcard names only through DNS, public CAs by 'dns-01': with a new record for each renewal. The \
        server does not write DNS records. The other method, 'dns-persist-01' with a record that you create once, was \
        offered by no public CA in production by September 2026, and this version knows it only as it was before its \
        second draft (draft-ietf-acme-dns-persist-02).
        """,
        bad: "sites/_wildcard.example.com, and no certificate for *.example.com",
        good: "certs/wildcard/fullchain.pem and privkey.pem, for *.example.com",
        """
        Get the certificate by dns-01 with another ACME client, such as certbot, lego or acme.sh, and let it put the \
        files into the certificates folder after each renewal: docs/certificates.md, "Wildcards", has the commands. Or \
        add the site to 'acme.exclude'.
        """)
    package static let acmeName = issuance(
        "acme-name", .warning, "a name cannot have a certificate of a public CA",
        """
        A public CA issues only for names in public DNS. Single-label names, and names under 'localhost', 'local', \
        'internal', 'test', 'invalid', 'example', 'onion' or 'home.arpa', are not public, so they are never ordered.
        """,
        bad: "sites/localhost, and the directory \"letsencrypt\"", good: "sites/www.example.com",
        """
        Put a certificate of your own into the certificates folder, set 'acme.directory' to a private CA, or add the \
        site to 'acme.exclude'.
        """)
    package static let acmeOrderFailed = issuance(
        "acme-order-failed", .warning, "the last order of a certificate has failed",
        """
        The site has no valid certificate, or its certificate was not renewed: the CA refused the last order or could \
        not be reached.
        """,
        bad: "shop.example.com: unauthorized: 203.0.113.10: Invalid response from http://shop.example.com/…",
        good: "shop.example.com: issued by 'R11', valid until 2027-01-21",
        """
        Read the CA's message. Most often the name points elsewhere, or port 443 (80 for 'http-01') is not open to \
        the Internet. The server retries the order automatically; 'aasa certificates --renew' retries it now.
        """)
    package static let acmeRenewalWindow = issuance(
        "acme-renewal-window", .warning, "the CA suggests a time of renewal that its certificate cannot have",
        """
        The window that the CA suggests began before the certificate became valid, or within one percent of its lifetime \
        after that. A server that followed it would order again and again. The window is ignored, and the certificate is \
        renewed after two thirds of its lifetime.
        """,
        bad: "valid from 2026-10-23, suggested window from 2026-10-01 to 2026-10-03",
        good: "valid from 2026-10-23, suggested window from 2026-12-20 to 2026-12-22",
        "Nothing has to be done. If it happens with each certificate, tell the CA.")
    package static let acmeRenewalLimit = issuance(
        "acme-renewal-limit", .warning,
        "two certificates of a name were ordered within 24 hours, and another one is due",
        """
        The server orders at most two certificates of a name in 24 hours by itself, whatever the CA answers, so that a \
        fault cannot use up the limits of the CA. The orders are counted in 'state.json', over restarts.
        """,
        bad: "orders of shop.example.com at 09:00 and 09:01, and another one is due at 09:02",
        good: "an order of shop.example.com each two months",
        """
        Read in the log why each order followed. The next one is made 24 hours after the first of the two; 'aasa \
        certificates --renew' orders one now, and is not counted.
        """)
    package static let acmeChallenges = issuance(
        "acme-challenges", .error, "the CA offers no challenge that can be answered",
        """
        None of the challenges that the CA offers for a name is in 'acme.challenges', or no listener can answer those \
        that are.
        """,
        bad: "offered: dns-01, dns-account-01", good: "offered: tls-alpn-01, http-01, dns-01",
        "Add an offered challenge to 'acme.challenges', and a listener for it; or choose another CA.")
    package static let acmeProfile = issuance(
        "acme-profile", .error, "the CA does not have the profile",
        "The CA lists its profiles, and 'acme.profile' is not one of them, so nothing is ordered.",
        bad: "'acme.profile' is 'shortlife'; the CA has 'classic', 'shortlived'",
        good: #""profile": "shortlived""#, "Write one of the names that the message lists, or remove the key.")
    package static let acmeAccount = issuance(
        "acme-account", .error, "the account at the CA cannot be used",
        """
        The key of the account cannot be read or is damaged, the account belongs to another CA or is deactivated, or \
        the CA refuses it. The server never replaces the key automatically, because it controls the account.
        """,
        bad: "certs/acme-account/…/account.key: it contains no private key in PEM form",
        good: "-rw------- aasa certs/acme-account/…/account.key",
        """
        Restore the account's folder from a backup. If the account is lost, delete its folder: the next order \
        registers a new one.
        """)
    package static let acmeStorage = issuance(
        "acme-storage", .error, "a certificate was issued but cannot be written",
        """
        The disk is full or read-only. The certificate is served from memory until the server exits, and the server \
        retries to write it; nothing new is ordered.
        """,
        bad: "certs/shop.example.com: no space left on device", good: "certs/shop.example.com/fullchain.pem",
        "Free disk space, or make the folder writable, before the server exits.")
    package static let acmeClock = issuance(
        "acme-clock", .warning, "the clock differs from that of the CA",
        """
        The dates in the CA's answers differ by more than five minutes from this machine's clock. Certificates are \
        judged by this clock, so they may be renewed too late, or reported as expired too early.
        """,
        bad: "this machine: 2026-11-22 10:00:00 UTC; CA: 2026-11-22 12:31:07 UTC",
        good: "NTP service: active", "Set the clock, for example with 'timedatectl set-ntp true'.")
}

internal import Diagnostics

/// What can be wrong with the host that serves the association file (doctor.md, section 4).
enum HostDescriptions {
    private static let answer = """
        HTTP/1.1 200 OK
        Content-Type: application/json
        """

    static let all: [RuleDescription] = names + connections + certificates + answers + comparisons + ends

    private static let names = [
        host(
            "dns-no-address", .error, "the name has no address",
            "The name exists without an A or AAAA record, or does not exist. Nothing can be fetched from it, by Apple or by a device.",
            "shop.example.com: no A record, no AAAA record", "shop.example.com: A 203.0.113.10",
            "Create an A record for the host that the app's entitlement names, or correct the name there. A change of DNS "
                + "takes as long to be seen as the old record's time to live."),
        host(
            "dns-failed", .error, "the name could not be resolved",
            "The resolver of this machine failed or did not answer in time, so nothing is known about the host.",
            "shop.example.com: the resolver did not answer within 10 s", "shop.example.com: A 203.0.113.10",
            "Try again, and from another network. If it stays, look at the name servers of the domain and at its DNSSEC."
        ),
        host(
            "dns-private-address", .error, "an address of the name is not public",
            "Apple fetches the file from the Internet. It refuses a name that resolves to a private or reserved address, and "
                + "reports SWCERR00202. Such an address is not contacted unless '--allow-private' is given.",
            "shop.example.com: A 10.0.0.5", "shop.example.com: A 203.0.113.10",
            "Give the name a public address for everybody who is not in your network. For a host that is meant to be private, "
                + "use '?mode=developer' or '?mode=managed' in the entitlement."),
        host(
            "dns-ipv6-only", .warning, "the name has only IPv6 addresses",
            "Whether Apple's fetchers use IPv6 is not documented. A host without IPv4 may not be reachable for them.",
            "shop.example.com: no A record, AAAA 2001:db8::10", "shop.example.com: A 203.0.113.10, AAAA 2001:db8::10",
            "Add an A record, for example that of a CDN or a load balancer with both families."),
        host(
            "ipv6-not-checked", .note, "this machine has no IPv6, so the IPv6 addresses are not checked",
            "Nothing is said about the IPv6 addresses of the host: this machine has no route to them.",
            "2001:db8::10: Network is unreachable", "2001:db8::10: 200, application/json",
            "Run the check from a machine with IPv6 if the host has AAAA records."),
        host(
            "nonstandard-port", .note, "the port is not 443",
            "Apple fetches association files from port 443 only; TN3155 rules out another port for 'applinks'.",
            "shop.example.com:8443", "shop.example.com", "Use another port for tests only."),
    ]

    private static let connections = [
        host(
            "connect-failed", .error, "no address accepts a connection",
            "Each address of the host refuses a TCP connection to the port, does not answer, or cannot be reached.",
            "203.0.113.10: connection refused", "203.0.113.10: connected",
            "Start the web server, and open the port in the firewall for everybody: Apple does not publish the addresses that "
                + "it fetches from."),
        host(
            "tls-handshake-failed", .error, "no address completes a TLS handshake",
            "The port accepts connections and then speaks no TLS, sends an alert, resets the connection or stays silent.",
            "203.0.113.10: alert handshake_failure", "203.0.113.10: TLS 1.3",
            "Make sure that the port speaks TLS and that the server has a certificate for this name (server name indication). "
                + "A web application firewall that drops unknown clients looks the same."),
        host(
            "tls-old-version", .error, "the server accepts only versions of TLS before 1.2",
            "Apple's systems refuse TLS 1.0 and 1.1 (App Transport Security, and RFC 8996 for everybody).",
            "203.0.113.10: TLS 1.0", "203.0.113.10: TLS 1.2 and TLS 1.3",
            "Switch TLS 1.2 and 1.3 on in the web server or load balancer."),
        host(
            "tls12-missing", .warning, "the server accepts TLS 1.3 only",
            "Older systems, and some fetchers, speak TLS 1.2 at most. Which one Apple uses is not documented.",
            "203.0.113.10: TLS 1.3", "203.0.113.10: TLS 1.2 and TLS 1.3", "Accept TLS 1.2 too."),
        host(
            "tls13-missing", .note, "the server accepts TLS 1.2 only",
            "TLS 1.2 works. TLS 1.3 is quicker, and the version that is maintained.",
            "203.0.113.10: TLS 1.2", "203.0.113.10: TLS 1.2 and TLS 1.3", "Switch TLS 1.3 on when it is convenient."),
    ]

    private static let certificates = [
        host(
            "tls-expired", .error, "the certificate has expired",
            "Nobody fetches a file over a connection with an expired certificate.",
            "valid until 2026-11-01", "valid until 2027-01-22",
            "Renew the certificate, have the server load it, and find out why the renewal did not run by itself."),
        host(
            "tls-not-yet-valid", .error, "the certificate is not valid yet",
            "The validity begins in the future: a clock is wrong, or the certificate was put in place too early.",
            "valid from 2026-12-01", "valid from 2026-10-01",
            "Wait for that time or go back to the certificate before it; look at the clock of the machine that made it."
        ),
        host(
            "tls-name-mismatch", .error, "the certificate does not cover the host",
            "No subject alternative name of the certificate is the host, or a wildcard for it. A wildcard stands for exactly one "
                + "label: '*.example.com' covers 'shop.example.com', and neither 'example.com' nor 'a.shop.example.com'.",
            "example.com, www.example.com", "shop.example.com",
            "Order a certificate that names the host. Where the server has one, it sends the wrong one: look at the server name "
                + "that it is configured for."),
        host(
            "tls-missing-intermediate", .error, "the server does not send the intermediate certificate",
            "The server sends only its own certificate, and its issuer is not a trusted root. Browsers fetch what is missing or "
                + "remember it from elsewhere, so the page looks fine there; Apple's fetcher may not.",
            "1 certificate: shop.example.com, issued by R11", "2 certificates: shop.example.com, R11",
            "Configure the full chain (for most authorities the file 'fullchain.pem', not 'cert.pem'). If the issuer is a private "
                + "authority, use one that devices trust."),
        host(
            "tls-untrusted", .error, "the certificate chain does not end in a trusted root",
            "The certificate is self-signed, or its authority is not one that systems trust.",
            "issued by 'Example Development CA'", "issued by R11, ISRG Root X1",
            "Use a certificate of a public authority. For a private authority that managed devices trust, use '?mode=managed' in "
                + "the entitlement, and '--ca-file' here."),
        host(
            "tls-expires-soon", .warning, "the certificate expires soon",
            "Fewer days are left than '--certificate-days', or than a third of the lifetime where that is less: a renewal that "
                + "works by itself would have run by now.",
            "9 days left (until 2026-12-01)", "61 days left (until 2027-01-22)",
            "Look at what renews it, and renew it now."),
    ]

    private static let answers = [
        host(
            "address-failed", .warning, "one of the addresses fails while another answers",
            "Clients choose among the addresses of a name. With one that fails some get the file, and some do not.",
            "203.0.113.11: connection refused", "203.0.113.11: 200, application/json",
            "Repair the server at that address, or take the address out of DNS."),
        host(
            "address-content-differs", .warning, "the addresses of the host send different files",
            "Which links open the app depends on the address that the fetcher happened to choose.",
            "203.0.113.10: 812 bytes, 203.0.113.11: 640 bytes", "203.0.113.10 and 203.0.113.11: the same file",
            "Deploy the file to every server, and purge caches that still have the old one."),
        host(
            "http-redirect", .error, "the answer is a redirect",
            "Apple's documentation forbids redirects for the association file, and its CDN, which devices ask, does not follow "
                + "them.",
            """
            HTTP/1.1 301 Moved Permanently
            Location: https://www.example.com/.well-known/apple-app-site-association
            """, answer,
            "Answer this path on this host itself, before the rule that redirects. 'aasa export' has configurations for many "
                + "hosts."),
        host(
            "http-not-found", .error, "the file is not there",
            "The host answers 404 or 410.",
            "HTTP/1.1 404 Not Found", answer,
            "Put the file at '/.well-known/apple-app-site-association', without an extension. Many hosts leave out folders whose "
                + "name begins with a dot: 'aasa export' knows the setting."),
        host(
            "http-forbidden", .error, "the host refuses the request",
            "The host answers 401, 403 or 451. The file has to be public: without a password, an address list or a check for "
                + "robots.",
            "HTTP/1.1 403 Forbidden", answer,
            "Exempt the path from authentication, from rules against dot files and from bot protection."),
        host(
            "http-server-error", .error, "the host fails",
            "The host answers with a 5xx status.",
            "HTTP/1.1 502 Bad Gateway", answer,
            "Look at the log of the web server and of what is behind it. A static file needs neither."),
        host(
            "http-unexpected-status", .error, "the status is not 200",
            "Only a 200 with the whole file counts.",
            "HTTP/1.1 204 No Content", answer, "Have the path answered by a static file."),
        host(
            "file-only-at-root", .error, "the file is at the root only",
            "The file is at '/apple-app-site-association' and not below '/.well-known/'. Apple's CDN asks for the latter only.",
            """
            /.well-known/apple-app-site-association: 404
            /apple-app-site-association: 200
            """, "/.well-known/apple-app-site-association: 200", "Serve the file below '/.well-known/' too."),
        host(
            "http-timeout", .error, "no complete answer in time",
            "The answer was not complete within '--timeout'. Apple's limit is not published; reports speak of 5 s.",
            "no header within 10 s", "header after 84 ms",
            "Serve the file as a static file, not by an application that has to start first. Look at firewalls that drop packets."
        ),
        host(
            "http-slow", .warning, "the answer is slow",
            "The header took 3 s or more. Apple's limit is not published; reports speak of 5 s.",
            "header after 3.4 s", "header after 84 ms", "Serve the file as a static file, or from a CDN."),
        host(
            "http-protocol-error", .error, "the answer is not one of HTTP",
            "The connection was reset or closed before the answer was complete, or what came is not HTTP.",
            "closed after 400 of 812 bytes", answer,
            "Look at the log of the web server; a firewall or a proxy that cuts connections looks the same."),
        host(
            "http-content-type", .warning, "the content type is not that of JSON",
            "Apple asks for 'application/json'. Other types are accepted by some versions and not by others.",
            "Content-Type: text/html", "Content-Type: application/json",
            "Set the type for exactly this path: the file has no extension to take it from. 'aasa export' has the lines."
        ),
        host(
            "http-octet-stream", .note, "the content type says nothing",
            "'application/octet-stream', or no type, is accepted in practice, although nobody documents it.",
            "Content-Type: application/octet-stream", "Content-Type: application/json",
            "Set 'application/json' where the host lets you."),
        host(
            "http-content-encoding", .warning, "the answer is encoded, although that was not asked for",
            "A fetcher that does not ask for gzip need not be able to read it. An encoding that cannot be decoded is an error.",
            "Content-Encoding: gzip", answer,
            "Leave this path out of compression, or have the server look at 'Accept-Encoding'."),
    ]

    private static let comparisons = [
        host(
            "agent-blocked", .error, "Apple's fetcher is refused, and a browser is not",
            "The request of 'AASA-Bot' fails, and the same request of a browser gets the file: a firewall, a bot protection or a "
                + "geographic rule.",
            """
            AASA-Bot: 403
            browser:  200, application/json
            """,
            """
            AASA-Bot: 200, application/json
            browser:  200, application/json
            """,
            "Allow the path '/.well-known/apple-app-site-association' for everybody, before any other rule. Apple does not publish "
                + "the addresses that it fetches from."),
        host(
            "device-blocked", .warning, "a device is refused, and Apple's fetcher is not",
            "Devices ask the host directly in developer mode, and where Apple's CDN says so.",
            """
            AASA-Bot:  200, application/json
            CFNetwork: 403
            """,
            """
            AASA-Bot:  200, application/json
            CFNetwork: 200, application/json
            """, "Allow the path for every user agent."),
        host(
            "agent-content-differs", .warning, "clients get different files",
            "What is served depends on the user agent, so Apple's copy need not be what a browser shows.",
            """
            AASA-Bot: 640 bytes
            browser:  812 bytes
            """,
            """
            AASA-Bot: 812 bytes
            browser:  812 bytes
            """, "Serve one file to all. Where a CDN varies by user agent, exempt the path."),
        host(
            "root-copy-differs", .warning, "the copy at the root is another file",
            "Systems before iOS 9.3 ask for the file at the root. Two files that differ are a file that somebody forgot.",
            """
            /.well-known/apple-app-site-association: 812 bytes
            /apple-app-site-association: 640 bytes
            """,
            """
            /.well-known/apple-app-site-association: 812 bytes
            /apple-app-site-association: 404
            """, "Remove the copy at the root, or make it the same file."),
    ]

    private static let ends = [
        host(
            "check-incomplete", .warning, "the time for the domain was over",
            "Five times '--timeout' was not enough. Steps that were not finished are skipped, and nothing is said about them.",
            "after 50 s: addresses, assetlinks", "all steps within 50 s",
            "Give a longer '--timeout', and find out what is slow.")
    ]

    private static func host(
        _ code: String, _ severity: Severity, _ summary: String, _ reason: String, _ bad: String, _ good: String,
        _ advice: String
    ) -> RuleDescription {
        let basis: [RuleDescription.Basis] =
            switch code {
            case "http-redirect", "http-content-type", "nonstandard-port": [.apple]
            case _ where severity == .error: [.apple, .inferred]
            default: [.inferred]
            }
        return RuleDescription(
            code, severity, subject: .host, summary: summary, reason: reason, basis: basis, bad: bad, good: good,
            advice: advice)
    }
}

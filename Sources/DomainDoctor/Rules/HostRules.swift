package import Diagnostics

/// The rules about the host that serves the association file (doctor.md, section 4).
package enum HostRules {
    package static let all: [RuleDescription] = [
        .dnsNoAddress, .dnsFailed, .dnsPrivateAddress, .dnsIPv6Only, .ipv6NotChecked, .nonstandardPort,
        .connectFailed, .tlsHandshakeFailed, .tlsOldVersion, .tls12Missing, .tls13Missing, .tlsExpired,
        .tlsNotYetValid, .tlsNameMismatch, .tlsMissingIntermediate, .tlsUntrusted, .tlsExpiresSoon, .addressFailed,
        .addressContentDiffers, .httpRedirect, .httpNotFound, .httpForbidden, .httpServerError,
        .httpUnexpectedStatus, .fileOnlyAtRoot, .httpTimeout, .httpSlow, .httpProtocolError, .httpContentType,
        .httpOctetStream, .httpContentEncoding, .connectionsDropped, .agentBlocked, .deviceBlocked,
        .agentContentDiffers, .rootCopyDiffers, .checkIncomplete,
    ]
}

extension RuleDescription {
    static let goodAnswer = """
        HTTP/1.1 200 OK
        Content-Type: application/json
        """

    static func live(
        _ code: String, _ severity: Severity, subject: Subject = .host, _ summary: String, _ reason: String,
        _ bad: String, _ good: String, _ advice: String, basis: [Basis]? = nil
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: subject, summary: summary, reason: reason,
            basis: basis ?? (severity == .error ? [.apple, .inferred] : [.inferred]), bad: bad, good: good,
            advice: advice)
    }

    static let dnsNoAddress = live(
        "dns-no-address", .error, "the name has no address",
        "The name has neither an A nor an AAAA record, or does not exist. Neither Apple nor a device can "
            + "fetch anything from it.",
        "shop.example.com: no A record, no AAAA record", "shop.example.com: A 203.0.113.10",
        "Create an A record for the host, or correct the name in the app's entitlement. A change of DNS is "
            + "seen everywhere when the time to live of the old record is over.")
    static let dnsFailed = live(
        "dns-failed", .error, "the name could not be resolved",
        "The resolver of this machine failed or did not answer in time, so nothing is known about the host.",
        "shop.example.com: the resolver did not answer within 10 s", "shop.example.com: A 203.0.113.10",
        "Try again, and from another network. If it still fails, look at the name servers of the domain and "
            + "at its DNSSEC.", basis: [.lint])
    static let dnsPrivateAddress = live(
        "dns-private-address", .error, "an address of the name is not public",
        "Apple fetches the file from the Internet. It refuses a name that resolves to a private or reserved "
            + "address with SWCERR00202. Such an address is not contacted here unless '--allow-private' is given, "
            + "and then it is a note.",
        "shop.example.com: A 10.0.0.5", "shop.example.com: A 203.0.113.10",
        "Give the name public addresses only. For a host that is meant to be private, use '?mode=developer' "
            + "or '?mode=managed' in the entitlement.")
    static let dnsIPv6Only = live(
        "dns-ipv6-only", .warning, "the name has only IPv6 addresses",
        "Whether Apple's fetchers use IPv6 is not documented. They may not be able to reach a host without an "
            + "IPv4 address.",
        "shop.example.com: no A record, AAAA 2001:db8::10", "shop.example.com: A 203.0.113.10, AAAA 2001:db8::10",
        "Add an A record, for example that of a CDN or a load balancer with both families.")
    static let ipv6NotChecked = live(
        "ipv6-not-checked", .note, "this machine has no route to IPv6, so IPv6 addresses are not checked",
        "Nothing is known about the IPv6 addresses of the host: this machine cannot reach any.",
        "2001:db8::10: network unreachable", "2001:db8::10: 200, application/json",
        "Run the check from a machine with IPv6 if the host has AAAA records.", basis: [.lint])
    static let nonstandardPort = live(
        "nonstandard-port", .note, "the port is not 443",
        "Apple fetches association files from port 443 only; its technical note TN3155 rules out other ports "
            + "for 'applinks'.",
        "shop.example.com:8443", "shop.example.com", "Use another port for tests only.", basis: [.apple])
    static let connectFailed = live(
        "connect-failed", .error, "no address accepts a connection",
        "Each address of the host refuses a TCP connection to the port, does not answer, or cannot be reached.",
        "203.0.113.10: connection refused", "203.0.113.10: connected",
        "Start the web server, and open the port in the firewall for everybody: Apple does not publish the "
            + "addresses from which it asks.")
    static let tlsHandshakeFailed = live(
        "tls-handshake-failed", .error, "no address completes a TLS handshake",
        "The port accepts connections, but then does not speak TLS, sends an alert, resets the connection or "
            + "stays silent.",
        "203.0.113.10: TLS alert handshake_failure", "203.0.113.10: TLS 1.3",
        "Make sure that the port speaks TLS, and that the server has a certificate for this name (server name "
            + "indication). A firewall that drops unknown clients looks the same.")
    static let tlsOldVersion = live(
        "tls-old-version", .error, "the server accepts TLS 1.0 or 1.1 only",
        "Apple's systems refuse these versions (App Transport Security); RFC 8996 has retired them for everybody.",
        "203.0.113.10: TLS 1.0", "203.0.113.10: TLS 1.2 and TLS 1.3",
        "Switch TLS 1.2 and 1.3 on in the web server or load balancer.")
    static let tls12Missing = live(
        "tls12-missing", .warning, "the server accepts TLS 1.3 only",
        "Older systems and some fetchers speak TLS 1.2 at most, and which version Apple uses is not documented.",
        "203.0.113.10: TLS 1.3", "203.0.113.10: TLS 1.2 and TLS 1.3", "Accept TLS 1.2 too.", basis: [.lint])
    static let tls13Missing = live(
        "tls13-missing", .note, "the server accepts TLS 1.2 only",
        "Everything works with TLS 1.2. TLS 1.3 needs one round trip less, and has fewer settings to get wrong.",
        "203.0.113.10: TLS 1.2", "203.0.113.10: TLS 1.2 and TLS 1.3", "Switch TLS 1.3 on when it is convenient.",
        basis: [.lint])
    static let tlsExpired = live(
        "tls-expired", .error, "the certificate has expired",
        "Neither Apple nor a device fetches a file over a connection with an expired certificate.",
        "valid until 2026-11-01", "valid until 2027-01-22",
        "Renew the certificate, have the server load it, and find out why the renewal did not run by itself.")
    static let tlsNotYetValid = live(
        "tls-not-yet-valid", .error, "the certificate is not valid yet",
        "Its validity begins in the future: a clock is wrong, or it was installed too early.",
        "valid from 2026-12-01", "valid from 2026-10-01",
        "Go back to the certificate before it, or wait. If the clock of this machine is wrong, set it."
    )
    static let tlsNameMismatch = live(
        "tls-name-mismatch", .error, "the certificate does not cover the host",
        "No subject alternative name of the certificate is the host, or a wildcard for it. A wildcard stands "
            + "for exactly one label: '*.example.com' covers 'shop.example.com', and neither 'example.com' nor "
            + "'a.shop.example.com'.",
        "example.com, www.example.com", "shop.example.com",
        "Get a certificate that names the host. If the server has one, it sends the wrong one: look at which "
            + "server name that is configured for.")
    static let tlsMissingIntermediate = live(
        "tls-missing-intermediate", .error, "the server does not send the intermediate certificate",
        "The server sends its own certificate only, and its issuer is not a trusted root. Browsers fetch the "
            + "missing one or remember it from elsewhere, so the site looks fine there; Apple's fetcher may not do "
            + "that.",
        "1 certificate: shop.example.com, issued by R11", "2 certificates: shop.example.com, R11",
        "Configure the full chain (for most authorities the file 'fullchain.pem', not 'cert.pem'). If the "
            + "issuer is a private authority, use one that devices trust.")
    static let tlsUntrusted = live(
        "tls-untrusted", .error, "the certificate chain does not end in a trusted root",
        "The certificate is self-signed, or comes from an authority that systems do not trust.",
        "issued by 'Example Development CA'", "issued by R11, ISRG Root X1",
        "Use a certificate of a public authority. For a private authority that managed devices trust, use "
            + "'?mode=managed' in the entitlement, and '--ca-file' here.")
    static let tlsExpiresSoon = live(
        "tls-expires-soon", .warning, "the certificate expires soon",
        "Fewer days are left than '--certificate-days', which is 30 or a quarter of a shorter lifetime: an automatic "
            + "renewal would have run by now. With less than 7 days, or a tenth of the lifetime, it is an error.",
        "9 days left (until 2026-12-01)", "61 days left (until 2027-01-22)",
        "Renew it now, and find out why it was not renewed automatically.", basis: [.lint])
    static let addressFailed = live(
        "address-failed", .warning, "one of the addresses fails while another answers",
        "Clients choose among the addresses of a name: while one fails, some get the file and some do not.",
        "203.0.113.11: connection refused", "203.0.113.11: 200, application/json",
        "Repair the server at that address, or remove the address from DNS.")
    static let addressContentDiffers = live(
        "address-content-differs", .warning, "the addresses of the host send different files",
        "Which links open the app then depends on the address from which Apple happened to fetch.",
        "203.0.113.10: 812 bytes, 203.0.113.11: 640 bytes", "203.0.113.10 and 203.0.113.11: the same file",
        "Deploy the file to every server, and purge the caches in front of them.")
    static let httpRedirect = live(
        "http-redirect", .error, "the answer is a redirect",
        "Apple's documentation forbids redirects for this file, and Apple's CDN, from which devices get it, "
            + "does not follow them.",
        """
        HTTP/1.1 301 Moved Permanently
        Location: https://www.example.com/.well-known/apple-app-site-association
        """, goodAnswer,
        "Answer this path on this host itself, before the rule that redirects. 'aasa export' has "
            + "configurations for many hosts.", basis: [.apple])
    static let httpNotFound = live(
        "http-not-found", .error, "the file is not there",
        "The host answers 404 or 410.",
        "HTTP/1.1 404 Not Found", goodAnswer,
        "Put the file at '/.well-known/apple-app-site-association', without an extension. Many hosts leave "
            + "out folders whose name begins with a dot: 'aasa export' knows the setting.")
    static let httpForbidden = live(
        "http-forbidden", .error, "the host refuses the request",
        "The host answers 401, 403 or 451. The file has to be public: no password, no list of addresses, no "
            + "check for robots.",
        "HTTP/1.1 403 Forbidden", goodAnswer,
        "Exempt the path from authentication, from rules against names with a dot and from bot protection. A "
            + "storage bucket may answer 403 where a file is not there: then upload it.")
    static let httpServerError = live(
        "http-server-error", .error, "the server fails",
        "The host answers with a 5xx status.",
        "HTTP/1.1 502 Bad Gateway", goodAnswer,
        "Look at the log of the web server and of what is behind it. Better, serve a static file, which needs "
            + "nothing behind the web server.")
    static let httpUnexpectedStatus = live(
        "http-unexpected-status", .error, "the status is not 200",
        "Only 200 with the whole file counts; 204, 206, 304 and 429 do not.",
        "HTTP/1.1 204 No Content", goodAnswer, "Serve this path as a static file.")
    static let fileOnlyAtRoot = live(
        "file-only-at-root", .error, "the file is at the root path only",
        "The file is at '/apple-app-site-association', but not below '/.well-known/', where Apple's CDN looks "
            + "for it.",
        """
        /.well-known/apple-app-site-association: 404
        /apple-app-site-association: 200
        """, "/.well-known/apple-app-site-association: 200", "Serve the file below '/.well-known/' too.")
    static let httpTimeout = live(
        "http-timeout", .error, "no complete answer in time",
        "The answer was not complete within '--timeout'. Apple's limit is not published; reports speak of 5 s.",
        "no header within 10 s", "header after 84 ms",
        "Serve a static file, not one that an application has to start for. Look for firewalls that drop packets."
    )
    static let httpSlow = live(
        "http-slow", .warning, "the answer is slow",
        "The header took 3 s or more. Apple's limit is not published; reports speak of 5 s.",
        "header after 3.4 s", "header after 84 ms", "Serve a static file, or serve it from a CDN.")
    static let httpProtocolError = live(
        "http-protocol-error", .error, "there is no complete HTTP answer",
        "The connection was reset or closed before the answer was complete, or what came is not HTTP, or its "
            + "header is malformed or too large.",
        "closed after 400 of 812 bytes", goodAnswer,
        "Look at the log of the web server, and at proxies and firewalls in front of it.")
    static let httpContentType = live(
        "http-content-type", .warning, "the content type is not that of JSON",
        "Apple's documentation asks for 'application/json'. Some systems accept other types, and some do not.",
        "Content-Type: text/html", "Content-Type: application/json",
        "Set the type for exactly this path: the file has no extension to take it from. 'aasa export' has the "
            + "lines.", basis: [.apple])
    static let httpOctetStream = live(
        "http-octet-stream", .note, "the content type says nothing",
        "'application/octet-stream', or no type at all, works in practice, although no documentation says so.",
        "Content-Type: application/octet-stream", "Content-Type: application/json",
        "Set 'application/json' if the host lets you.")
    static let httpContentEncoding = live(
        "http-content-encoding", .warning, "the answer is encoded, although that was not asked for",
        "A fetcher that does not ask for compression need not understand it. An encoding that cannot be "
            + "decoded is an error.",
        "Content-Encoding: gzip", goodAnswer,
        "Leave this path out of compression, or have the server respect 'Accept-Encoding'.")
    static let connectionsDropped = live(
        "connections-dropped", .warning, "the host answers some connections only",
        "Some connections failed before the request was sent, while others to the same host were answered. A client "
            + "that connects at the wrong moment gets nothing, and that can be Apple's fetcher. It is an error if the request "
            + "as 'AASA-Bot' failed twice. Rules about user agents are not the cause: the host sees the user agent only after "
            + "the handshake.",
        """
        1st connection: reset during the TLS handshake
        2nd connection: 200, application/json
        """,
        """
        1st connection: 200, application/json
        2nd connection: 200, application/json
        """,
        "Look for a limit on new connections in a firewall, a load balancer or the web server, a server "
            + "with too few workers, and, where several machines share an address, one that is not like the others."
    )
    static let agentBlocked = live(
        "agent-blocked", .error, "a browser gets the file, Apple's fetcher does not",
        "The request as 'AASA-Bot' fails, and the same request as a browser gets the file: a firewall, a bot "
            + "protection or a geographic rule.",
        """
        AASA-Bot: 403
        browser:  200, application/json
        """,
        """
        AASA-Bot: 200, application/json
        browser:  200, application/json
        """,
        "Allow the path '/.well-known/apple-app-site-association' for every client, before all rules about "
            + "robots and countries. Apple does not publish the addresses from which it asks.")
    static let deviceBlocked = live(
        "device-blocked", .warning, "Apple's fetcher gets the file, a device does not",
        "Devices ask the host itself in developer mode, and where Apple's CDN tells them to.",
        """
        AASA-Bot:  200, application/json
        CFNetwork: 403
        """,
        """
        AASA-Bot:  200, application/json
        CFNetwork: 200, application/json
        """, "Allow the path for every user agent.")
    static let agentContentDiffers = live(
        "agent-content-differs", .warning, "clients get different files",
        "The file depends on the user agent, so Apple's copy need not be what a browser shows.",
        """
        AASA-Bot: 640 bytes
        browser:  812 bytes
        """,
        """
        AASA-Bot: 812 bytes
        browser:  812 bytes
        """, "Serve one file to all clients. Where a CDN varies by user agent, exempt the path.")
    static let rootCopyDiffers = live(
        "root-copy-differs", .warning, "the copy at the root path says something else",
        "Only systems before iOS 9.3 ask for the file at the root path. Where the two differ, somebody forgot "
            + "one.",
        """
        /.well-known/apple-app-site-association: 812 bytes
        /apple-app-site-association: 640 bytes
        """,
        """
        /.well-known/apple-app-site-association: 812 bytes
        /apple-app-site-association: 404
        """, "Remove the copy at the root path, or make it the same file.")
    static let checkIncomplete = live(
        "check-incomplete", .warning, "the time for the domain was over",
        "Five times '--timeout' was not enough. Steps that were not finished are skipped, and nothing is "
            + "known about them.",
        "after 50 s: addresses, assetlinks", "all steps within 50 s",
        "Give it more time with '--timeout', and find out what is slow.", basis: [.lint])
}

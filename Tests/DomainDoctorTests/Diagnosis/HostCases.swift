import Diagnostics
import DomainDoctor
import DomainNames
import HTTPClient
import OpenSSL

// The codes of docs/spec/doctor.md, section 4, and what they replace.
extension DiagnosisCase {
    private static let (ipv4, ipv6) = (GoodDomain.ipv4, GoodDomain.ipv6)
    private static let privateAddress = IPAddress(ipv4: 0x0A00_0005)

    static let host = names + connections + certificates + answers + comparisons + ends

    private static let names = [
        DiagnosisCase("dns-no-address", at: .dns) { seen, _ in
            seen.names = Observation.Names(a: .failure(.noAddress), aaaa: .failure(.noAddress))
            seen.loseHost()
        },
        DiagnosisCase("dns-no-address", at: .dns, "there is no such name") { seen, _ in
            seen.names = Observation.Names(a: .failure(.noSuchName), aaaa: .failure(.noSuchName))
            seen.loseHost()
        },
        DiagnosisCase("dns-failed", at: .dns) { seen, _ in
            seen.names = Observation.Names(a: .failure(.timedOut), aaaa: .failure(.failed("SERVFAIL")))
            seen.loseHost()
        },
        DiagnosisCase("dns-failed", at: .dns, "one family is not there, of the other nothing is known") { seen, _ in
            seen.names = Observation.Names(a: .failure(.noAddress), aaaa: .failure(.timedOut))
            seen.loseHost()
        },
        DiagnosisCase("dns-private-address", at: .dns) { seen, _ in
            seen.names = Observation.Names(a: .success([privateAddress]), aaaa: .failure(.noAddress))
            seen.loseHost()
            seen.refused = [privateAddress]
        },
        DiagnosisCase("dns-private-address", "cdn-still-serves", at: .dns, "beside public ones") { seen, _ in
            seen.names = Observation.Names(a: .success([ipv4, privateAddress]), aaaa: .success([ipv6]))
            seen.refused = [privateAddress]
        },
        DiagnosisCase("dns-private-address", at: .dns, "permitted", as: .note) { seen, options in
            options.allowsPrivateAddresses = true
        },
        DiagnosisCase("dns-ipv6-only", at: .dns) { seen, _ in
            seen.names = Observation.Names(a: .failure(.noAddress), aaaa: .success([ipv6]))
            seen.addresses = [ipv6]
            seen.handshakes = [.good(ipv6)]
            seen.others = []
        },
        DiagnosisCase("ipv6-not-checked", at: .dns) { seen, _ in
            seen.handshakes = [.good(ipv4), .failed(ipv6, .notConnected(.networkUnreachable))]
            seen.others = []
        },
        DiagnosisCase("dns-ipv6-only", "ipv6-not-checked", at: .dns, "nothing can be contacted") { seen, _ in
            seen.names = Observation.Names(a: .failure(.noAddress), aaaa: .success([ipv6]))
            let copy = seen.appleCopy
            seen.loseHost()
            seen.appleCopy = copy
            seen.addresses = [ipv6]
            seen.handshakes = [.failed(ipv6, .notConnected(.noLocalAddress))]
        },
        DiagnosisCase("nonstandard-port", at: .dns) { seen, _ in
            seen.target = try Target("shop.example.com:8443", allowsAddresses: false)
        },
    ]

    private static let connections = [
        DiagnosisCase("connect-failed", at: .tls) { seen, _ in
            seen.loseAnswers()
            seen.handshakes = [
                .failed(ipv4, .notConnected(.refused)), .failed(ipv6, .notConnected(.hostUnreachable)),
            ]
        },
        DiagnosisCase("tls-handshake-failed", at: .tls) { seen, _ in
            seen.loseAnswers()
            seen.handshakes = [.failed(ipv4, .tls(.alert(40)), .handshaking), .failed(ipv6, .timedOut)]
        },
        DiagnosisCase("tls-old-version", at: .tls, "replaces tls-handshake-failed") { seen, _ in
            seen.loseAnswers()
            seen.handshakes = [
                .failed(ipv4, .tls(.alert(70)), .handshaking), .failed(ipv6, .tls(.alert(70)), .handshaking),
            ]
            seen.versions = Observation.Versions(older: .tls10)
        },
        DiagnosisCase("tls12-missing", at: .tls) { seen, _ in seen.versions.tls12 = false },
        DiagnosisCase("tls13-missing", at: .tls) { seen, _ in seen.versions.tls13 = false },
    ]

    private static func refused(
        _ code: String, _ verdict: ChainVerdict, _ remark: String = "", days: Int64 = 61, names: [String] = []
    ) -> DiagnosisCase {
        DiagnosisCase(code, at: .tls, remark) { seen, _ in
            seen.loseAnswers()
            seen.handshakes = [ipv4, ipv6].map { .judged($0, verdict, days: days, names: names) }
        }
    }

    private static let certificates = [
        refused("tls-expired", .expired(0), days: -3, names: [GoodDomain.host]),
        refused("tls-not-yet-valid", .notYetValid(0), days: 91, names: [GoodDomain.host]),
        refused(
            "tls-name-mismatch", .nameMismatch([]),
            names: [
                "a.example.com", "b.example.com", "c.example.com", "d.example.com", "e.example.com", "f.example.com",
            ]),
        refused("tls-name-mismatch", .nameMismatch([]), "it names nothing"),
        refused("tls-missing-intermediate", .missingIntermediate("R11"), names: [GoodDomain.host]),
        refused("tls-untrusted", .untrusted(.selfSigned), "self-signed"),
        refused("tls-untrusted", .untrusted(.unknownIssuer("Example CA")), "a private authority"),
        refused("tls-untrusted", .untrusted(.issuerExpired("R3")), "an expired authority"),
        refused("tls-untrusted", .untrusted(.issuerNotYetValid("R99")), "an authority of tomorrow"),
        refused("tls-untrusted", .untrusted(.other("CA md too weak")), "anything else"),
        DiagnosisCase("tls-expires-soon", at: .tls) { seen, _ in
            seen.handshakes = [.judged(ipv4, days: 9), .good(ipv6)]
        },
        DiagnosisCase("tls-expires-soon", at: .tls, "a quarter of a short lifetime") { seen, _ in
            seen.handshakes = [.judged(ipv4, days: 1, lifetime: 6), .good(ipv6)]
        },
    ]

    private static let answers = [
        DiagnosisCase("http-redirect", at: .http) { seen, _ in
            seen.loseFile(.redirect("https://www.shop.example.com/.well-known/apple-app-site-association"))
        },
        DiagnosisCase("http-not-found", at: .http) { seen, _ in seen.loseFile(.status(404, "Not Found")) },
        DiagnosisCase("http-not-found", at: .http, "gone") { seen, _ in seen.loseFile(.status(410, "Gone")) },
        DiagnosisCase("http-not-found", at: .http, "the body is of no interest") { seen, _ in
            let head = ResponseHead(status: 404, statusLine: Array("HTTP/1.1 404 Not Found".utf8), fields: [])
            seen.loseFile(.failure(.undecodableBody, .body, head: head))
        },
        DiagnosisCase("file-only-at-root", at: .http, "replaces http-not-found") { seen, _ in
            seen.loseFile(.status(404, "Not Found"))
            seen.root = .file()
        },
        DiagnosisCase("http-not-found", at: .http, "a page is at the root path") { seen, _ in
            seen.loseFile(.status(404, "Not Found"))
            seen.root = .page()
        },
        DiagnosisCase("http-forbidden", at: .http) { seen, _ in seen.loseFile(.status(403, "Forbidden")) },
        DiagnosisCase("http-forbidden", at: .http, "a password") { seen, _ in seen.loseFile(.status(401)) },
        DiagnosisCase("http-forbidden", at: .http, "for legal reasons") { seen, _ in seen.loseFile(.status(451)) },
        DiagnosisCase("http-server-error", at: .http) { seen, _ in seen.loseFile(.status(502, "Bad Gateway")) },
        DiagnosisCase("http-unexpected-status", at: .http) { seen, _ in seen.loseFile(.status(204, "No Content")) },
        DiagnosisCase("http-unexpected-status", at: .http, "part") { seen, _ in seen.loseFile(.status(206)) },
        DiagnosisCase("http-unexpected-status", at: .http, "not modified") { seen, _ in seen.loseFile(.status(304)) },
        DiagnosisCase("http-unexpected-status", at: .http, "rate limit") { seen, _ in seen.loseFile(.status(429)) },
        DiagnosisCase("http-timeout", at: .http) { seen, _ in
            seen.loseFile(.failure(.timedOut, .header, headerBytes: 17))
        },
        DiagnosisCase("http-slow", at: .http) { seen, _ in
            seen.wellKnown = .success(.sample(GoodDomain.file, after: .milliseconds(3_000)))
        },
        DiagnosisCase("http-protocol-error", at: .http) { seen, _ in seen.loseFile(.failure(.reset)) },
        DiagnosisCase("http-protocol-error", at: .http, "a short body") { seen, _ in
            seen.loseFile(.failure(.incompleteBody(expected: 812, received: 400), .body))
        },
        DiagnosisCase("http-protocol-error", at: .http, "not HTTP") { seen, _ in seen.loseFile(.failure(.notHTTP)) },
        DiagnosisCase("http-protocol-error", at: .http, "HTTP/2 only") { seen, _ in
            seen.loseFile(.failure(.tls(.alert(120)), .handshaking))
            seen.root = .failure(.tls(.alert(120)), .handshaking)
        },
        DiagnosisCase("http-content-type", at: .http) { seen, _ in seen.serve([("Content-Type", "text/html")]) },
        DiagnosisCase("http-octet-stream", at: .http) { seen, _ in
            seen.serve([("Content-Type", "Application/Octet-Stream; x=y")])
        },
        DiagnosisCase("http-octet-stream", at: .http, "no type") { seen, _ in seen.serve([("Content-Type", "")]) },
        DiagnosisCase("http-content-encoding", at: .http) { seen, _ in seen.serve([("Content-Encoding", "gzip")]) },
        DiagnosisCase("http-content-encoding", at: .http, "cannot be decoded", as: .error) { seen, _ in
            let head = ResponseHead(
                status: 200, statusLine: Array("HTTP/1.1 200 OK".utf8),
                fields: [HeaderField("Content-Encoding", "zstd")])
            seen.loseFile(.failure(.undecodableBody, .body, head: head))
        },
        DiagnosisCase("html-instead-of-json", at: .file, "alone") { seen, _ in
            seen.loseFile(.page())
        },
        DiagnosisCase("empty-file", at: .file, "alone") { seen, _ in seen.loseFile(.answer("")) },
        DiagnosisCase("file-too-large", at: .file, "is not judged further") { seen, _ in
            let start = #"{"applinks": {"details": [ nonsense, "#
            seen.loseFile(
                .success(
                    .sample(start + String(repeating: " ", count: 131_073 - start.utf8.count), isTruncated: true)))
        },
    ]

    private static let comparisons = [
        DiagnosisCase("agent-blocked", at: .agents, "replaces http-forbidden") { seen, _ in
            seen.blockRobots(.status(403, "Forbidden"))
            seen.device = .status(403)
        },
        DiagnosisCase("agent-blocked", at: .agents, "replaces html-instead-of-json") { seen, _ in
            seen.blockRobots(.page())
        },
        DiagnosisCase("agent-blocked", at: .agents, "replaces http-timeout") { seen, _ in
            seen.blockRobots(.failure(.timedOut))
        },
        DiagnosisCase("connections-dropped", at: .http, "one of them") { seen, _ in
            seen.failedConnections = [Failure(.tls(.reset), phase: .handshaking, address: ipv4)]
        },
        DiagnosisCase("connections-dropped", at: .http, "replaces agent-blocked", as: .error) { seen, _ in
            seen.blockRobots(.failure(.tls(.reset), .handshaking))
            seen.failedConnections = [Failure(.tls(.reset), phase: .handshaking, address: ipv4)]
        },
        DiagnosisCase("connections-dropped", at: .http, "replaces device-blocked") { seen, _ in
            seen.device = .failure(.notConnected(.refused), .connecting)
            seen.failedConnections = [Failure(.notConnected(.refused), phase: .connecting, address: ipv4)]
        },
        DiagnosisCase("http-protocol-error", at: .http, "where no connection is answered") { seen, _ in
            seen.loseFile(.failure(.tls(.reset), .handshaking))
            (seen.root, seen.others) = (.failure(.tls(.reset), .handshaking), [])
            seen.failedConnections = [Failure(.tls(.reset), phase: .handshaking, address: ipv4)]
        },
        DiagnosisCase("device-blocked", at: .agents) { seen, _ in seen.device = .status(403) },
        DiagnosisCase("agent-content-differs", at: .agents) { seen, _ in
            seen.browser = .file(GoodDomain.file("/sell/*"))
        },
        DiagnosisCase("root-copy-differs", at: .http) { seen, _ in seen.root = .file(GoodDomain.file("/sell/*")) },
        DiagnosisCase("address-failed", at: .addresses, "a connection") { seen, _ in
            seen.handshakes = [.good(ipv4), .failed(ipv6, .notConnected(.refused))]
            seen.others = []
        },
        DiagnosisCase("address-failed", at: .addresses, "a certificate") { seen, _ in
            seen.handshakes = [.good(ipv4), .judged(ipv6, .expired(0), days: -1)]
            seen.others = []
        },
        DiagnosisCase("address-failed", at: .addresses, "a status") { seen, _ in
            seen.others = [(ipv6, .success(.sample("", status: 500, from: ipv6)))]
        },
        DiagnosisCase("http-server-error", "address-failed", at: .http, "the first address of two") { seen, _ in
            seen.loseFile(.status(500))
            seen.others = [(ipv6, .file(from: ipv6))]
        },
        DiagnosisCase("address-content-differs", at: .addresses) { seen, _ in
            seen.others = [(ipv6, .file(GoodDomain.file("/sell/*"), from: ipv6))]
        },
    ]

    private static let ends = [
        DiagnosisCase("check-incomplete", at: .addresses) { seen, _ in
            seen.others = []
            seen.assetLinks = nil
            seen.unfinished = [.addresses, .assetlinks]
        },
        DiagnosisCase("check-incomplete", at: .http, "what depends on it is not judged") { seen, _ in
            seen.wellKnown = nil
            seen.others = []
            seen.unfinished = [.http, .file]
        },
        DiagnosisCase("check-incomplete", at: .dns, "nothing is known") { seen, _ in
            seen.names = nil
            seen.loseHost()
            seen.unfinished = [.dns, .tls, .http, .agents, .addresses, .file, .cdn, .assetlinks, .google]
        },
    ]
}

extension Observation {
    /// There is no connection to the host, and Apple was not asked.
    mutating func loseHost() {
        loseAnswers()
        (addresses, handshakes, versions) = ([], [], Versions())
    }

    /// There is a connection, and nothing can be asked.
    mutating func loseAnswers() {
        (wellKnown, root, device, browser, assetLinks, appleCopy) = (nil, nil, nil, nil, nil, nil)
        (others, versions) = ([], Versions())
    }

    /// Everybody gets this in place of the file; Apple was not asked.
    mutating func loseFile(_ exchange: Exchange) {
        (wellKnown, device, browser, appleCopy) = (exchange, exchange, exchange, nil)
        handshakes = Array(handshakes.prefix(1))
        others = []
    }

    /// Only a browser and a device get the file; Apple was not asked.
    mutating func blockRobots(_ exchange: Exchange) {
        wellKnown = exchange
        others = [(GoodDomain.ipv6, exchange)]
        appleCopy = nil
    }

    /// Everybody gets the file with these fields.
    mutating func serve(_ fields: [(String, String)], _ body: String = GoodDomain.file) {
        let exchange = Exchange.answer(body, fields)
        (wellKnown, device, browser) = (exchange, exchange, exchange)
    }
}

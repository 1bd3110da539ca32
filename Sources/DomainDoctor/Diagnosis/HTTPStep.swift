internal import Diagnostics
internal import DomainNames
internal import HTTPClient

// The association file as Apple's fetcher gets it.
extension DomainDiagnoser {
    static let wellKnownPath = "/.well-known/apple-app-site-association"
    static let rootPath = "/apple-app-site-association"
    /// The header has taken so long that Apple may not wait.
    private static let slow = Duration.seconds(3)
    private static let limitIsNotPublished =
        "Apple's limit is not published; there are reports of 5 s"

    var wellKnownURL: String { seen.target.url(Self.wellKnownPath) }

    mutating func examineAnswers() {
        guard unreachable == nil, let exchange = seen.wellKnown else {
            let reason = unreachable ?? reasonForNoFile
            steps += [Step(.http, skipped: reason), Step(.agents, skipped: reason)]
            return
        }
        let bot = reader.answer(exchange)
        let device = seen.device.map { reader.answer($0) }
        let browser = seen.browser.map { reader.answer($0) }
        live = bot.file
        let evidence = evidence(exchange, url: wellKnownURL)
        if bot.file == nil, browser?.file != nil, !bot.isLostConnection {
            steps.append(Step(.http, skipped: "a browser gets the file, AASA-Bot does not", evidence: evidence))
        } else {
            steps.append(Step(.http, summary: summary(bot), evidence: evidence))
            if !bot.isLostConnection || !areConnectionsAnswered { judge(bot) }
            judgeConnections(bot)
        }
        compareAgents(bot, device: device, browser: browser)
    }

    /// Whether a request was sent over any connection.
    private var areConnectionsAnswered: Bool {
        let exchanges = [seen.wellKnown, seen.root, seen.device, seen.browser] + seen.others.map { $0.exchange }
        return exchanges.contains { exchange in
            switch exchange {
            case .success: true
            case .failure(let failure): !failure.isBeforeRequest
            case nil: false
            }
        }
    }

    /// Reports a host that answers some connections only. What a request asks for, and as whom, is known to the host only
    /// after the handshake.
    private mutating func judgeConnections(_ bot: Answer) {
        var failures = seen.failedConnections
        if case .failure(let failure) = bot, failure.isBeforeRequest { failures.append(failure) }
        guard !failures.isEmpty, areConnectionsAnswered else { return }
        var addresses: [String] = []
        for failure in failures where !addresses.contains("\(failure.address)") {
            addresses.append("\(failure.address)")
        }
        let reasons = Set(failures.map(\.description)).sorted().joined(separator: ", ")
        report(
            .http, .connectionsDropped, as: bot.isLostConnection ? .error : nil,
            "\(counted(failures.count, "connection")) to \(Self.list(addresses)) failed (\(reasons)), others were answered",
            notes: [
                bot.isLostConnection
                    ? "Apple's fetcher would not have got the file, at the second attempt either"
                    : "each request was sent again, over another connection"
            ],
            help:
                "look for a limit on new connections, a server with too few workers, and a machine behind the address "
                + "that is not like the others")
    }

    /// The evidence of an exchange, as steps `http` and `assetlinks` have it.
    func evidence(_ exchange: Observation.Exchange, url: String) -> [String: JSONOutput] {
        var evidence: [String: JSONOutput] = [
            "url": .string(url), "address": .string(exchange.address.description),
        ]
        let head: ResponseHead?
        let times: TransferTimes
        switch exchange {
        case .failure(let failure): (head, times) = (failure.head, failure.times)
        case .success(let response):
            (head, times) = (response.head, response.times)
            if response.status == 200 {
                evidence["bytes"] = .number(response.body.count)
                evidence["sha256"] = response.isTruncated ? .null : .string(response.body.sha256)
            }
            if let redirect = Redirect(response, from: url) {
                evidence["redirect"] = .object([
                    "kind": .string(redirect.kind.rawValue), "location": .optional(redirect.location),
                ])
            }
        }
        guard let head else { return evidence }
        evidence["status"] = .number(head.status)
        evidence["contentType"] = .optional(head.shown("Content-Type"))
        evidence["contentEncoding"] = .optional(head.shown("Content-Encoding"))
        evidence["cacheControl"] = .optional(head.shown("Cache-Control"))
        evidence["headerMilliseconds"] = times.header.map { .number($0.milliseconds) } ?? .null
        return evidence
    }

    private func summary(_ answer: Answer) -> String {
        switch answer {
        case .failure(let failure): return failure.description
        case .status(let response):
            if let location = Redirect(response, from: wellKnownURL)?.location {
                return "\(response.status) to \(location)"
            }
            return response.statusText
        case .file(let file), .otherContent(let file):
            let response = file.response
            let time = response.times.header.map { " after \($0.shown)" } ?? ""
            let type = response.head.shown("Content-Type") ?? "no content type"
            return "200\(time), \(type), \(response.size)"
        }
    }

    private mutating func judge(_ answer: Answer) {
        switch answer {
        case .failure(let failure): judge(failure)
        case .status(let response): judge(response)
        case .file(let file):
            judgeFields(file.response, isSigned: file.content.isSigned)
            compareRoot(file)
        // The actual content is a finding about the file.
        case .otherContent: break
        }
    }

    private mutating func judge(_ failure: Failure) {
        switch failure.reason {
        case _ where failure.isOfProtocol:
            report(
                .http, .httpProtocolError, subject: wellKnownURL,
                "the host speaks only HTTP/2: it refuses HTTP/1.1 (\(failure))",
                notes: ["that Apple's and Google's fetchers speak HTTP/2 is not documented"],
                help: "have the server speak HTTP/1.1 as well")
        case .timedOut:
            let time = failure.times.total > .zero ? "after \(failure.times.total.shown)" : "in time"
            report(
                .http, .httpTimeout, subject: wellKnownURL, "no complete answer \(time): \(Self.missing(failure))",
                notes: [Self.limitIsNotPublished],
                help: "serve a static file, and look for a slow back end or a firewall that drops packets")
        case .undecodableBody:
            let codings = failure.head?.contentCodings ?? []
            report(
                .http, .httpContentEncoding, as: .error, subject: wellKnownURL,
                "the file is encoded\(Self.named(codings)), although that was not asked for, and cannot be decoded",
                evidence: Self.head(failure, ["Content-Encoding", "Content-Type"]),
                help: "do not compress this path")
        default:
            report(
                .http, .httpProtocolError, subject: wellKnownURL, "no usable answer: \(failure)",
                evidence: Self.head(failure, ["Content-Length", "Transfer-Encoding", "Server"]),
                help: "look at the log of the web server, and at proxies and firewalls in front of it")
        }
    }

    private static func head(_ failure: Failure, _ names: [String]) -> [String] {
        failure.head.map { Response(head: $0, address: failure.address).shownHead(names) } ?? []
    }

    /// Like ` with 'gzip'`; the names are received.
    private static func named(_ codings: [String]) -> String {
        codings.isEmpty ? "" : " with \(list(codings.prefix(3).map { quoted($0) }))"
    }

    /// The part that had not come when the time was over.
    private static func missing(_ failure: Failure) -> String {
        switch failure.phase {
        case .queued, .connecting: return "there was no connection"
        case .handshaking: return "the TLS handshake was not done"
        case .waiting, .header, .body:
            return failure.head == nil
                ? "the header was not complete, \(counted(failure.headerBytes, "byte")) of it had come"
                : "the header was there, and \(counted(failure.bodyBytes, "byte")) of the body"
        }
    }

    private mutating func judge(_ response: Response) {
        if let redirect = Redirect(response, from: wellKnownURL) {
            return report(
                .http, .httpRedirect, subject: wellKnownURL,
                "\(redirect.clause(response.status)): Apple's systems do not follow redirects",
                evidence: response.shownHead(["Location"]), help: redirect.help())
        }
        let shown = response.shownHead(["WWW-Authenticate", "Server"])
        let challenge = BotChallenge.notes(response)
        let status = response.status
        switch status {
        case 404, 410:
            if let root = seen.root.map({ reader.answer($0) }), root.file != nil {
                report(
                    .http, .fileOnlyAtRoot, subject: wellKnownURL,
                    "\(status): the file is at '\(Self.rootPath)' only, where Apple's CDN does not look",
                    evidence: shown, help: "serve the same file at '\(Self.wellKnownPath)'")
            } else {
                report(
                    .http, .httpNotFound, subject: wellKnownURL, "\(status): the file is not there",
                    evidence: shown,
                    notes: seen.target.fileInFolder.map {
                        ["\(quoted($0, limit: 300)) does not count: Apple and Google look only at the root of a host"]
                    } ?? ["many hosts leave out files and folders whose names begin with a dot"],
                    help: "put the file there, with exactly this name and no extension; 'aasa export' has the "
                        + "configuration of many hosts")
            }
        case 401, 403, 451:
            report(
                .http, .httpForbidden, subject: wellKnownURL,
                status == 401 ? "401: the host asks for a login" : "\(status): the host refuses the request",
                evidence: shown, notes: challenge,
                help: challenge.isEmpty
                    ? "exempt this path from authentication, address lists and rules against names with a dot; a "
                        + "storage bucket also answers like this if the file does not exist"
                    : "exempt this path from the bot protection, for every client")
        case 500...599:
            report(
                .http, .httpServerError, subject: wellKnownURL, "\(status): the server fails",
                evidence: shown, notes: challenge,
                help: challenge.isEmpty
                    ? "look at the log of the web server and of what is behind it; serve the file as a static file"
                    : "exempt this path from the bot protection, for every client")
        default:
            report(
                .http, .httpUnexpectedStatus, subject: wellKnownURL, "status \(status), where 200 is expected",
                evidence: shown, notes: challenge,
                help: status == 429
                    ? "exempt this path from rate limits" : "serve a static file at this path, with status 200")
        }
    }

    private mutating func judgeFields(_ response: Response, isSigned: Bool) {
        let type = response.mediaType
        let shown = response.shownHead(["Content-Type", "Content-Encoding"])
        if !response.head.contentCodings.isEmpty {
            report(
                .http, .httpContentEncoding, subject: wellKnownURL,
                "the file is encoded\(Self.named(response.head.contentCodings)), although that was not asked for",
                evidence: shown,
                help: "do not compress this path, or have the server respect 'Accept-Encoding'")
        }
        let accepted = ["application/json"] + (isSigned ? ["application/pkcs7-mime"] : [])
        if type == nil || type == "application/octet-stream" {
            report(
                .http, .httpOctetStream, subject: wellKnownURL,
                type == nil ? "the file has no content type" : "the content type is 'application/octet-stream'",
                evidence: shown, notes: ["it works in practice, although no documentation says so"],
                help: "set 'application/json' for this path")
        } else if let type, !accepted.contains(type) {
            report(
                .http, .httpContentType, subject: wellKnownURL,
                "the content type is \(quoted(type)), where 'application/json' is expected", evidence: shown,
                help: "set the type for exactly this path: the file has no extension from which a server could tell")
        }
        if let header = response.times.header, header >= Self.slow {
            report(
                .http, .httpSlow, subject: wellKnownURL, "the header came after \(header.shown)",
                notes: [Self.limitIsNotPublished],
                help: "serve the file as a static file, or from a CDN")
        }
    }

    private mutating func compareRoot(_ file: LiveFile) {
        guard let answer = seen.root.map({ reader.answer($0) }), reader.isOther(answer, than: file),
            let copy = answer.file
        else { return }
        report(
            .http, .rootCopyDiffers, subject: seen.target.url(Self.rootPath),
            "this copy has other rules than the file below '/.well-known/'",
            evidence: [
                "\(Self.wellKnownPath): \(file.response.size)", "\(Self.rootPath): \(copy.response.size)",
            ],
            notes: ["only systems before iOS 9.3 ask for it"],
            help: "remove it, or make it the same file")
    }
}

internal import AppSiteAssociation
internal import AssociationLint
internal import Diagnostics
internal import HTTPClient
internal import OpenSSL
internal import ProxySupport

// The association file as the host serves it: to Apple's fetcher, to others, and from each address.
extension Examiner {
    static let wellKnownPath = "/.well-known/apple-app-site-association"
    static let rootPath = "/apple-app-site-association"
    /// The header has taken so long that Apple may not wait.
    private static let slow = Duration.seconds(3)

    private var wellKnownURL: String { seen.target.url(Self.wellKnownPath) }

    mutating func examineAnswers() {
        guard unreachable == nil, let exchange = seen.wellKnown else {
            let reason = unreachable ?? "the file was not asked for"
            steps += [Step(.http, skipped: reason), Step(.agents, skipped: reason)]
            return
        }
        let answer = Answer(exchange, options.linter, url: wellKnownURL)
        let device = seen.device.map { Answer($0, options.linter, url: wellKnownURL) }
        let browser = seen.browser.map { Answer($0, options.linter, url: wellKnownURL) }
        let isBlocked = answer.file == nil && browser?.file != nil
        live = answer.file
        if isBlocked {
            steps.append(Step(.http, skipped: "only a browser gets the file", evidence: evidence(exchange)))
        } else {
            steps.append(Step(.http, summary: summary(answer), evidence: evidence(exchange)))
            judge(answer)
        }
        compareAgents(answer, device: device, browser: browser)
    }

    /// The evidence of an exchange, as steps `http` and `assetlinks` have it.
    func evidence(_ exchange: Observation.Exchange, url: String? = nil) -> [String: JSONOutput] {
        var evidence: [String: JSONOutput] = ["url": .string(url ?? wellKnownURL)]
        for key in [
            "address", "status", "contentType", "contentEncoding", "bytes", "sha256", "headerMilliseconds",
            "cacheControl", "redirect",
        ] {
            evidence[key] = .null
        }
        switch exchange {
        case .failure(let failure):
            evidence["address"] = .string(failure.address.description)
            evidence["status"] = failure.head.map { .number($0.status) } ?? .null
            evidence["error"] = .string(failure.description)
        case .success(let response):
            evidence["address"] = .string(response.address.description)
            evidence["status"] = .number(response.status)
            evidence["contentType"] = .optional(response.head.text("Content-Type"))
            evidence["contentEncoding"] = .optional(response.head.text("Content-Encoding"))
            evidence["cacheControl"] = .optional(response.head.text("Cache-Control"))
            evidence["headerMilliseconds"] = response.times.header.map { .number($0.milliseconds) } ?? .null
            if response.status == 200 {
                evidence["bytes"] = .number(response.body.count)
                evidence["sha256"] = .string(response.body.sha256)
            }
            if let redirect = Redirect(response, from: url ?? wellKnownURL) {
                evidence["redirect"] = .object([
                    "kind": .string(redirect.kind.rawValue), "location": .optional(redirect.location),
                ])
            }
        }
        return evidence
    }

    private func summary(_ answer: Answer) -> String {
        switch answer {
        case .failure(let failure): return failure.description
        case .status(let response):
            if let location = response.head.text("Location"), 300..<400 ~= response.status {
                return "\(response.status) to \(location)"
            }
            return response.statusText
        case .file(let file), .otherContent(let file):
            let response = file.response
            let time = response.times.header.map { " after \($0.shown)" } ?? ""
            let type = response.head.text("Content-Type") ?? "no content type"
            let more = response.isTruncated ? "more than " : ""
            return "200\(time), \(type), \(more)\(counted(response.body.count, "byte"))"
        }
    }

    private mutating func judge(_ answer: Answer) {
        switch answer {
        case .failure(let failure): judge(failure)
        case .status(let response): judge(response)
        case .file(let file):
            judgeFields(file)
            compareRoot(file)
        case .otherContent: break
        }
    }

    private mutating func judge(_ failure: Failure) {
        switch failure.reason {
        case .timedOut:
            let part = failure.head == nil ? "the header was missing" : "the body was missing"
            let bytes = failure.head == nil ? failure.headerBytes : failure.bodyBytes
            report(
                .http, "http-timeout", subject: wellKnownURL,
                "no complete answer in time: \(part), \(counted(bytes, "byte")) had come",
                notes: ["reports speak of a limit of 5 s for Apple's fetcher; it is not published"],
                help: "serve the file as a static file; look for firewalls that drop packets")
        case .undecodableBody:
            report(
                .http, "http-content-encoding", as: .error, subject: wellKnownURL,
                "the answer is encoded, although that was not asked for, and cannot be decoded",
                help: "leave this path out of compression")
        default:
            report(
                .http, "http-protocol-error", subject: wellKnownURL, "\(failure)",
                help: "look at the log of the web server, and of whatever is in front of it")
        }
    }

    private mutating func judge(_ response: Response) {
        let shown = response.shownHead(["Location", "WWW-Authenticate", "Server", "CF-Mitigated"])
        if let redirect = Redirect(response, from: wellKnownURL) {
            report(
                .http, "http-redirect", subject: wellKnownURL,
                "\(response.status) to \(quoted(redirect.location ?? "", limit: 300)): Apple's systems do not follow redirects",
                evidence: shown, help: redirect.help(host: seen.target.host))
            return
        }
        switch response.status {
        case 404, 410:
            if let root = seen.root, Answer(root, options.linter, url: seen.target.url(Self.rootPath)).file != nil {
                report(
                    .http, "file-only-at-root", subject: wellKnownURL,
                    "\(response.status), and the file is at '\(Self.rootPath)': Apple's CDN asks below '/.well-known/' only",
                    help: "serve the same file at '\(Self.wellKnownPath)'")
            } else {
                report(
                    .http, "http-not-found", subject: wellKnownURL, "\(response.status): the file is not there",
                    evidence: shown,
                    notes: ["many hosts leave out folders whose name begins with a dot"],
                    help: "put the file there, without an extension; 'aasa export' has the configuration of many hosts")
            }
        case 401, 403, 451:
            report(
                .http, "http-forbidden", subject: wellKnownURL, "\(response.status): the host refuses the request",
                evidence: shown,
                help: "exempt the path from authentication, from rules against dot files and from bot protection")
        case 500...599:
            report(
                .http, "http-server-error", subject: wellKnownURL, "\(response.status): the host fails",
                evidence: shown,
                help: "look at its log; serve the file as a static file")
        default:
            report(
                .http, "http-unexpected-status", subject: wellKnownURL, "\(response.status) where 200 is expected",
                evidence: shown)
        }
    }

    private mutating func judgeFields(_ file: LiveFile) {
        let response = file.response
        if !response.decodedCodings.isEmpty {
            report(
                .http, "http-content-encoding", subject: wellKnownURL,
                "the answer is encoded (\(response.decodedCodings.joined(separator: ", "))), although that was not asked for",
                help: "leave this path out of compression, or have the server look at 'Accept-Encoding'")
        }
        let type = response.mediaType
        let accepted = ["application/json"] + (file.isSigned ? ["application/pkcs7-mime"] : [])
        if type == nil || type == "application/octet-stream" {
            report(
                .http, "http-octet-stream", subject: wellKnownURL,
                type == nil ? "the answer has no content type" : "the content type is 'application/octet-stream'",
                help: "set 'application/json' for this path")
        } else if let type, !accepted.contains(type) {
            report(
                .http, "http-content-type", subject: wellKnownURL,
                "the content type is \(quoted(type)); expected 'application/json'",
                evidence: response.shownHead(["Content-Type"]),
                help: "set the type for exactly this path: the file has no extension to take it from")
        }
        if let header = response.times.header, header >= Self.slow {
            report(
                .http, "http-slow", subject: wellKnownURL, "the header took \(header.shown)",
                notes: ["reports speak of a limit of 5 s for Apple's fetcher; it is not published"])
        }
    }

    private mutating func compareRoot(_ file: LiveFile) {
        let url = seen.target.url(Self.rootPath)
        guard let root = seen.root, let copy = Answer(root, options.linter, url: url).file else { return }
        guard !copy.means(sameAs: file, host: seen.target.host) else { return }
        report(
            .http, "root-copy-differs", subject: url,
            "the copy at '\(Self.rootPath)' means something else than the file",
            help: "remove it, or make it the same file")
    }

    private mutating func compareAgents(_ bot: Answer, device: Answer?, browser: Answer?) {
        let answers: [(agent: Agent, answer: Answer)] =
            [(.appleBot, bot)] + (device.map { [(.device, $0)] } ?? []) + (browser.map { [(.browser, $0)] } ?? [])
        guard answers.count > 1 else { return steps.append(Step(.agents, skipped: "only one agent was tried")) }
        let evidence: [String: JSONOutput] = [
            "answers": .array(
                answers.map { agent, answer in
                    .object([
                        "agent": .string(agent.rawValue), "status": answer.status.map { .number($0) } ?? .null,
                        "sha256": answer.bodySHA256.map { .string($0) } ?? .null, "error": .optional(answer.error),
                    ])
                })
        ]
        let seenBy = answers.map { "\($0.agent.rawValue): \($0.answer.shown)" }
        if bot.file == nil, browser?.file != nil {
            steps.append(
                Step(.agents, summary: "AASA-Bot gets \(bot.shown), a browser gets the file", evidence: evidence))
            report(
                .agents, "agent-blocked", subject: wellKnownURL,
                "Apple's fetcher is refused (\(bot.shown)), and a browser gets the file",
                evidence: seenBy, notes: isChallenge(bot) ? ["the answer is a challenge page of a bot protection"] : [],
                help:
                    "allow the path '\(Self.wellKnownPath)' for every client, before any rule about robots or countries"
            )
            return
        }
        let names = "AASA-Bot, CFNetwork and a browser"
        if bot.file != nil, let device, device.file == nil {
            steps.append(Step(.agents, summary: "a device gets \(device.shown)", evidence: evidence))
            report(
                .agents, "device-blocked", subject: wellKnownURL,
                "a device is refused (\(device.shown)), and Apple's fetcher is not",
                evidence: seenBy, help: "allow the path for every user agent")
        } else if let file = bot.file {
            let others = answers.dropFirst().compactMap { item in item.answer.file.map { (item.agent, $0) } }
            let differing = others.filter { !$0.1.means(sameAs: file, host: seen.target.host) }
            steps.append(
                Step(
                    .agents,
                    summary: differing.isEmpty ? "\(names) get the same file" : "the agents get different files",
                    evidence: evidence))
            if !differing.isEmpty {
                let who = differing.map(\.0.rawValue).joined(separator: " and ")
                report(
                    .agents, "agent-content-differs", subject: wellKnownURL, "\(who) gets another file than AASA-Bot",
                    evidence: seenBy, help: "serve one file to all clients")
            }
        } else {
            let isSame = answers.allSatisfy { $0.answer.isLike(bot) }
            steps.append(
                Step(
                    .agents, summary: isSame ? "\(names) get the same answer" : seenBy.joined(separator: ", "),
                    evidence: evidence))
        }
    }

    /// Whether an answer asks a robot to prove that it is none.
    private func isChallenge(_ answer: Answer) -> Bool {
        let response: Response? =
            switch answer {
            case .otherContent(let file): file.response
            case .status(let response): response
            case .file, .failure: nil
            }
        guard let response else { return false }
        return response.head["CF-Mitigated"] != nil || response.head["X-DataDome"] != nil
            || response.head["X-Amzn-Waf-Action"] != nil
    }

    /// What the other addresses of the name send.
    mutating func examineAddresses() {
        if let unreachable { return steps.append(Step(.addresses, skipped: unreachable)) }
        let failed = seen.handshakes.compactMap { handshake -> (IPAddress, String)? in
            switch handshake.result {
            case .success(let chain):
                return chain.verdict.isGood ? nil : (handshake.address, chain.verdict.clause)
            case .failure(let failure):
                if handshake.address.isIPv6, case .notConnected(let error) = failure.reason, error.isLackOfRoute {
                    return nil
                }
                return (handshake.address, failure.description)
            }
        }
        guard !failed.isEmpty || !seen.others.isEmpty else {
            return steps.append(Step(.addresses, skipped: "there is only one address"))
        }
        guard let file = live, let first = seen.wellKnown?.address else {
            return steps.append(Step(.addresses, skipped: "the file cannot be fetched"))
        }
        let answers = seen.others.map { ($0.address, Answer($0.exchange, options.linter, url: wellKnownURL)) }
        let all = [(first, Answer.file(file))] + answers
        let evidence: [JSONOutput] =
            all.map { address, answer in
                .object([
                    "address": .string(address.description), "status": answer.status.map { .number($0) } ?? .null,
                    "sha256": .optional(answer.bodySHA256), "error": .optional(answer.error),
                ])
            }
            + failed.map { address, error in
                .object([
                    "address": .string(address.description), "status": .null, "sha256": .null, "error": .string(error),
                ])
            }
        var bad = failed.map { "\($0): \($1)" }
        bad += answers.filter { $0.1.file == nil }.map { "\($0): \($1.shown)" }
        let differing = answers.filter { $0.1.file.map { !$0.means(sameAs: file, host: seen.target.host) } ?? false }
        let summary =
            bad.isEmpty && differing.isEmpty
            ? "\(counted(all.count, "address", "addresses")) send the same file"
            : bad.isEmpty ? "the addresses send different files" : bad.joined(separator: "; ")
        steps.append(Step(.addresses, summary: summary, evidence: ["answers": .array(evidence)]))
        for failure in bad {
            report(
                .addresses, "address-failed", "one address fails while another answers: \(failure)",
                help: "repair the server at that address, or take the address out of DNS")
        }
        if !differing.isEmpty {
            let addresses = differing.map(\.0.description).joined(separator: ", ")
            report(
                .addresses, "address-content-differs", "\(addresses) sends another file than \(first)",
                help: "deploy the file to every server, and purge the caches in front of them")
        }
    }

    /// The content.
    mutating func examineFile() {
        if let unreachable { return steps.append(Step(.file, skipped: unreachable)) }
        guard let exchange = seen.wellKnown else {
            return steps.append(Step(.file, skipped: "the file was not asked for"))
        }
        let file: LiveFile
        switch Answer(exchange, options.linter, url: wellKnownURL) {
        case .file(let found): file = found
        case .otherContent(let found) where steps.contains { $0.id == .http && $0.status != .skipped }: file = found
        default: return steps.append(Step(.file, skipped: "the file cannot be fetched"))
        }
        for var diagnostic in file.result.diagnostics {
            if diagnostic.code.rawValue == "html-instead-of-json" {
                diagnostic.notes.append("single-page hosts answer unknown paths with their start page")
            }
            findings.append(Finding(.file, diagnostic, in: file.result.source))
        }
        let content = file.document.map(FileContent.init)
        steps.append(
            Step(
                .file, summary: file.isJSON ? content?.summary ?? "cannot be read" : "not an association file",
                evidence: [
                    "appIDs": .array((content?.appIDs ?? []).map(JSONOutput.string)),
                    "services": .array((content?.services ?? []).map(JSONOutput.string)),
                    "rules": .number(content?.rules ?? 0),
                ]))
    }
}

/// What is in a file, in numbers.
struct FileContent {
    let appIDs: [String]
    let services: [String]
    let rules: Int

    init(_ document: AssociationDocument) {
        let lists: [(String, [String]?)] = [
            ("applinks", document.appLinks.map { $0.details.flatMap { $0.appIDs.map(\.value) } }),
            ("webcredentials", document.webCredentials?.apps.map(\.value)),
            ("appclips", document.appClips?.apps.map(\.value)),
            ("activitycontinuation", document.activityContinuation?.apps.map(\.value)),
        ]
        services = lists.filter { $0.1 != nil }.map(\.0)
        var known = Set<String>()
        appIDs = lists.flatMap { $0.1 ?? [] }.filter { known.insert($0).inserted }
        rules =
            document.appLinks.map { $0.details.reduce(0) { $0 + ($1.components?.count ?? $1.paths?.count ?? 0) } } ?? 0
    }

    var summary: String {
        let list =
            switch services.count {
            case 0: "no services"
            case 1: "service \(services[0])"
            default: "services \(services.dropLast().joined(separator: ", ")) and \(services[services.count - 1])"
            }
        return "\(counted(appIDs.count, "app")), \(counted(rules, "rule")), \(list)"
    }
}

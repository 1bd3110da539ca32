internal import AssociationConsole
internal import BoundedText
internal import Diagnostics
internal import EventLoops
internal import HTTP1
internal import ServiceHealth

/// The answers of the admin listener (server.md, section 9).
struct AdminResponder {
    private static let index = """
        /healthz  200 when every event loop answers within a second
        /readyz   200 when the server is ready for clients; otherwise 503 and the reason
        /sites    the sites, as JSON; only those of ?domain=www.example.com or ?state=no-certificate
        /route    which apps a URL opens, and why, as JSON; for example \(RouteEndpoint.example)
        /metrics  for Prometheus
        /console/ pages for a browser: sites, certificates, a playground
        /api/v1/status  what is wrong, as JSON, which 'aasa status' shows
        """
    private static let noAnswer = "an event loop has not answered within a second"

    private let source: any AdminSource
    private var loops = LoopAnswers()
    private var routes = RouteEndpoint()

    init(_ source: any AdminSource) { self.source = source }

    /// - Parameters:
    ///   - head: of the request whose bytes are at the beginning of `bytes`.
    ///   - now: seconds since 1970.
    ///   - mayBeLarge: whether there is memory left for an answer that can be large.
    mutating func answer(
        _ head: RequestHead, in bytes: Span<UInt8>, now: Int64, mayBeLarge: Bool
    ) -> AdminAnswer {
        if head.method == .other { return .text("method not allowed; use GET or HEAD", .methodNotAllowed) }
        guard let target = AdminTarget(head, in: bytes) else { return .text("bad request", .badRequest) }
        if head.hasUnknownExpectation { return .text("expectation failed", .expectationFailed) }
        // A browser always says which host it wants; what leaves it out is a probe.
        guard target.authority.isEmpty || LoopbackHost.matches(target.authority) else {
            return .text(
                "only requests from this machine are allowed; use 127.0.0.1, [::1] or localhost", .misdirectedRequest)
        }
        // A page of another site could not read an answer, but have any number of large ones made.
        let request = bytes.withUnsafeBufferPointer { ConsoleRequest(head: $0.prefix(Int(head.count))) }
        if let request, RequestGuard.isFromOtherSite(request, mayBeFollowed: target.path == "/") {
            return .text(RequestGuard.refusalOfOtherSites, .forbidden)
        }
        switch target.path {
        case "/": return .text(Self.index)
        case "/healthz": return health()
        case "/readyz": return readiness()
        case "/sites", "/route", "/metrics":
            guard mayBeLarge else {
                return .text("too many answers are waiting for clients to read them", .serviceUnavailable)
            }
            return large(target, now)
        default: return .text("not found; / lists all paths", .notFound)
        }
    }

    /// The answer to bytes that are not a valid request; it closes.
    static func refusal(_ status: Status) -> AdminAnswer { .text(status.reasonPhrase.lowercased(), status) }

    private mutating func large(_ target: AdminTarget, _ now: Int64) -> AdminAnswer {
        switch target.path {
        case "/sites": sites(target.query, now)
        case "/route": routes.answer(target.query, source)
        default: metrics(now)
        }
    }

    private mutating func health() -> AdminAnswer {
        report() == nil ? .text(Self.noAnswer, .serviceUnavailable) : .text("ok")
    }

    private func readiness() -> AdminAnswer {
        let state = source.servingState
        guard state == .ready else { return .text(state.rawValue, .serviceUnavailable) }
        // Clients can be sent here all the same: the CA could not ask a server that waits for its certificates.
        guard let (valid, all) = source.issuanceReport?.coverage, valid < all else { return .text(state.rawValue) }
        return .text("\(state.rawValue)\ncertificates: \(valid) of \(all)")
    }

    private mutating func sites(_ query: String?, _ now: Int64) -> AdminAnswer {
        let report = report()
        let facts = source.facts.with(report)
        let sites: [SiteFacts]
        do throws(AdminRefusal) {
            sites = try SiteQuery.sites(query, among: facts.sites, source)
        } catch {
            return error.answer
        }
        let document = SitesDocument(
            sites: sites, pairs: facts.pairs.filter { $0.state != .loaded },
            directory: source.issuanceReport?.directory ?? "", problem: report == nil ? Self.noAnswer : nil,
            store: source.storeReport, now: now)
        return .json(document.members)
    }

    /// The metrics; no answer without the counters of the loops: a counter that is missing looks like one that has not
    /// moved, and a failed scrape is what everybody has an alert for.
    private mutating func metrics(_ now: Int64) -> AdminAnswer {
        guard let report = report() else { return .text(Self.noAnswer, .serviceUnavailable) }
        return .metrics(MetricsDocument(source, report, ProcessFacts.now(), now: now).bytes)
    }

    private mutating func report() -> LoopReport? { loops.ask(source) { Clock.monotonicMilliseconds() } }
}

/// An answer of the admin listener.
struct AdminAnswer {
    let status: Status
    let contentType: String
    let body: [UInt8]

    static func text(_ text: String, _ status: Status = .ok) -> AdminAnswer {
        AdminAnswer(status: status, contentType: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
    }

    static func json(_ members: [String: JSONOutput], _ status: Status = .ok) -> AdminAnswer {
        let text = JSONOutput.object(members).text
        return AdminAnswer(status: status, contentType: "application/json", body: Array("\(text)\n".utf8))
    }

    static func metrics(_ body: [UInt8]) -> AdminAnswer {
        AdminAnswer(status: .ok, contentType: "text/plain; version=0.0.4; charset=utf-8", body: body)
    }

    /// All that is sent.
    ///
    /// - Parameters:
    ///   - sendsBody: `false` for HEAD.
    ///   - now: in seconds since 1970.
    func bytes(_ connection: PreparedResponse.ConnectionField, sendsBody: Bool, now: Int64) -> [UInt8] {
        var fields: [(name: ResponseField, value: String)] = [
            (.contentType, contentType), (.cacheControl, "no-store"), (.contentTypeOptions, "nosniff"),
            (.contentLength, "\(body.count)"),
        ]
        if status == .methodNotAllowed { fields.append((.allow, "GET, HEAD")) }
        let head = PreparedResponse.allocate(status, fields: fields, body: nil)
        defer { head.deallocate() }
        var bytes = [UInt8](unsafeUninitializedCapacity: PreparedResponse.longestHead) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HTTPDate.count) { date in
                guard let text = date.baseAddress else { return }
                HTTPDate.write(now, to: text)
                count = head.writeHead(to: start, date: text, connection: connection)
            }
        }
        if sendsBody { bytes += body }
        return bytes
    }
}

/// Why a question to the admin listener has no answer.
struct AdminRefusal: Error {
    let status: Status
    /// The problem, and its remedy.
    let message: String
    /// Further members of its JSON.
    private let members: [String: JSONOutput]

    init(_ status: Status, _ message: String, _ members: [String: JSONOutput] = [:]) {
        self.status = status
        self.message = message
        self.members = members
    }

    var answer: AdminAnswer {
        .json(members.merging(["version": .number(1), "error": .string(message)]) { $1 }, status)
    }
}

/// Asks the loops what they have counted.
///
/// After they have not answered in time, they are not asked again for a while: each question would wait as long as the first.
struct LoopAnswers {
    static let milliseconds = 1_000

    /// On the clock of `now`.
    private var failedAt: Int64?

    /// - Parameter now: milliseconds on a clock that never goes back.
    /// - Returns: what all of them have counted; `nil` if one of them does not answer.
    mutating func ask(_ source: any AdminSource, now: () -> Int64) -> LoopReport? {
        if let failedAt, now() - failedAt < Int64(Self.milliseconds) { return nil }
        failedAt = nil
        guard let reports = source.ask(milliseconds: Self.milliseconds) else {
            failedAt = now()
            return nil
        }
        return reports.reduce(into: LoopReport()) { $0.add($1) }
    }
}

/// The target of a request to the admin listener.
struct AdminTarget {
    /// The authority, perhaps with a port; empty in HTTP/1.0 without `Host`.
    let authority: String
    let path: String
    /// The query, which excludes its question mark.
    let query: String?

    /// - Returns: `nil` for a target that is neither a path nor an `http` or `https` URL.
    init?(_ head: RequestHead, in bytes: Span<UInt8>) {
        switch head.target {
        case .origin, .absolute, .absoluteInClear:
            authority = bytes.text(head.host)
            path = bytes.text(head.path)
            query = head.query(in: bytes).map { bytes.text($0) }
        case .unsupported: return nil
        }
    }
}

extension Span where Element == UInt8 {
    /// - Parameter slice: of a head, in which targets and hosts are ASCII.
    fileprivate func text(_ slice: RequestHead.Slice) -> String {
        extracting(slice.range).withUnsafeBufferPointer { String(text: $0) }
    }
}

/// The parameters of a question to the admin listener.
struct QueryParameters {
    private var values: [String: [UInt8]] = [:]

    /// - Parameter known: the parameters that there are.
    init(_ query: String?, known: [String]) throws(AdminRefusal) {
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard known.contains(name) else {
                let expected = known.map { "'\($0)'" }.joined(separator: " or ")
                let help = known.contains("url") ? "; write '&' in the URL as %26" : ""
                throw AdminRefusal(.badRequest, "unknown parameter \(quoted(name)); expected \(expected)\(help)")
            }
            guard parts.count > 1, let value = PercentEncoding.bytes(parts[1]) else {
                throw AdminRefusal(
                    .badRequest, "parameter '\(name)' has no value, or a '%' in it is not followed by two hex digits")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw AdminRefusal(.badRequest, "parameter '\(name)' is given twice")
            }
        }
    }

    /// The value, decoded; it need not be text.
    subscript(name: String) -> [UInt8]? { values[name] }

    func text(_ name: String) -> String? { values[name].map { String(text: $0) } }
}

/// Tells names of this machine from others.
///
/// A page of a foreign site can have its own name resolved to 127.0.0.1 and then read what a service here answers (DNS
/// rebinding); but its requests still name the foreign host.
enum LoopbackHost {
    /// - Parameter authority: a host, with or without a port.
    static func matches(_ authority: String) -> Bool {
        guard let host = LoopbackAuthority.host(of: authority).map(String.init) else { return false }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name.lowercased() == "localhost" || SocketAddress("\(host):0")?.isLoopback == true
    }
}

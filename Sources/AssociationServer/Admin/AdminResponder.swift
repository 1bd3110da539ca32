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
        /console/ pages for a browser: health, sites, certificates, a playground
        /api/v1/status  what is wrong, as JSON, which 'aasa status' shows
        """
    private static let notFound = ConsoleAnswer.text("not found; / lists all paths", .notFound)
    private static let noAnswer = "an event loop has not answered within a second"

    private let source: any AdminSource
    private var loops = LoopAnswers()
    private var routes = RouteEndpoint()

    init(_ source: any AdminSource) { self.source = source }

    /// Whether the console answers a request.
    func isForConsole(_ request: ConsoleRequest) -> Bool {
        // A person with a browser wants to see what is wrong, and a program the paths.
        guard request.isForConsole || request.path.isEmpty && request.prefersPage else { return false }
        // Its switch is about people, and 'aasa status' is for programs, too.
        let isStatus = ConsoleRoute(path: request.path, isServer: true) == .api(.status)
        return isStatus || source.configuration.console
    }

    /// - Parameters:
    ///   - request: the same as the head; nil if its target is not a path.
    ///   - now: seconds since 1970.
    ///   - mayBeLarge: whether there is memory left for an answer that can be large.
    mutating func answer(
        _ head: RequestHead, _ request: ConsoleRequest?, now: Int64, mayBeLarge: Bool
    ) -> ConsoleAnswer {
        if head.method == .other {
            var answer = ConsoleAnswer.text("method not allowed; use GET or HEAD", .methodNotAllowed)
            answer.fields.append(("Allow", "GET, HEAD"))
            return answer
        }
        guard let request else {
            return head.target == .unsupported ? .text("bad request", .badRequest) : Self.notFound
        }
        if head.hasUnknownExpectation { return .text("expectation failed", .expectationFailed) }
        // A browser always says which host it wants; what leaves it out is a probe.
        guard request.host.map({ $0.isEmpty || LoopbackHost.matches($0) }) ?? true else {
            return .text(
                "only requests from this machine are allowed; use 127.0.0.1, [::1] or localhost", .misdirectedRequest)
        }
        // A page of another site could not read an answer, but have any number of large ones made.
        if RequestGuard.isFromOtherSite(request, mayBeFollowed: request.path.isEmpty) {
            return .text(RequestGuard.refusalOfOtherSites, .forbidden)
        }
        switch request.path {
        case "": return .text(Self.index)
        case "healthz": return health()
        case "readyz": return readiness()
        case "sites", "route", "metrics":
            guard mayBeLarge else {
                return .text("too many answers are waiting for clients to read them", .serviceUnavailable)
            }
            return large(request, now)
        default: return Self.notFound
        }
    }

    /// The answer to bytes that are not a valid request; it closes.
    static func refusal(_ status: Status) -> ConsoleAnswer { .text(status.reasonPhrase.lowercased(), status) }

    private mutating func large(_ request: ConsoleRequest, _ now: Int64) -> ConsoleAnswer {
        switch request.path {
        case "sites": sites(request.query, now)
        case "route": routes.answer(request.query, source)
        default: metrics(now)
        }
    }

    private mutating func health() -> ConsoleAnswer {
        report() == nil ? .text(Self.noAnswer, .serviceUnavailable) : .text("ok")
    }

    private func readiness() -> ConsoleAnswer {
        let state = source.servingState
        guard state == .ready else { return .text(state.rawValue, .serviceUnavailable) }
        // Clients can be sent here all the same: the CA could not ask a server that waits for its certificates.
        guard let (valid, all) = source.issuanceReport?.coverage, valid < all else { return .text(state.rawValue) }
        return .text("\(state.rawValue)\ncertificates: \(valid) of \(all)")
    }

    /// The answer of `/sites` (server.md, section 9).
    private mutating func sites(_ query: String?, _ now: Int64) -> ConsoleAnswer {
        let report = report()
        let facts = source.facts.with(report)
        let sites: [SiteFacts]
        do throws(AdminRefusal) {
            sites = try SiteQuery.sites(query, among: facts.sites, source)
        } catch {
            return error.answer
        }
        var members: [String: JSONOutput] = [
            "version": .number(1),
            "sites": .array(sites.map { .object($0.members(directory: facts.directory, now: now)) }),
            "certificateProblems": .array(facts.pairs.filter { $0.state != .loaded }.map { .object($0.members) }),
        ]
        if let store = source.storeReport { members["store"] = .object(store.members) }
        if report == nil { members["error"] = .string("\(Self.noAnswer): the counters of the loops are missing") }
        return .json(members)
    }

    /// The metrics; no answer without the counters of the loops: a counter that is missing looks like one that has not
    /// moved, and a failed scrape is what everybody has an alert for.
    private mutating func metrics(_ now: Int64) -> ConsoleAnswer {
        guard let report = report() else { return .text(Self.noAnswer, .serviceUnavailable) }
        return .metrics(MetricsDocument(source, report, ProcessFacts.now(), now: now).bytes)
    }

    private mutating func report() -> LoopReport? { loops.ask(source) { Clock.monotonicMilliseconds() } }
}

extension ConsoleAnswer {
    fileprivate static func text(_ text: String, _ status: Status = .ok) -> ConsoleAnswer { .text(status, text) }

    fileprivate static func json(_ members: [String: JSONOutput], _ status: Status = .ok) -> ConsoleAnswer {
        .json(JSONOutput.object(members).text, status)
    }

    fileprivate static func metrics(_ body: [UInt8]) -> ConsoleAnswer {
        ConsoleAnswer(.ok, "text/plain; version=0.0.4; charset=utf-8", [noStore], body: body)
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

    var answer: ConsoleAnswer {
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

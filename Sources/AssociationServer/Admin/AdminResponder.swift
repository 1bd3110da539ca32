internal import EventLoops
internal import HTTP1

/// What to answer a request to the admin listener with (server.md, section 9).
struct AdminResponder {
    private static let index = """
        /healthz  200 when every event loop answers within a second
        /readyz   200 when clients can be sent here; otherwise 503 and why not
        /sites    the sites, as JSON; only those of ?domain=www.example.com or ?state=no-certificate
        /route    which apps a URL opens, and why, as JSON; for example \(RouteQuestions.example)
        /metrics  for Prometheus
        """
    private static let noAnswer = "an event loop has not answered within a second"

    private let source: any AdminSource
    private var loops = LoopAnswers()
    private var routes = RouteQuestions()

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
            return .text("this is for this machine only; ask for 127.0.0.1, [::1] or localhost", .misdirectedRequest)
        }
        switch target.path {
        case "/": return .text(Self.index)
        case "/healthz": return health()
        case "/readyz": return readiness()
        case "/sites", "/route", "/metrics":
            guard mayBeLarge else { return .text("too many answers wait for others to take them", .serviceUnavailable) }
            return large(target, now)
        default: return .text("not found; / lists what there is", .notFound)
        }
    }

    /// The answer to bytes that are no request that is taken; it closes.
    static func refusal(_ status: Status) -> AdminAnswer { .text(status.reasonPhrase.lowercased(), status) }

    private mutating func large(_ target: AdminTarget, _ now: Int64) -> AdminAnswer {
        switch target.path {
        case "/sites": sites(target.query, now)
        case "/route": routes.answer(target.query, source)
        default: metrics()
        }
    }

    private mutating func health() -> AdminAnswer {
        report() == nil ? .text(Self.noAnswer, .serviceUnavailable) : .text("ok")
    }

    private func readiness() -> AdminAnswer {
        let state = source.servingState
        return .text(state.rawValue, state == .ready ? .ok : .serviceUnavailable)
    }

    private mutating func sites(_ query: String?, _ now: Int64) -> AdminAnswer {
        let sites: [SiteReport]
        do throws(AdminRefusal) {
            sites = try SiteQuestion.sites(query, source)
        } catch {
            return error.answer
        }
        let report = report()
        let document = SitesDocument(
            sites: sites, pairs: source.pairReports.filter { $0.state != .loaded }, loops: report,
            problem: report == nil ? Self.noAnswer : nil, now: now)
        return .json(document.members)
    }

    /// Without the loops there are no metrics: a counter that is missing looks like one that has not moved, and an
    /// answer that is missing is what everybody has an alarm for.
    private mutating func metrics() -> AdminAnswer {
        guard let report = report() else { return .text(Self.noAnswer, .serviceUnavailable) }
        return .metrics(MetricsDocument(source, report, ProcessFacts.now()).bytes)
    }

    private mutating func report() -> LoopReport? { loops.ask(source) { Clock.monotonicMilliseconds() } }
}

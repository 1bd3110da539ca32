internal import DomainNames
package import HTTP1

// What a plain listener answers (docs/spec/deploy.md, A5): association files as over HTTPS, and little else.
extension Responder {
    package enum PlainAnswer: BitwiseCopyable {
        case reply(Reply)
        /// A CA asks for the answer to a challenge, or somebody who thinks that there is one.
        case challenge(Reply, isAnswered: Bool)
        /// A load balancer asks how the server is; `reply(to:in:isGood:_:)` is the answer, which is not logged.
        case health(HealthQuestion)
        case redirect(RedirectResponse)
        /// The links and pages of the site answer.
        case links(LinkQuestion)
    }

    /// The circumstances that the answer to a request depends on besides its sites.
    package struct PlainContext: BitwiseCopyable {
        let origin: ClientOrigin
        let forwarding: Forwarding
        /// Whether the listener answers questions about the server's health.
        let answersHealth: Bool
        /// Whether other paths are redirected to HTTPS at all.
        let redirects: Bool
        /// The challenges that a CA may ask for now; `nil` for none.
        let challenges: Unmanaged<PendingChallenges>?
        /// Whether this is to be the connection's last answer in any case.
        let mustClose: Bool

        package init(
            origin: ClientOrigin, forwarding: Forwarding, answersHealth: Bool, redirects: Bool, mustClose: Bool
        ) {
            self.init(
                origin: origin, forwarding: forwarding, answersHealth: answersHealth, redirects: redirects,
                challenges: nil, mustClose: mustClose)
        }

        init(
            origin: ClientOrigin, forwarding: Forwarding, answersHealth: Bool, redirects: Bool,
            challenges: Unmanaged<PendingChallenges>?, mustClose: Bool
        ) {
            self.origin = origin
            self.forwarding = forwarding
            self.answersHealth = answersHealth
            self.redirects = redirects
            self.challenges = challenges
            self.mustClose = mustClose
        }
    }

    package enum HealthQuestion: BitwiseCopyable {
        /// `/healthz`: whether the loops answer.
        case alive
        /// `/readyz`: whether clients can be sent here.
        case ready
    }

    private static let healthPath: StaticString = "/healthz"
    private static let readinessPath: StaticString = "/readyz"

    /// - Parameters:
    ///   - head: of the request whose bytes are at the beginning of `bytes`.
    ///   - sites: those of now; the answer may point into them, and into `bytes` and `scratch`.
    ///   - scratch: `HostKey.scratchCount` bytes.
    ///   - now: seconds since 1970.
    package func plainAnswer(
        to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>, sites: SiteTable.View,
        scratch: UnsafeMutablePointer<UInt8>, now: Int64, _ context: PlainContext
    ) -> PlainAnswer {
        let mustClose = context.mustClose || head.announcesBody
        let span = bytes.span
        func reply(_ response: PreparedResponse, _ site: Int32 = Responder.noSite) -> PlainAnswer {
            .reply(self.reply(to: head, Choice(response: response, site: site), mustClose: mustClose))
        }
        if case .other = head.method { return reply(standard.methodNotAllowed, site(head, span, sites, scratch)) }
        if case .unsupported = head.target { return reply(standard.badRequest) }
        if head.hasUnknownExpectation { return reply(standard.expectationFailed, site(head, span, sites, scratch)) }
        if context.answersHealth {
            if KnownPath.matches(head.path, of: span, Self.healthPath) { return .health(.alive) }
            if KnownPath.matches(head.path, of: span, Self.readinessPath) { return .health(.ready) }
        }
        guard let host = host(head, span, scratch) else { return reply(standard.badRequest) }
        let site = sites.find(host)
        if let challenges = context.challenges, KnownPath.begins(head.path, of: span, with: PendingChallenges.folder) {
            let response = challenges._withUnsafeGuaranteedRef { $0.response(for: host, head.path, in: span) }
            let choice = Choice(response: response ?? standard.notFound, site: site?.pointee.number ?? Responder.noSite)
            return .challenge(self.reply(to: head, choice, mustClose: mustClose), isAnswered: response != nil)
        }
        guard let site else { return reply(standard.notFound) }
        let number = site.pointee.number
        switch PlainPath(head, in: span, sites) {
        case .association(let path):
            return .reply(
                self.reply(to: head, association(path, of: site, head, span, now), mustClose: mustClose))
        case .acmeChallenge, .reserved: return reply(standard.notFound, number)
        case .other(let path):
            if context.redirects, case .http? = context.origin.scheme(of: head, in: span, context.forwarding) {
                let redirect = RedirectResponse(
                    path, host: host, in: bytes, site: number, sendsBody: sendsBody(head),
                    connection: connection(head, closes: mustClose))
                return redirect.map { .redirect($0) } ?? reply(standard.notFound, number)
            }
            let question = question(head, path, host, site, mustClose: mustClose)
            return question.map { .links($0) } ?? reply(standard.notFound, number)
        }
    }

    /// The answer to a question about the server's health: what the admin listener says, without the reason.
    package func reply(
        to question: HealthQuestion, in head: RequestHead, isGood: Bool, _ context: PlainContext
    ) -> Reply {
        let good =
            switch question {
            case .alive: standard.alive
            case .ready: standard.ready
            }
        return reply(
            to: head, Choice(response: isGood ? good : standard.unhealthy),
            mustClose: context.mustClose || head.announcesBody)
    }

    /// The site of a request that is refused whatever it asks for.
    private func site(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ sites: SiteTable.View, _ scratch: UnsafeMutablePointer<UInt8>
    ) -> Int32 {
        host(head, bytes, scratch).flatMap { sites.find($0) }?.pointee.number ?? Responder.noSite
    }
}

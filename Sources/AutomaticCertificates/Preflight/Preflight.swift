package import ACME
package import AssociationServer
package import DomainNames
internal import Glibc
package import HTTPClient
package import OpenSSL
internal import SystemSupport

/// Asks the addresses of a name, as the CA would, whether they lead here (acme.md, section 4).
///
/// A CA counts failed validations, and bars who has too many of them; a question of our own costs nothing.
package struct Preflight: Sendable {
    /// The time limits of a pre-flight.
    package struct Limits: Sendable {
        /// The limit for looking up the addresses of one family.
        package var lookup: Duration
        /// The limit for one address, from connecting to its answer.
        package var answer: Duration

        package init(lookup: Duration = .seconds(10), answer: Duration = .seconds(3)) {
            (self.lookup, self.answer) = (lookup, answer)
        }
    }

    package enum Outcome: Equatable, Sendable {
        /// Nothing speaks against the order.
        ///
        /// - Parameter remark: what could not be found out, in a clause that can be shown as it is; to be mentioned if the
        ///   order fails.
        case passed(remark: String?)
        /// The CA would not find this server: `dns` or `preflight`, and of this domain only.
        case failed(IssuanceError)
    }

    let host: any IssuanceHost
    let cluster: (any IssuanceCluster)?
    let context: LibraryContext
    let transport: any HTTPTransport
    let resolver: any NameResolver
    let limits: Limits
    let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - host: answers the question, if it gets there.
    ///   - cluster: has all nodes answer it: the name may lead to any of them. Nil if there is one server.
    ///   - transport: verifies no certificate of these handshakes, whatever it trusts.
    ///   - now: seconds since 1970.
    package init(
        host: any IssuanceHost, cluster: (any IssuanceCluster)? = nil, context: LibraryContext,
        transport: any HTTPTransport, resolver: any NameResolver,
        limits: Limits = Limits(), now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
        (self.host, self.cluster, self.context) = (host, cluster, context)
        (self.transport, self.resolver) = (transport, resolver)
        (self.limits, self.now) = (limits, now)
    }

    /// Looks the name up, and asks all its addresses at the same time.
    ///
    /// - Parameters:
    ///   - domain: not a wildcard, which no address can prove.
    ///   - type: the challenge of the order; there is nothing to ask about `dns-persist-01`.
    ///   - port: at which the CA connects.
    ///   - isForPublicNamesOnly: whether the CA connects to public addresses only.
    ///   - completion: is called once, on any thread, and when the question is not answered any more; after a
    ///     cancellation with `passed`, which then means nothing.
    package func start(
        _ domain: Domain, by type: ChallengeType, port: Int, isForPublicNamesOnly: Bool,
        completion: @escaping @Sendable (Outcome) -> Void
    ) -> Cancellation {
        let target = PreflightTarget(
            domain: domain, type: type, port: port, isForPublicNamesOnly: isForPublicNamesOnly)
        let run = PreflightRun(self, target, completion)
        run.begin()
        return Cancellation { run.end(.passed(remark: nil)) }
    }
}

/// One pre-flight from the lookup to its outcome. Whatever it is called by, it goes on on that thread.
final class PreflightRun: Sendable {
    private struct State {
        var isEnded = false
        var underWay: [Cancellation] = []
        var published: PreflightQuestion?
    }

    private let preflight: Preflight
    private let target: PreflightTarget
    private let completion: @Sendable (Preflight.Outcome) -> Void
    private let state = Locked(State())

    init(
        _ preflight: Preflight, _ target: PreflightTarget, _ completion: @escaping @Sendable (Preflight.Outcome) -> Void
    ) {
        (self.preflight, self.target, self.completion) = (preflight, target, completion)
    }

    func begin() {
        let families = AddressFamily.allCases
        let results = Gathering<Result<[IPAddress], ResolutionFailure>>(families.count) { self.resolved($0) }
        for (index, family) in families.enumerated() {
            keep(
                preflight.resolver.start(target.domain.identifier, family, timeLimit: preflight.limits.lookup) {
                    results.put($0, at: index)
                })
        }
    }

    /// Ends it; what is under way is cancelled, and the question is not answered any more. Only the first call counts.
    func end(_ outcome: Preflight.Outcome) {
        let ended = state.withLock { state -> State? in
            guard !state.isEnded else { return nil }
            defer { state = State(isEnded: true) }
            return state
        }
        guard let ended else { return }
        for cancellation in ended.underWay { cancellation.cancel() }
        if let question = ended.published { withdraw(question) }
        completion(outcome)
    }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    private func keep(_ cancellation: Cancellation) {
        let isTooLate = state.withLock { state in
            if !state.isEnded { state.underWay.append(cancellation) }
            return state.isEnded
        }
        if isTooLate { cancellation.cancel() }
    }

    private func resolved(_ results: [Result<[IPAddress], ResolutionFailure>]) {
        guard !isEnded else { return }
        switch target.plan(results) {
        case .ask(let addresses, let remarks): publish(addresses, remarks)
        case .end(let outcome): end(outcome)
        }
    }

    private func publish(_ addresses: [IPAddress], _ remarks: [String]) {
        guard let question = PreflightQuestion(target, in: preflight.context, at: preflight.now()) else {
            end(.passed(remark: "the pre-flight could not create its challenge"))
            return
        }
        let isOpen = state.withLock { state in
            if !state.isEnded { state.published = question }
            return !state.isEnded
        }
        guard isOpen else { return }
        let whenServed: @Sendable () -> Void = { self.ask(addresses, question, remarks) }
        if let cluster = preflight.cluster {
            cluster.publish(question.shared, whenServed: whenServed)
        } else {
            preflight.host.publish([question.challenge], whenServed: whenServed)
        }
        // The caller may have cancelled, and so withdrawn the challenge, before it was published.
        if isEnded { withdraw(question) }
    }

    private func withdraw(_ question: PreflightQuestion) {
        if let cluster = preflight.cluster {
            cluster.withdraw(question.shared)
        } else {
            preflight.host.withdraw([question.challenge])
        }
    }

    private func ask(_ addresses: [IPAddress], _ question: PreflightQuestion, _ remarks: [String]) {
        guard !isEnded else { return }
        let findings = Gathering<AddressFinding>(addresses.count) { [target] findings in
            self.end(target.outcome(of: Array(zip(addresses, findings)), remarks))
        }
        for (index, address) in addresses.enumerated() {
            keep(
                question.ask(address, through: preflight.transport, timeLimit: preflight.limits.answer) {
                    findings.put($0, at: index)
                })
        }
    }
}

/// Waits for several values, which may come on different threads.
final class Gathering<Value: Sendable>: Sendable {
    private let values: Locked<[Value?]>
    private let completion: @Sendable ([Value]) -> Void

    /// - Parameter completion: is called when the last value has come.
    init(_ count: Int, _ completion: @escaping @Sendable ([Value]) -> Void) {
        values = Locked(Array(repeating: nil, count: count))
        self.completion = completion
    }

    func put(_ value: Value, at index: Int) {
        let all = values.withLock { values -> [Value]? in
            values[index] = value
            let present = values.compactMap { $0 }
            return present.count == values.count ? present : nil
        }
        if let all { completion(all) }
    }
}

internal import ACME
internal import AssociationServer
internal import HTTPClient
internal import ProxySupport
internal import SystemSupport

/// One pre-flight from the lookup to its outcome. Whatever it is called by, it goes on on that thread.
final class PreflightRun: Sendable {
    private struct State {
        var isEnded = false
        var underWay: [Cancellation] = []
        var published: PendingChallenge?
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
        if let challenge = ended.published { preflight.host.withdraw([challenge]) }
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
        let challenge = question.challenge
        let isOpen = state.withLock { state in
            if !state.isEnded { state.published = challenge }
            return !state.isEnded
        }
        guard isOpen else { return }
        preflight.host.publish([challenge]) { self.ask(addresses, question, remarks) }
        // Whoever has ended it meanwhile may have withdrawn the challenge before it was published.
        if isEnded { preflight.host.withdraw([challenge]) }
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
private final class Gathering<Value: Sendable>: Sendable {
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

internal import Diagnostics

/// One request of a protocol with all that it takes to have it answered: a nonce, the same request again with another
/// nonce, and again after the CA could not be reached.
struct Exchange: Sendable {
    /// The content of a request.
    struct Request: Sendable {
        enum Kind: Sendable {
            /// Neither signed nor with a nonce.
            case directory
            /// A nonce for another request.
            case newNonce
            case newAccount
            /// Never repeated after a failure in transport: the CA may have made the order.
            case newOrder
            /// Anything else about an account.
            case account
            /// Anything else about an order.
            case order
            case chain

            /// The thing that is asked for, as messages call it.
            var name: String {
                switch self {
                case .directory: "the directory"
                case .newNonce: "newNonce"
                case .newAccount: "newAccount"
                case .account: "the account"
                case .newOrder: "newOrder"
                case .order: "the order"
                case .chain: "the certificate"
                }
            }

            /// Who has to wait after a failure.
            var scope: IssuanceError.Scope {
                switch self {
                case .newOrder, .order, .chain: .domain
                case .directory, .newNonce, .newAccount, .account: .authority
                }
            }
        }

        let kind: Kind
        let url: SecureURL
        /// JSON, or nothing at all (POST-as-GET).
        var payload = ""
    }

    /// Who signs, and where nonces come from.
    struct Identity: Sendable {
        let key: AccountKey
        let newNonce: SecureURL
        /// Nil as long as the CA does not know the key.
        let account: SecureURL?
    }

    /// The next step of an exchange.
    enum Step {
        case send(ACMERequest)
        case wait(until: Duration)
        /// An answer with a status of success.
        case answer(ACMEResponse)
        case refusal(Refusal)
        case failure(IssuanceError)
    }

    private enum Phase {
        case idle
        case fetchingNonce(id: Int)
        case requesting(id: Int)
        case pausing(until: Duration)
        case ended
    }

    /// Seconds before each repetition after a failure in transport.
    private static let pauses: [Int64] = [1, 2, 4]
    private static let nonceLimit = 20

    let request: Request
    /// Nil for the directory, which needs none.
    private let identity: Identity?
    private var phase = Phase.idle
    private var nextID: Int
    private var refusedNonces = 0
    private(set) var repetitions = 0

    /// - Parameter firstID: the number of the first request that it sends; others follow.
    init(_ request: Request, by identity: Identity?, firstID: Int) {
        self.request = request
        self.identity = identity
        nextID = firstID
    }

    /// Whether the request is repeated after a while.
    var isPausing: Bool { if case .pausing = phase { true } else { false } }

    /// The number after the last that was used.
    var lastID: Int { nextID }

    mutating func start(_ nonces: inout NoncePool) -> Step {
        guard let identity else { return send(.get, request.url) }
        guard let nonce = nonces.take() else {
            let next = ACMERequest(id: nextID, .head, identity.newNonce)
            phase = .fetchingNonce(id: nextID)
            nextID += 1
            return .send(next)
        }
        let account = request.kind == .newAccount ? nil : identity.account
        let message = JWS.message(request.payload, to: request.url, for: account, key: identity.key, nonce: nonce)
        guard let message else {
            return end(IssuanceError(.acmeAccount, "the account's key cannot sign", scope: .authority))
        }
        return send(.post(message), request.url)
    }

    private mutating func send(_ method: ACMERequest.Method, _ url: SecureURL) -> Step {
        let next = ACMERequest(id: nextID, method, url, isChain: request.kind == .chain)
        phase = .requesting(id: nextID)
        nextID += 1
        return .send(next)
    }

    private mutating func end(_ error: IssuanceError) -> Step {
        phase = .ended
        return .failure(error)
    }

    /// - Returns: nil for an answer to another request.
    mutating func receive(
        _ response: ACMEResponse, to id: Int, at now: Moment, _ nonces: inout NoncePool
    ) -> Step? {
        switch phase {
        case .fetchingNonce(id): return receiveNonce(response, now, &nonces)
        case .requesting(id): return receiveAnswer(response, now, &nonces)
        default: return nil
        }
    }

    private mutating func receiveNonce(
        _ response: ACMEResponse, _ now: Moment, _ nonces: inout NoncePool
    ) -> Step {
        if let step = pauseAfterFailure(response, now) { return step }
        guard response.isSuccess else {
            return end(Refusal(response, of: .newNonce, now: now.wall).error)
        }
        let count = nonces.count
        nonces.keep(response.nonce)
        guard nonces.count > count || count > 0 else {
            return end(
                IssuanceError(.protocol, "the answer to 'newNonce' has no usable 'Replay-Nonce'", scope: .authority))
        }
        return start(&nonces)
    }

    private mutating func receiveAnswer(
        _ response: ACMEResponse, _ now: Moment, _ nonces: inout NoncePool
    ) -> Step {
        guard !response.isSuccess else {
            nonces.keep(response.nonce)
            phase = .ended
            return .answer(response)
        }
        let refusal = Refusal(response, of: request.kind, now: now.wall)
        if refusal.problem?.type == .badNonce {
            nonces.removeAll()
            nonces.keep(response.nonce)
            refusedNonces += 1
            if refusedNonces <= Self.nonceLimit { return start(&nonces) }
        } else {
            nonces.keep(response.nonce)
            if let step = pauseAfterFailure(response, now) { return step }
        }
        phase = .ended
        return .refusal(refusal)
    }

    /// - Returns: nil for the failure of another request.
    mutating func receive(_ failure: TransportFailure, of id: Int, at now: Moment) -> Step? {
        let isNonce: Bool
        switch phase {
        case .fetchingNonce(id): isNonce = true
        case .requesting(id): isNonce = false
        default: return nil
        }
        switch failure {
        case .tooLarge(let limit):
            let target = AuthorityText.shown(request.url.description, limit: 200)
            let message = "the answer of \(target) is larger than \(grouped(limit)) bytes"
            return end(error(.protocol, message, concernsNonce: isNonce))
        case .unreachable(let reason):
            if isNonce || mayRepeat, let pause = nextPause() {
                return wait(pause, now)
            }
            return end(error(.unavailable, AuthorityText.shown(reason), concernsNonce: isNonce))
        }
    }

    private func error(_ type: IssuanceErrorType, _ message: String, concernsNonce: Bool) -> IssuanceError {
        IssuanceError(type, message, scope: concernsNonce ? .authority : request.kind.scope)
    }

    mutating func timerFired(at now: Moment, _ nonces: inout NoncePool) -> Step? {
        guard case .pausing(let end) = phase else { return nil }
        return now.uptime >= end ? start(&nonces) : .wait(until: end)
    }

    private var mayRepeat: Bool { request.kind != .newOrder }

    private mutating func nextPause() -> Int64? {
        guard repetitions < Self.pauses.count else { return nil }
        repetitions += 1
        return Self.pauses[repetitions - 1]
    }

    private mutating func wait(_ seconds: Int64, _ now: Moment) -> Step {
        let end = now.uptime + .seconds(seconds)
        phase = .pausing(until: end)
        return .wait(until: end)
    }

    /// Whether the same request may be answered if it is repeated: the CA has failed, or asks for patience in the
    /// middle of an order.
    private mutating func pauseAfterFailure(_ response: ACMEResponse, _ now: Moment) -> Step? {
        let isNonce = if case .fetchingNonce = phase { true } else { false }
        guard isNonce || mayRepeat else { return nil }
        let retryAfter = response.retryAfterSeconds(now: now.wall)
        guard let retryAfter else {
            guard response.status >= 500, let pause = nextPause() else { return nil }
            return wait(pause, now)
        }
        let isInOrder = !isNonce && [.order, .chain].contains(request.kind)
        guard isInOrder, response.status == 429 || response.status >= 500, retryAfter <= 3_600,
            let pause = nextPause()
        else { return nil }
        return wait(max(retryAfter, pause), now)
    }
}

/// An answer with a status that is not one of success.
struct Refusal: Sendable {
    let status: Int
    /// Nil if the answer is not a problem document.
    let problem: Problem?
    let error: IssuanceError

    init(_ response: ACMEResponse, of kind: Exchange.Request.Kind, now: Int64) {
        status = response.status
        do throws(IssuanceError) {
            problem = try Problem(response.body)
        } catch {
            problem = nil
        }
        let isFailing = status >= 500 && problem?.type ?? .other == .other
        let type = isFailing ? .unavailable : problem?.type ?? (status == 429 ? .rateLimited : .protocol)
        let what = "\(kind.name) was answered with status \(status)"
        let message = problem?.message ?? ""
        let isPatienceAsked = status == 429 || status == 503 || type == .rateLimited
        error = IssuanceError(
            type, message.isEmpty ? what : isFailing ? "\(what): \(message)" : message, scope: kind.scope,
            retryAfter: isPatienceAsked ? response.retryAfterSeconds(now: now) : nil)
    }

    /// The error as one of all domains: only a change of the account or its settings helps.
    var accountError: IssuanceError {
        IssuanceError(
            .acmeAccount,
            "the CA does not accept the account: \(problem?.type.rawValue ?? IssuanceErrorType.other.rawValue): "
                + error.message,
            scope: .authority, retryAfter: error.retryAfter)
    }
}

/// The nonces that a CA has handed out and that were not used yet (RFC 8555, section 6.5), for all orders together.
package struct NoncePool: Equatable, Sendable {
    private static let capacity = 64
    private var nonces: [String] = []

    package init() {}

    package var count: Int { nonces.count }

    /// Keeps the nonce of an answer, if it is one; of many the last ones.
    mutating func keep(_ nonce: String?) {
        guard let nonce, 1...512 ~= nonce.utf8.count, Base64URL.isSpelledInAlphabet(nonce) else { return }
        if nonces.count == Self.capacity { nonces.removeFirst() }
        nonces.append(nonce)
    }

    /// The one that came last: it is the least likely to have expired.
    mutating func take() -> String? { nonces.popLast() }

    /// Empties the pool after a refused nonce: those that came with it are no better.
    mutating func removeAll() { nonces = [] }
}

internal import Dispatch
internal import EventLoops
internal import HTTP1
internal import OpenSSL
internal import SystemSupport

/// The challenges that are pending, and their way to the loops.
///
/// They are published by themselves and not with sites and certificates, so that neither waits for the other, and a
/// reload that has begun cannot bring back what was withdrawn meanwhile.
final class ChallengeStore: Sendable {
    private struct State {
        var pending: [PendingChallenge.Key: PreparedChallenge] = [:]
        var current = PendingChallenges()
    }

    private let state = Locked(State())
    /// The challenges that a loop answers from its start.
    var current: PendingChallenges { state.withLock { $0.current } }

    /// - Parameters:
    ///   - workers: the loops of now; asked for while nothing else is published.
    ///   - whenServed: is called once, on any thread, when every loop answers the challenges or has ended.
    func publish(
        _ challenges: [PendingChallenge], to workers: () -> [Worker], whenServed: @escaping @Sendable () -> Void
    ) {
        let prepared = challenges.compactMap(PreparedChallenge.init)
        let group = DispatchGroup()
        state.withLock { state in
            for one in prepared { state.pending[one.challenge.key] = one }
            Self.send(&state, to: workers(), group)
        }
        group.notify(queue: .global(), execute: whenServed)
    }

    /// Answers challenges no more; those that have taken their place stay.
    func withdraw(_ challenges: [PendingChallenge], from workers: () -> [Worker]) {
        state.withLock { state in
            for challenge in challenges where state.pending[challenge.key]?.challenge == challenge {
                state.pending[challenge.key] = nil
            }
            Self.send(&state, to: workers(), DispatchGroup())
        }
    }

    /// While the state is locked, so that every loop gets all changes in the same order.
    private static func send(_ state: inout State, to workers: [Worker], _ group: DispatchGroup) {
        let challenges = PendingChallenges(state.pending.values)
        state.current = challenges
        for worker in workers {
            let token = DispatchGroupToken(group)
            worker.loop.post { withExtendedLifetime(token) { worker.use(challenges) } }
        }
    }
}

/// All challenges that are pending, ready for handshakes and requests. It never changes after it was made.
final class PendingChallenges: Sendable {
    static let folder: StaticString = "/.well-known/acme-challenge/"

    private let handshakes: [TLSChallenge]
    private let handshakeNames: HostTable
    /// Several for one host are a list.
    private let requests: [(answer: RequestAnswer, next: Int?)]
    private let requestNames: HostTable

    /// Whether any can be asked for in a handshake.
    var hasHandshakes: Bool { !handshakes.isEmpty }
    /// Whether any can be asked for in a request.
    var hasRequests: Bool { !requests.isEmpty }

    /// - Parameter challenges: no two with the same key.
    init(_ challenges: some Sequence<PreparedChallenge>) {
        var handshakes: [TLSChallenge] = []
        var handshakeNames: [(name: String, value: Int)] = []
        var requests: [(answer: RequestAnswer, next: Int?)] = []
        var firsts: [String: Int] = [:]
        for prepared in challenges {
            let name = prepared.challenge.name
            switch prepared.answer {
            case .handshake(let answer):
                handshakeNames.append((name, handshakes.count))
                handshakes.append(answer)
            case .request(let answer):
                requests.append((answer, firsts[name]))
                firsts[name] = requests.count - 1
            }
        }
        self.handshakes = handshakes
        self.handshakeNames = HostTable(handshakeNames)
        self.requests = requests
        requestNames = HostTable(firsts.map { ($0.key, $0.value) })
    }

    /// None.
    convenience init() { self.init([]) }

    /// The challenge for a handshake; `nil` if none is pending for the name.
    func handshake(for name: HostKey) -> TLSChallenge? { handshakeNames.view.find(name).map { handshakes[$0] } }

    /// The answer to a request; `nil` if no challenge is pending for the host and the path.
    ///
    /// It is valid as long as this object is.
    func response(for host: HostKey, _ path: RequestHead.Slice, in bytes: Span<UInt8>) -> PreparedResponse? {
        var index = requestNames.view.find(host)
        while let current = index {
            let (answer, next) = requests[current]
            if KnownPath.matches(path, of: bytes, answer.path) { return answer.response }
            index = next
        }
        return nil
    }
}

/// A challenge with all that is made for it once.
struct PreparedChallenge {
    enum Answer {
        case handshake(TLSChallenge)
        case request(RequestAnswer)
    }

    let challenge: PendingChallenge
    let answer: Answer

    /// - Returns: `nil` if the library lacks memory.
    init?(_ challenge: PendingChallenge) {
        self.challenge = challenge
        switch challenge.answer {
        case .tlsALPN01(let certificate):
            guard let handshake = try? TLSChallenge(certificate) else { return nil }
            answer = .handshake(handshake)
        case .http01(let token, let keyAuthorization): answer = .request(RequestAnswer(token, keyAuthorization))
        }
    }
}

/// The answer to the request of a challenge.
final class RequestAnswer: @unchecked Sendable {
    let path: UnsafeBufferPointer<UInt8>
    let response: PreparedResponse

    init(_ token: String, _ keyAuthorization: String) {
        let text = Array("\(PendingChallenges.folder)\(token)".utf8)
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = memory.initialize(from: text)
        path = UnsafeBufferPointer(memory)
        response = .allocate(
            .ok, fields: [(.contentType, "application/octet-stream"), (.cacheControl, "no-store")],
            body: Array(keyAuthorization.utf8))
    }

    deinit {
        path.deallocate()
        response.deallocate()
    }
}

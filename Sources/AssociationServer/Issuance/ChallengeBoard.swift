internal import Dispatch
internal import EventLoops
internal import OpenSSL
internal import SystemSupport

/// The challenges that are pending, and their way to the loops.
///
/// They are published by themselves and not with sites and certificates, so that neither waits for the other, and a
/// reload that has begun cannot bring back what was withdrawn meanwhile.
final class ChallengeBoard: Sendable {
    private struct State {
        var pending: [PendingChallenge.Key: PreparedChallenge] = [:]
        var current = PendingChallenges()
    }

    private let state = Locked(State())
    /// What a loop that is about to start answers.
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

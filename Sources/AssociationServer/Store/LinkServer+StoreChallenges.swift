internal import Dispatch
internal import EventLoops
internal import OpenSSL
package import SiteStore
internal import SystemSupport

// Challenges of CAs that any node of a store may have caused (store.md, section 7).
extension LinkServer {
    /// The longest wait until every loop answers, in milliseconds: the node of the store waits for it.
    private static let challengeLimit = 5_000
    /// The library context of the certificates. It never goes, as threads of queues look for it once more when they end.
    private static let challengeContext = Result { () throws(OpenSSLError) in try LibraryContext() }

    package func answer(_ challenges: [StoredChallenge]) {
        let known = state.withLock { $0.store.challenges }
        var current: [StoredChallenge: PendingChallenge] = [:]
        var new: [PendingChallenge] = []
        for challenge in challenges {
            if let pending = known[challenge] {
                current[challenge] = pending
            } else if let pending = Self.pending(challenge) {
                current[challenge] = pending
                new.append(pending)
            }
        }
        state.withLock { $0.store.challenges = current }
        let ended = known.filter { current[$0.key] == nil }.map(\.value)
        if !ended.isEmpty { withdraw(ended) }
        guard !new.isEmpty else { return }
        let served = DispatchSemaphore(value: 0)
        publish(new) { served.signal() }
        _ = served.wait(timeout: .now() + .milliseconds(Self.challengeLimit))
    }

    /// Nil for a row that no CA can have caused.
    private static func pending(_ challenge: StoredChallenge) -> PendingChallenge? {
        switch challenge.kind {
        case .http01:
            return PendingChallenge(
                name: challenge.domain,
                .http01(token: challenge.token, keyAuthorization: challenge.keyAuthorization))
        case .tlsALPN01:
            guard case .success(let context) = challengeContext,
                let certificate = try? ChallengeCertificate.make(
                    name: challenge.domain, keyAuthorization: challenge.keyAuthorization, at: Clock.wallSeconds(),
                    in: context)
            else { return nil }
            return PendingChallenge(name: challenge.domain, .tlsALPN01(certificate))
        }
    }
}

package import HTTP1
package import OpenSSL

/// Why a connection was not taken, in the words of metrics.
package enum ConnectionRefusal: String, CaseIterable, Sendable, BitwiseCopyable {
    /// `limits.connections` were open.
    case connections
    /// `limits.perAddress` were open from one address.
    case perAddress = "per_address"
    /// Descriptors or memory have run out.
    case exhausted
    /// The peer is not one of `trustedProxies`, and the listener expects a PROXY header.
    case untrustedProxy = "untrusted_proxy"
    /// The PROXY header was missing, malformed or late.
    case proxyHeader = "proxy_header"

    fileprivate var index: Int {
        switch self {
        case .connections: 0
        case .perAddress: 1
        case .exhausted: 2
        case .untrustedProxy: 3
        case .proxyHeader: 4
        }
    }
}

/// The phases that a time-out can end, in the words of metrics.
package enum TimeoutPhase: String, CaseIterable, Sendable, BitwiseCopyable {
    case handshake, header, idle, write

    fileprivate var index: Int {
        switch self {
        case .handshake: 0
        case .header: 1
        case .idle: 2
        case .write: 3
        }
    }
}

/// The types of challenges that listeners answer, in the words of metrics.
package enum AnsweredChallenge: String, CaseIterable, Sendable, BitwiseCopyable {
    case tlsALPN01 = "tls-alpn-01"
    case http01 = "http-01"

    fileprivate var index: Int {
        switch self {
        case .tlsALPN01: 0
        case .http01: 1
        }
    }
}

/// The index of a number among those that each loop counts.
package struct Counter: BitwiseCopyable, Sendable {
    let index: Int

    private static let refusals = 13
    private static let handshakes = refusals + 5
    private static let failures = handshakes + 4
    private static let timeouts = failures + 10
    private static let others = timeouts + 4
    private static let challenges = others + 3
    static let count = challenges + 4

    /// Answers of that status.
    package static func request(_ status: Status) -> Counter { Counter(index: status.index) }

    package static func refused(_ reason: ConnectionRefusal) -> Counter { Counter(index: refusals + reason.index) }

    package static func handshake(isTLS13: Bool, isResumed: Bool) -> Counter {
        Counter(index: handshakes + (isTLS13 ? 2 : 0) + (isResumed ? 1 : 0))
    }

    package static func handshakeFailed(_ reason: HandshakeFailure) -> Counter {
        Counter(index: failures + reason.index)
    }

    package static func timeout(_ phase: TimeoutPhase) -> Counter { Counter(index: timeouts + phase.index) }

    /// Challenges that a CA has asked for, by the two types that listeners answer.
    package static func challenge(_ type: AnsweredChallenge, isAnswered: Bool) -> Counter {
        Counter(index: challenges + type.index * 2 + (isAnswered ? 1 : 0))
    }

    /// Connections that were taken.
    package static let connections = Counter(index: others)
    /// Bytes that sockets took, TLS included.
    package static let sentBytes = Counter(index: others + 1)
    /// Redirects to HTTPS, whose status is not a `Status`.
    package static let redirects = Counter(index: others + 2)
}

/// The answers that are counted for a site: those that the host of a request can get.
enum SiteStatus {
    static let all: [Status] = [
        .ok, .notModified, .notFound, .methodNotAllowed, .preconditionFailed, .expectationFailed, .serviceUnavailable,
    ]
    /// Where redirects are counted, which have a status that is none of those.
    static let redirects = 7
    /// How many numbers there are for a site.
    static let count = 8

    /// `nil` for an answer that no site gives.
    @inline(__always)
    static func index(_ status: Status) -> Int? {
        switch status {
        case .ok: 0
        case .notModified: 1
        case .notFound: 2
        case .methodNotAllowed: 3
        case .preconditionFailed: 4
        case .expectationFailed: 5
        case .serviceUnavailable: 6
        default: nil
        }
    }
}

package import OpenSSL

/// Why a connection is closed.
package enum CloseReason: Equatable, BitwiseCopyable {
    /// Everything is sent, or the peer has left.
    case finished
    /// The socket, TLS or the handshake has failed, or the server stops.
    case failed
    /// `nil`: while lingering.
    case timeout(TimeoutPhase?)
    /// Its time to drain is over.
    case forced
    /// What came is not a PROXY header, or its time is over.
    case proxyHeader
    /// A limit is reached.
    case refused(ConnectionRefusal)
    /// The first byte is neither of TLS nor of HTTP.
    case notTLS
}

extension ConnectionState {
    /// What closing a connection means for its peer and for the metrics.
    package struct Closing: Equatable {
        /// Whether the peer gets a reset.
        package var resets = false
        /// Why its handshake has failed, if that had not ended.
        package var failure: HandshakeFailure?
        /// Why it was refused, if that is the reason.
        package var refusal: ConnectionRefusal?
    }

    package mutating func close(_ reason: CloseReason) -> Closing {
        defer { phase = .closed }
        let isHandshake: Bool
        switch phase {
        case .proxyHeader: return closeBeforeHeader(reason)
        case .sniffing, .handshake: isHandshake = true
        case .head, .idle, .sending, .lingering, .closed: isHandshake = false
        }
        switch reason {
        case .timeout: return Closing(resets: isParked, failure: isHandshake ? .timeout : nil)
        // What was sent to a peer that does not take it would stay in the system, and nobody would count it.
        case .forced: return Closing(resets: isParked, failure: isHandshake ? failure : nil)
        case .finished, .failed, .proxyHeader, .notTLS: return Closing(failure: isHandshake ? failure : nil)
        case .refused(let refusal): return Closing(refusal: refusal)
        }
    }

    /// Whoever connects and leaves without a byte only wanted to know whether somebody listens.
    private func closeBeforeHeader(_ reason: CloseReason) -> Closing {
        switch reason {
        case .refused(let refusal): Closing(refusal: refusal)
        case .proxyHeader, .timeout: Closing(refusal: .proxyHeader)
        case .finished, .failed, .notTLS: Closing(refusal: hasBegun ? .proxyHeader : nil)
        case .forced: Closing()
        }
    }
}

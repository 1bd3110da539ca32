internal import COpenSSL

/// Why a handshake came to nothing, in the words of metrics.
package enum HandshakeFailure: String, CaseIterable, Sendable, BitwiseCopyable {
    /// No certificate covers the name that was asked for.
    case unknownName = "unknown_name"
    /// The client speaks only versions that are not spoken here, or was talked into an older one (RFC 7507).
    case version
    /// No cipher suite, group or signature algorithm in common.
    case parameters
    /// The client offers application protocols, and `http/1.1` is not among them.
    case protocolName = "alpn"
    /// The client sent an alert: it does not like our certificate, for example.
    case alert
    /// HTTP in clear.
    case http
    /// Neither TLS nor HTTP.
    case notTLS = "not_tls"
    /// The client has gone in the middle of it.
    case closed
    case timeout
    /// A record or message that breaks the rules.
    case malformed

    /// The place among `allCases`.
    package var place: Int {
        switch self {
        case .unknownName: 0
        case .version: 1
        case .parameters: 2
        case .protocolName: 3
        case .alert: 4
        case .http: 5
        case .notTLS: 6
        case .closed: 7
        case .timeout: 8
        case .malformed: 9
        }
    }

    /// What the thread's error queue says of a handshake that has failed; empties it.
    static func take() -> HandshakeFailure {
        let code = ERR_peek_last_error()
        let isNameMalformed = c_ERR_GET_REASON(ERR_peek_error()) == SSL_R_BAD_EXTENSION
        ErrorQueue.clear()
        // Without a word of libssl: the client said `close_notify`.
        if code == 0 { return .closed }
        guard c_ERR_GET_LIB(code) == ERR_LIB_SSL else { return .malformed }
        return switch c_ERR_GET_REASON(code) {
        // Each alert that is received has a reason of its own: its number (RFC 8446, section 6) and this.
        case SSL_AD_REASON_OFFSET...SSL_AD_REASON_OFFSET + 255: .alert
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_UNKNOWN_PROTOCOL,
            SSL_R_INAPPROPRIATE_FALLBACK:
            .version
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SUITABLE_KEY_SHARE,
            SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_CIPHERS_SPECIFIED:
            .parameters
        case SSL_R_NO_APPLICATION_PROTOCOL: .protocolName
        case SSL_R_CALLBACK_FAILED: isNameMalformed ? .malformed : .unknownName
        default: .malformed
        }
    }
}

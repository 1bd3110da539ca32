internal import COpenSSL

/// The server's side of one TLS connection, without I/O: it reads from and writes to `TransportBuffers`.
package struct TLSSession: ~Copyable {
    /// The point that a handshake has reached.
    package enum Progress: Sendable, Equatable {
        case done
        /// All input is used up.
        case needsInput
        /// The output is full; take it away and repeat.
        case needsOutput
        /// The peer broke the protocol, or was refused. An alert may be in the output.
        case failed(HandshakeFailure)
    }

    package enum Reading: Sendable {
        case bytes(Int)
        case needsInput
        case needsOutput
        /// The peer has sent `close_notify`.
        case closed
        case failed
    }

    private let ssl: OpaquePointer

    /// - Parameters:
    ///   - context: in use until the client hello has chosen another.
    ///   - buffers: must outlive the session.
    package init(
        context: TLSContext, buffers: UnsafeMutablePointer<TransportBuffers>
    ) throws(OpenSSLError) {
        ErrorQueue.clear()
        guard let bio = TransportBIO.make(buffers) else { throw OpenSSLError(.setUp, "no memory for TLS") }
        guard let ssl = SSL_new(context.pointer) else {
            BIO_free(bio)
            throw OpenSSLError(.setUp, "no memory for TLS")
        }
        self.ssl = ssl
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
    }

    deinit { SSL_free(ssl) }

    package func handshake() -> Progress {
        ErrorQueue.clear()
        let result = SSL_do_handshake(ssl)
        return result == 1 ? .done : failure(result)
    }

    /// Reads decrypted bytes.
    package func read(into bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Reading {
        ErrorQueue.clear()
        let result = SSL_read(ssl, bytes, Int32(truncatingIfNeeded: count))
        if result > 0 { return .bytes(Int(result)) }
        let reason = SSL_get_error(ssl, result)
        if reason == SSL_ERROR_WANT_READ { return .needsInput }
        if reason == SSL_ERROR_ZERO_RETURN { return .closed }
        if reason == SSL_ERROR_WANT_WRITE { return .needsOutput }
        ErrorQueue.clear()
        return .failed
    }

    /// Encrypts bytes, at most one record of them.
    ///
    /// - Returns: how many were taken; 0 if the connection has failed. The output must have `roomForRecord`.
    package func write(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
        ErrorQueue.clear()
        let result = SSL_write(ssl, bytes, Int32(truncatingIfNeeded: count))
        if result > 0 { return Int(result) }
        ErrorQueue.clear()
        return 0
    }

    /// Whether bytes that were received still wait inside the session: no event will report them.
    package var hasPending: Bool { SSL_has_pending(ssl) == 1 }

    /// Writes `close_notify`. Call it once, and write nothing after it: a second call of libssl would read.
    package func sendCloseNotify() {
        ErrorQueue.clear()
        _ = SSL_shutdown(ssl)
        ErrorQueue.clear()
    }

    /// Which of the context's certificates was presented; `nil` for a resumed session, which presents none.
    package func presentedCertificate(of context: TLSContext) -> Int? {
        guard !isResumed, let leaf = SSL_get_certificate(ssl) else { return nil }
        return context.index(ofLeaf: leaf)
    }

    /// Whether TLS 1.3 is spoken, and not 1.2.
    package var isTLS13: Bool { SSL_version(ssl) == TLS1_3_VERSION }

    /// Whether the handshake has agreed on HTTP/2.
    package var isHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return ApplicationProtocol.http2.matches(UnsafeBufferPointer(start: name, count: Int(count)))
    }

    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    private func failure(_ result: Int32) -> Progress {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_WANT_WRITE: return .needsOutput
        default: return .failed(.fromErrorQueue())
        }
    }
}

/// Why a handshake has failed, in the words of metrics.
package enum HandshakeFailure: String, CaseIterable, Sendable, BitwiseCopyable {
    /// No certificate covers the name that was asked for.
    case unknownName = "unknown_name"
    /// The client supports only other versions, or has fallen back to an older one (RFC 7507).
    case version
    /// No cipher suite, group or signature algorithm in common.
    case parameters
    /// The client offers application protocols, and none that is spoken here is among them.
    case protocolName = "alpn"
    /// The client has sent an alert: it does not trust the certificate, for example.
    case alert
    /// HTTP without TLS.
    case http
    /// Neither TLS nor HTTP.
    case notTLS = "not_tls"
    /// The client has left in the middle of it.
    case closed
    case timeout
    /// A record or message that breaks the rules.
    case malformed

    /// The index in `allCases`.
    package var index: Int {
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

    /// Reads the reason from the thread's error queue, and empties it.
    static func fromErrorQueue() -> HandshakeFailure {
        let code = ERR_peek_last_error()
        let isNameMalformed = c_ERR_GET_REASON(ERR_peek_error()) == SSL_R_BAD_EXTENSION
        ErrorQueue.clear()
        // Nothing from libssl: the client has sent `close_notify`.
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

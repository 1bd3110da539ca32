internal import COpenSSL

/// The server's side of one TLS connection, without I/O: it reads from and writes to `TransportBuffers`.
package struct TLSSession: ~Copyable {
    /// How far a handshake came.
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

    /// Whether bytes that were received still wait inside the session: no event will tell of them.
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
        return context.place(ofLeaf: leaf)
    }

    /// Whether TLS 1.3 is spoken, and not 1.2.
    package var isTLS13: Bool { SSL_version(ssl) == TLS1_3_VERSION }

    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    private func failure(_ result: Int32) -> Progress {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_WANT_WRITE: return .needsOutput
        default: return .failed(.take())
        }
    }
}

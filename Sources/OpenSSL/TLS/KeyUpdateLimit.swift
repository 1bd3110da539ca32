internal import COpenSSL

/// Bounds what a client can have us compute after its handshake: new keys (RFC 8446, section 4.6.3) take us thirty
/// microseconds each time, and it twenty-seven bytes. libssl itself knows no bound.
enum KeyUpdateLimit {
    /// In the life of a connection. A client needs one for gigabytes.
    static let most = 32

    /// Where a session keeps how many there were.
    private static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    /// Is called for each message of a handshake, and never for a record of data.
    static let count: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { ssl, event, _ in
        guard event == SSL_CB_ACCEPT_LOOP, let ssl, SSL_get_state(ssl) == TLS_ST_SR_KEY_UPDATE else { return }
        let updates = Int(bitPattern: SSL_get_ex_data(ssl, index)) + 1
        SSL_set_ex_data(ssl, index, UnsafeMutableRawPointer(bitPattern: updates))
        // As if the client had said goodbye: what it has sent is thrown away, and the connection ends.
        if updates > most { SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN) }
    }
}

internal import COpenSSL
internal import OpenSSL

/// A client of TLS in memory: what it wants to send is taken from it, and what it shall receive is given to it.
package final class SampleClient {
    package enum Progress: Equatable, Sendable {
        case done, needsInput, failed
    }

    let ssl: OpaquePointer
    /// The secret that the records of TLS 1.3 are encrypted with after the handshake.
    private(set) var trafficSecret: [UInt8] = []
    private let input: OpaquePointer
    private let output: OpaquePointer

    /// - Parameter session: an earlier one to resume.
    package init(_ offer: SampleOffer = SampleOffer(), resuming session: SampleSession? = nil) throws {
        guard let context = Self.context, let ssl = SSL_new(context), let input = BIO_new(BIO_s_mem()),
            let output = BIO_new(BIO_s_mem())
        else {
            throw SampleTLSError("no memory for a client")
        }
        (self.ssl, self.input, self.output) = (ssl, input, output)
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        SSL_set_ex_data(ssl, Self.owner, Unmanaged.passUnretained(self).toOpaque())
        try apply(offer)
        if let session { SSL_set_session(ssl, session.pointer) }
    }

    deinit {
        // A session whose connection has not ended in order would not be resumed.
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(ssl)
    }

    /// One for all clients: what they differ in is set for each.
    nonisolated(unsafe) private static let context: OpaquePointer? = {
        let context = SSL_CTX_new(TLS_client_method())
        if let context {
            // With a cache the library would not use a ticket of TLS 1.3 twice.
            c_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
            SSL_CTX_set_keylog_callback(context, takeSecret)
        }
        return context
    }()

    private static let owner = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    /// Gets lines of the format of key logs: a label, the client's random number, the secret, both in hexadecimal.
    private static let takeSecret: SSL_CTX_keylog_cb_func = { ssl, line in
        guard let ssl, let line, let owner = SSL_get_ex_data(ssl, SampleClient.owner) else { return }
        let words = String(cString: line).split(separator: " ")
        guard words.count == 3, words[0] == "CLIENT_TRAFFIC_SECRET_0" else { return }
        let digits = Array(words[2])
        Unmanaged<SampleClient>.fromOpaque(owner).takeUnretainedValue().trafficSecret =
            stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    private func apply(_ offer: SampleOffer) throws {
        // What a client offers may be weak.
        SSL_set_security_level(ssl, 0)
        var isGood = c_SSL_set_min_proto_version(ssl, Self.number(offer.oldest)) == 1
        isGood = c_SSL_set_max_proto_version(ssl, Self.number(offer.newest)) == 1 && isGood
        if let name = offer.serverName { isGood = c_SSL_set_tlsext_host_name(ssl, name) == 1 && isGood }
        if let ciphers = offer.ciphers { isGood = SSL_set_cipher_list(ssl, ciphers) == 1 && isGood }
        if let suites = offer.suites { isGood = SSL_set_ciphersuites(ssl, suites) == 1 && isGood }
        if let groups = offer.groups { isGood = c_SSL_set1_groups_list(ssl, groups) == 1 && isGood }
        if let list = offer.signatureAlgorithms { isGood = c_SSL_set1_sigalgs_list(ssl, list) == 1 && isGood }
        if !offer.protocols.isEmpty {
            let list = offer.protocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
            isGood = SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 && isGood
        }
        if offer.isFallback { c_SSL_set_fallback_mode(ssl) }
        SSL_set_verify(ssl, offer.verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        guard isGood else { throw SampleTLSError("the library cannot offer this") }
    }

    private static func number(_ version: SampleOffer.Version) -> Int32 {
        switch version {
        case .tls10: TLS1_VERSION
        case .tls12: TLS1_2_VERSION
        case .tls13: TLS1_3_VERSION
        }
    }

    /// Goes on with the handshake, with bytes from the server.
    package func handshake(_ bytes: [UInt8] = []) -> Progress {
        receive(bytes)
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 { return .done }
        let reason = SSL_get_error(ssl, result)
        ERR_clear_error()
        return reason == SSL_ERROR_WANT_READ ? .needsInput : .failed
    }

    /// Takes bytes from the server.
    package func receive(_ bytes: [UInt8]) {
        if !bytes.isEmpty { BIO_write(input, bytes, Int32(truncatingIfNeeded: bytes.count)) }
    }

    /// The bytes that are to be sent to the server.
    package func takeOutput() -> [UInt8] {
        let count = Int(BIO_ctrl_pending(output))
        guard count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, Int(BIO_read(output, buffer.baseAddress, Int32(truncatingIfNeeded: count))))
        }
    }

    /// Encrypts bytes.
    package func write(_ bytes: [UInt8]) -> Bool {
        ERR_clear_error()
        return SSL_write(ssl, bytes, Int32(truncatingIfNeeded: bytes.count)) == Int32(truncatingIfNeeded: bytes.count)
    }

    /// Decrypts all that was received.
    package func read() -> [UInt8] {
        var plain: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            ERR_clear_error()
            let count = SSL_read(ssl, &buffer, Int32(buffer.count))
            guard count > 0 else { break }
            plain += buffer[..<Int(count)]
        }
        ERR_clear_error()
        return plain
    }

    /// Says `close_notify`.
    package func close() {
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// Asks for another handshake, which only TLS 1.2 has.
    package func renegotiate() -> Progress {
        SSL_renegotiate(ssl)
        return handshake()
    }

    /// Takes other keys (RFC 8446, section 4.6.3).
    package func updateKeys(asksServer: Bool) -> Bool {
        SSL_key_update(ssl, asksServer ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED) == 1
            && handshake() == .done
    }

    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }
    /// Whether the server has said that it knows RFC 5746.
    package var hasSecureRenegotiation: Bool { c_SSL_get_secure_renegotiation_support(ssl) == 1 }
    package var isCompressed: Bool { SSL_get_current_compression(ssl) != nil }
    /// The application protocol that the server has chosen.
    package var selectedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }
    /// Whether there is something to resume.
    package var hasTicket: Bool { session.map { SSL_SESSION_has_ticket($0.pointer) == 1 } ?? false }
    package var cipher: String { SSL_get_current_cipher(ssl).map { String(cString: SSL_CIPHER_get_name($0)) } ?? "" }
    /// The group of the key exchange, in the library's words.
    package var group: String {
        SSL_group_to_name(ssl, c_SSL_get_negotiated_group(ssl)).map { String(cString: $0) } ?? ""
    }
    /// The session that can be resumed; in TLS 1.3 once the server's ticket was read.
    package var session: SampleSession? { SSL_get1_session(ssl).map(SampleSession.init) }
    /// The number of bytes of early data that the ticket allows.
    package var earlyData: Int { session.map { Int(SSL_SESSION_get_max_early_data($0.pointer)) } ?? 0 }
}

/// An earlier session of a client.
package final class SampleSession {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { SSL_SESSION_free(pointer) }
}

public struct SampleTLSError: Error, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }
}

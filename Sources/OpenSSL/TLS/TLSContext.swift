internal import BoundedText
internal import COpenSSL
internal import SystemSupport

/// The TLS of a server with one set of certificates: an `SSL_CTX` with our policy.
///
/// It never changes after it was made, so all threads may use it; sessions keep the `SSL_CTX` alive.
package final class TLSContext: @unchecked Sendable {
    /// The oldest version that is accepted.
    package enum Version: Sendable {
        case tls12, tls13
    }

    let pointer: OpaquePointer
    package let certificates: [ServerCertificate]
    /// The leaf of each certificate; kept alive by the `SSL_CTX`.
    private var leaves: [OpaquePointer] = []

    /// - Parameters:
    ///   - certificates: at most one of each key type; none for the context in use until a client hello has chosen.
    ///   - minimumVersion: nothing older than 1.2 can be asked for.
    ///   - ticketKeys: shared by all contexts of the server.
    package convenience init(
        certificates: [ServerCertificate], minimumVersion: Version, ticketKeys: TicketKeys
    ) throws(OpenSSLError) {
        try self.init(certificates, minimumVersion)
        // It may happen in the middle of a handshake, which would take what is left in the queue for its own failure.
        defer { ErrorQueue.clear() }
        for certificate in certificates {
            let identity = try certificate.parsed()
            try identity.add(certificate.issuers, to: pointer, with: c_SSL_CTX_use_cert_and_key)
            leaves.append(identity.leaf)
        }
        try setIdentity(ticketKeys)
    }

    /// The context for challenges (RFC 8737), whose protocol is `acme-tls/1`; each handshake has its own certificate.
    fileprivate static let forChallenges = Result { () throws(OpenSSLError) in
        let context = try TLSContext([], .tls12)
        SSL_CTX_set_alpn_select_cb(context.pointer, selectChallenge, nil)
        return context
    }

    private init(_ certificates: [ServerCertificate], _ minimumVersion: Version) throws(OpenSSLError) {
        ErrorQueue.clear()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else {
            throw OpenSSLError(.setUp, "TLS cannot be set up")
        }
        self.pointer = pointer
        self.certificates = certificates
        try setPolicy(minimumVersion)
    }

    deinit { SSL_CTX_free(pointer) }

    func index(ofLeaf leaf: OpaquePointer) -> Int? { leaves.firstIndex(of: leaf) }

    /// server.md, section 4: AES-128-GCM first, because SHA-256 has help of the processor where SHA-384 has none.
    private func setPolicy(_ minimumVersion: Version) throws(OpenSSLError) {
        SSL_CTX_set_security_level(pointer, Self.securityLevel)
        SSL_CTX_set_options(pointer, c_server_options())
        c_SSL_CTX_set_mode(pointer, c_server_modes())
        c_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        c_SSL_CTX_set_read_ahead(pointer, 1)
        let oldest = minimumVersion == .tls13 ? TLS1_3_VERSION : TLS1_2_VERSION
        let suites = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384"
        let ciphers = """
            ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:\
            ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:\
            ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384
            """
        guard c_SSL_CTX_set_min_proto_version(pointer, oldest) == 1,
            c_SSL_CTX_set_max_proto_version(pointer, TLS1_3_VERSION) == 1,
            SSL_CTX_set_ciphersuites(pointer, suites) == 1, SSL_CTX_set_cipher_list(pointer, ciphers) == 1,
            setGroups(of: Self.groupLists) != nil, SSL_CTX_set_num_tickets(pointer, 1) == 1
        else { throw OpenSSLError(.setUp, "this OpenSSL does not know the cipher suites that are needed") }
        SSL_CTX_set_timeout(pointer, Int(TicketKeys.lifetime) * (TicketKeys.kept - 1))
        SSL_CTX_set_alpn_select_cb(pointer, selectProtocol, nil)
        SSL_CTX_set_client_hello_cb(pointer, chooseContext, nil)
        SSL_CTX_set_info_callback(pointer, KeyUpdateLimit.count)
        c_SSL_CTX_set_tlsext_servername_callback(pointer, acknowledgeServerName)
    }

    /// The groups of key exchange, the preferred one first. The library refuses a list with a name that it does not know:
    /// the hybrid with ML-KEM, which recorded connections need against quantum computers, came with OpenSSL 3.5.
    package static let groupLists = ["X25519MLKEM768:X25519:P-256:P-384", "X25519:P-256:P-384"]

    /// Offers the groups of the first list that the library knows as a whole.
    ///
    /// - Returns: that list; `nil` if it knows none of them, and nothing has changed.
    package func setGroups(of lists: [String]) -> String? {
        // A refusal leaves an error in the queue, which would be taken for one of a later call.
        defer { ErrorQueue.clear() }
        return lists.first { c_SSL_CTX_set1_groups_list(pointer, $0) == 1 }
    }

    /// 112 bits: RSA and DH from 2,048 bits on, elliptic curves from 224.
    static let securityLevel: Int32 = 2

    /// A session is resumed only with the certificates it was made with: the session id context tells them apart, and is
    /// the same after a reload.
    private func setIdentity(_ ticketKeys: TicketKeys) throws(OpenSSLError) {
        let parts = certificates.map { "\($0.keyType.rawValue) \(Set($0.names).sorted().joined(separator: " "))" }
        let identity = SHA256Digest.hash(Array(parts.sorted().joined(separator: "\n").utf8))
        // The SSL_CTX may outlive this object, because its sessions keep it: it gets a reference of its own.
        let retained = Unmanaged.passRetained(ticketKeys)
        guard SSL_CTX_set_ex_data(pointer, Self.ticketKeysIndex, retained.toOpaque()) == 1 else {
            retained.release()
            throw OpenSSLError(.setUp, "session tickets cannot be set up")
        }
        guard SSL_CTX_set_session_id_context(pointer, identity, UInt32(identity.count)) == 1,
            c_SSL_CTX_set_tlsext_ticket_key_evp_cb(pointer, TicketCallback.function) == 1
        else { throw OpenSSLError(.setUp, "session tickets cannot be set up") }
    }

    private static let ticketKeysIndex = CRYPTO_get_ex_new_index(
        CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil,
        { _, data, _, _, _, _ in data.map { Unmanaged<TicketKeys>.fromOpaque($0).release() } })

    static func ticketKeys(of context: OpaquePointer) -> TicketKeys? {
        guard let data = SSL_CTX_get_ex_data(context, ticketKeysIndex) else { return nil }
        return Unmanaged<TicketKeys>.fromOpaque(data).takeUnretainedValue()
    }
}

/// The certificate that is presented in the handshakes of a challenge, which has no tickets and ends without a request
/// (RFC 8737).
package final class TLSChallenge: Sendable {
    private let identity: ParsedIdentity
    private let context: TLSContext

    /// - Parameter certificate: the answer to the challenge.
    package init(_ certificate: ServerCertificate) throws(OpenSSLError) {
        identity = try certificate.parsed()
        context = try TLSContext.forChallenges.get()
    }

    /// - Returns: whether the library has enough memory.
    fileprivate func present(in session: OpaquePointer) -> Bool {
        guard SSL_set_SSL_CTX(session, context.pointer) != nil else { return false }
        return (try? identity.add([], to: session, with: c_SSL_use_cert_and_key)) != nil
    }
}

/// The certificate is chosen here and not in the server name callback: that one comes after resumption was decided.
private let chooseContext: SSL_client_hello_cb_fn = { ssl, alert, _ in
    guard let ssl, let buffers = TransportBIO.buffers(of: ssl) else { return SSL_CLIENT_HELLO_ERROR }
    var data: UnsafePointer<UInt8>?
    var count = 0
    var serverName: UnsafeBufferPointer<UInt8>?
    if SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_server_name), &data, &count) == 1 {
        let bytes = UnsafeBufferPointer(start: data, count: count)
        guard let name = ServerNameExtension.hostName(in: bytes) else {
            alert?.pointee = SSL_AD_DECODE_ERROR
            // libssl reports every failure of this callback in the same way, in a later entry of the queue.
            c_ERR_raise_SSL(SSL_R_BAD_EXTENSION)
            return SSL_CLIENT_HELLO_ERROR
        }
        serverName = UnsafeBufferPointer(rebasing: bytes[name])
    }
    if buffers.pointee.hasChallenges, let serverName, ChallengeProtocol.isAskedFor(in: ssl),
        let challenge = buffers.pointee.selector?.challenge(forServerName: serverName, of: buffers.pointee.connection)
    {
        // Options are those of the first context.
        c_SSL_disable_tickets(ssl)
        return challenge.present(in: ssl) ? SSL_CLIENT_HELLO_SUCCESS : SSL_CLIENT_HELLO_ERROR
    }
    let context = buffers.pointee.selector?.context(forServerName: serverName, of: buffers.pointee.connection)
    guard let context else {
        alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
        return SSL_CLIENT_HELLO_ERROR
    }
    return SSL_set_SSL_CTX(ssl, context.pointer) == nil ? SSL_CLIENT_HELLO_ERROR : SSL_CLIENT_HELLO_SUCCESS
}

private let acknowledgeServerName: c_server_name_callback = { _, _, _ in SSL_TLSEXT_ERR_OK }

/// ALPN (RFC 7301): `h2` where it is spoken, then `http/1.1` or, for a client that offers only others, a refusal.
private let selectProtocol: SSL_CTX_alpn_select_cb_func = { ssl, chosen, chosenCount, offered, count, _ in
    guard let ssl, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let list = UnsafeBufferPointer(start: offered, count: Int(count))
    let buffers = TransportBIO.buffers(of: ssl)
    let isHTTP2Spoken = buffers?.pointee.offersHTTP2 ?? false
    if let name = (isHTTP2Spoken ? ApplicationProtocol.http2.find(in: list) : nil)
        ?? ApplicationProtocol.http1.find(in: list)
    {
        chosen?.pointee = offered + name.lowerBound
        chosenCount?.pointee = UInt8(name.count)
        return SSL_TLSEXT_ERR_OK
    }
    if ChallengeProtocol.isOnly(in: list) { buffers?.pointee.hasRefusedChallenge = true }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// The protocols that requests come in, by their names in ALPN.
enum ApplicationProtocol {
    case http1, http2

    private var name: StaticString {
        switch self {
        case .http1: "http/1.1"
        case .http2: "h2"
        }
    }

    /// Where a client names it.
    ///
    /// - Parameter list: of names, each after its length.
    func find(in list: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var index = 0
        while index < list.count {
            let end = index + 1 + Int(list[index])
            guard end <= list.count else { return nil }
            if matches(UnsafeBufferPointer(rebasing: list[index + 1..<end])) { return index + 1..<end }
            index = end
        }
        return nil
    }

    func matches(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        other.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}

/// ALPN in the handshake of a challenge, whose hello was found to offer nothing else.
private let selectChallenge: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenCount, offered, count, _ in
    guard let offered, ChallengeProtocol.isOnly(in: UnsafeBufferPointer(start: offered, count: Int(count))) else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    chosen?.pointee = offered + 1
    chosenCount?.pointee = offered[0]
    return SSL_TLSEXT_ERR_OK
}

/// The application protocol in which a CA asks for the answer to a challenge (RFC 8737, section 4).
private enum ChallengeProtocol {
    private static let name: StaticString = "acme-tls/1"

    /// Whether a client hello offers it, and nothing else. The hello is the one that is being read.
    static func isAskedFor(in ssl: OpaquePointer) -> Bool {
        var data: UnsafePointer<UInt8>?
        var count = 0
        let type = UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation)
        guard SSL_client_hello_get0_ext(ssl, type, &data, &count) == 1, let data, count > 2 else { return false }
        // The list's length, then its entries.
        let length = Int(data[0]) << 8 | Int(data[1])
        return length == count - 2 && isOnly(in: UnsafeBufferPointer(start: data + 2, count: length))
    }

    /// - Parameter list: of entries, each after its length.
    static func isOnly(in list: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = name.utf8CodeUnitCount
        guard list.count == count + 1, Int(list[0]) == count else { return false }
        for index in 0..<count where list[index + 1] != name.utf8Start[index] { return false }
        return true
    }
}

/// The `server_name` extension of a client hello (RFC 6066, section 3).
enum ServerNameExtension {
    /// The range of the host name in the extension's data; `nil` if the data is malformed.
    static func hostName(in data: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        // A list's length, then one entry: its type (0 = host name), its length, the name.
        guard data.count > 5 else { return nil }
        let listLength = Int(data[0]) << 8 | Int(data[1])
        let nameLength = Int(data[3]) << 8 | Int(data[4])
        guard listLength == data.count - 2, data[2] == 0, nameLength == data.count - 5, nameLength <= 255 else {
            return nil
        }
        return 5..<data.count
    }
}

/// Limits the key updates of a client (RFC 8446, section 4.6.3): each costs it 27 bytes and us 30 microseconds, and
/// libssl has no limit.
enum KeyUpdateLimit {
    /// The most in the life of a connection. A client needs one for gigabytes.
    static let most = 32

    /// Where a session keeps how many there were.
    private static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    /// Is called for each message of a handshake, and never for a record of data.
    static let count: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { ssl, event, _ in
        guard event == SSL_CB_ACCEPT_LOOP, let ssl, SSL_get_state(ssl) == TLS_ST_SR_KEY_UPDATE else { return }
        let updates = Int(bitPattern: SSL_get_ex_data(ssl, index)) + 1
        SSL_set_ex_data(ssl, index, UnsafeMutableRawPointer(bitPattern: updates))
        // As if the client had sent `close_notify`: what follows is thrown away, and the connection ends.
        if updates > most { SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN) }
    }
}

/// The application protocols (ALPN, RFC 7301) that a client of another library offers, and the one that its server
/// chooses.
package final class ProtocolNegotiation: Sendable {
    /// The protocols as the extension has them, each after a byte with its length; empty if that cannot be.
    private let offer: [UInt8]
    private let selected = Locked<String?>(nil)

    /// - Parameter protocols: at least one, of 1 to 255 bytes each.
    package init(offering protocols: [String]) {
        let isPossible = protocols.allSatisfy { 1...255 ~= $0.utf8.count }
        offer = isPossible ? protocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) } : []
    }

    /// The protocol that the server has chosen, in a handshake that has ended well; nil if it has chosen nothing. It
    /// need not be one of those that were offered.
    package var selectedProtocol: String? { selected.withLock { $0 } }

    /// Has the connections of an `SSL_CTX` that another library owns offer the protocols, and these only.
    ///
    /// - Parameter context: an `SSL_CTX *`. It keeps this object for as long as it lives.
    /// - Returns: whether it was done.
    package func install(inTLSContext context: UnsafeMutableRawPointer) -> Bool {
        _ = LibraryLifetime.lastsToTheEnd
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        let context = OpaquePointer(context)
        // The library takes an empty list for one to be taken back.
        guard !offer.isEmpty, SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count)) == 0 else { return false }
        let retained = Unmanaged.passRetained(self)
        guard SSL_CTX_set_ex_data(context, Self.index, retained.toOpaque()) == 1 else {
            retained.release()
            return false
        }
        SSL_CTX_set_info_callback(context, Self.noteEnd)
        return true
    }

    private static let index = CRYPTO_get_ex_new_index(
        CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil,
        { _, data, _, _, _, _ in data.map { Unmanaged<ProtocolNegotiation>.fromOpaque($0).release() } })

    private static let noteEnd: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { ssl, event, _ in
        guard event & SSL_CB_HANDSHAKE_DONE != 0, let ssl, let context = SSL_get_SSL_CTX(ssl),
            let data = SSL_CTX_get_ex_data(context, ProtocolNegotiation.index)
        else { return }
        Unmanaged<ProtocolNegotiation>.fromOpaque(data).takeUnretainedValue().read(ssl)
    }

    private func read(_ ssl: OpaquePointer) {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        let text = name.map { String(text: UnsafeBufferPointer(start: $0, count: Int(count))) }
        selected.withLock { $0 = text }
    }
}

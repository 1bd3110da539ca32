internal import COpenSSL
internal import SystemSupport

/// The application protocols (ALPN, RFC 7301) that a client of another library offers, and the one that its server
/// chooses.
package final class ProtocolNegotiation: Sendable {
    /// As in the extension: each name after a byte with its length. Empty if that cannot be.
    private let offer: [UInt8]
    private let selected = Locked<String?>(nil)

    /// - Parameter protocols: at least one, of 1 to 255 bytes each.
    package init(offering protocols: [String]) {
        let isPossible = protocols.allSatisfy { 1...255 ~= $0.utf8.count }
        offer = isPossible ? protocols.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) } : []
    }

    /// What the server has chosen, in a handshake that has ended well; nil if it has chosen nothing. It need not be one of
    /// those that were offered.
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
        let text = name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
        selected.withLock { $0 = text }
    }
}

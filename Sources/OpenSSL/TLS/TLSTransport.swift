internal import COpenSSL

/// Where TLS sessions read received bytes and leave bytes to be sent; there is no I/O in it.
///
/// One for each event loop: only one session is worked on at a time. Whoever does, puts the received bytes into `input`
/// before, and takes what is in `output` away after.
package struct TLSTransport {
    /// What was received and not yet consumed.
    package var input: UnsafePointer<UInt8>
    package var inputCount = 0
    package let output: UnsafeMutablePointer<UInt8>
    package var outputCount = 0
    package let outputCapacity: Int
    /// Chooses the certificate by the server name of a client hello.
    /// It must outlive the transport.
    package unowned(unsafe) var selector: (any TLSContextSelector)?

    /// The output's room for one full record and what may come with it: a ticket, an alert.
    @inlinable package static var roomForRecord: Int { 16_384 + 2_048 }

    /// Makes a transport in memory of its own, because libssl keeps its address.
    package static func allocate(outputCapacity: Int) -> UnsafeMutablePointer<TLSTransport> {
        let transport = UnsafeMutablePointer<TLSTransport>.allocate(capacity: 1)
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: outputCapacity)
        transport.initialize(
            to: TLSTransport(input: UnsafePointer(output), output: output, outputCapacity: outputCapacity))
        return transport
    }

    package static func deallocate(_ transport: UnsafeMutablePointer<TLSTransport>) {
        transport.pointee.output.deallocate()
        transport.deinitialize(count: 1)
        transport.deallocate()
    }

    @inlinable package var roomForOutput: Int { outputCapacity &- outputCount }
}

/// Decides which certificate a client gets.
package protocol TLSContextSelector: AnyObject {
    /// - Parameter serverName: as the client sent it; `nil` if it sent none.
    /// - Returns: `nil` refuses the handshake with `unrecognized_name`.
    func context(forServerName serverName: UnsafeBufferPointer<UInt8>?) -> TLSContext?
}

/// The BIO between libssl and a `TLSTransport`.
enum TransportBIO {
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "aasa transport") else {
            return nil
        }
        BIO_meth_set_read_ex(method, read)
        BIO_meth_set_write_ex(method, write)
        BIO_meth_set_ctrl(method, control)
        return method
    }()

    static func make(_ transport: UnsafeMutablePointer<TLSTransport>) -> OpaquePointer? {
        guard let method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, transport)
        BIO_set_init(bio, 1)
        return bio
    }

    /// The choice for the session whose hello is being read.
    static func selector(of ssl: OpaquePointer) -> (any TLSContextSelector)? {
        guard let bio = SSL_get_rbio(ssl), let data = BIO_get_data(bio) else { return nil }
        return data.assumingMemoryBound(to: TLSTransport.self).pointee.selector
    }

    private static let read:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?
        ) -> Int32 = { bio, bytes, count, done in
            c_BIO_clear_retry_flags(bio)
            guard let bytes, let done, let data = BIO_get_data(bio) else { return 0 }
            let transport = data.assumingMemoryBound(to: TLSTransport.self)
            let taken = min(count, transport.pointee.inputCount)
            guard taken > 0 else {
                c_BIO_set_retry_read(bio)
                return 0
            }
            UnsafeMutableRawPointer(bytes).copyMemory(from: transport.pointee.input, byteCount: taken)
            transport.pointee.input += taken
            transport.pointee.inputCount &-= taken
            done.pointee = taken
            return 1
        }

    private static let write:
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?
        ) -> Int32 = { bio, bytes, count, done in
            c_BIO_clear_retry_flags(bio)
            guard let bytes, let done, let data = BIO_get_data(bio) else { return 0 }
            let transport = data.assumingMemoryBound(to: TLSTransport.self)
            let taken = min(count, transport.pointee.roomForOutput)
            guard taken > 0 else {
                c_BIO_set_retry_write(bio)
                return 0
            }
            UnsafeMutableRawPointer(transport.pointee.output + transport.pointee.outputCount)
                .copyMemory(from: bytes, byteCount: taken)
            transport.pointee.outputCount &+= taken
            done.pointee = taken
            return 1
        }

    private static let control:
        @convention(c) (
            OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?
        ) -> Int = { _, command, _, _ in
            command == BIO_CTRL_FLUSH || command == BIO_CTRL_DUP ? 1 : 0
        }
}

internal import COpenSSL

/// Where the transports of a loop find received bytes and leave bytes to be sent; there is no I/O in it.
///
/// One for each event loop: only one connection is worked on at a time. The loop puts received bytes into `input` before,
/// and takes what is in `output` away after.
package struct TransportBuffers {
    /// The bytes that were received and not yet consumed.
    package var input: UnsafePointer<UInt8>
    package var inputCount = 0
    package let output: UnsafeMutablePointer<UInt8>
    package var outputCount = 0
    package let outputCapacity: Int
    /// Chooses the certificate by the server name of a client hello; it must outlive the buffers.
    package unowned(unsafe) var selector: (any TLSContextSelector)?
    /// The connection that the input belongs to, for the selector, which alone knows the type.
    package var connection: UnsafeMutableRawPointer?
    /// Whether a client that offers HTTP/2 gets it; one that does not, or offers nothing, gets HTTP/1.1.
    package var offersHTTP2 = false
    /// Whether the selector has contexts of challenges; without, no hello is searched for one.
    package var hasChallenges = false
    /// Whether a client was refused that asked for a challenge; the caller counts them, and resets it.
    package var hasRefusedChallenge = false

    /// The output's room for one full record and what may come with it: a ticket, an alert.
    @inlinable package static var roomForRecord: Int { 16_384 + 2_048 }

    /// Makes buffers at an address of their own, because libssl keeps it.
    package static func allocate(outputCapacity: Int) -> UnsafeMutablePointer<TransportBuffers> {
        let buffers = UnsafeMutablePointer<TransportBuffers>.allocate(capacity: 1)
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: outputCapacity)
        buffers.initialize(
            to: TransportBuffers(input: UnsafePointer(output), output: output, outputCapacity: outputCapacity))
        return buffers
    }

    package static func deallocate(_ buffers: UnsafeMutablePointer<TransportBuffers>) {
        buffers.pointee.output.deallocate()
        buffers.deinitialize(count: 1)
        buffers.deallocate()
    }

    @inlinable package var roomForOutput: Int { outputCapacity &- outputCount }

    /// Copies received bytes out.
    ///
    /// - Returns: how many there were, at most `count`.
    @inlinable
    package mutating func readInput(into bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        let taken = min(count, inputCount)
        guard taken > 0 else { return 0 }
        bytes.update(from: input, count: taken)
        input += taken
        inputCount &-= taken
        return taken
    }

    /// Copies bytes to be sent in.
    ///
    /// - Returns: how many found room.
    @inlinable
    package mutating func writeOutput(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
        let taken = min(count, roomForOutput)
        guard taken > 0 else { return 0 }
        (output + outputCount).update(from: bytes, count: taken)
        outputCount &+= taken
        return taken
    }
}

/// Decides which certificate a client gets.
package protocol TLSContextSelector: AnyObject {
    /// - Parameters:
    ///   - serverName: as the client sent it; `nil` if it sent none.
    ///   - connection: what `TransportBuffers.connection` names.
    /// - Returns: `nil` refuses the handshake with `unrecognized_name`.
    func context(
        forServerName serverName: UnsafeBufferPointer<UInt8>?, of connection: UnsafeMutableRawPointer?
    ) -> TLSContext?

    /// The certificate that is presented to a client that asks for a challenge (RFC 8737).
    ///
    /// - Returns: `nil` if none is pending for the name; then `context(forServerName:of:)` is asked.
    func challenge(
        forServerName serverName: UnsafeBufferPointer<UInt8>, of connection: UnsafeMutableRawPointer?
    ) -> TLSChallenge?
}

extension TLSContextSelector {
    package func challenge(
        forServerName serverName: UnsafeBufferPointer<UInt8>, of connection: UnsafeMutableRawPointer?
    ) -> TLSChallenge? { nil }
}

/// The BIO between libssl and `TransportBuffers`.
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

    static func make(_ buffers: UnsafeMutablePointer<TransportBuffers>) -> OpaquePointer? {
        guard let method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, buffers)
        BIO_set_init(bio, 1)
        return bio
    }

    /// Those of the session that libssl is at work on.
    static func buffers(of ssl: OpaquePointer) -> UnsafeMutablePointer<TransportBuffers>? {
        guard let bio = SSL_get_rbio(ssl), let data = BIO_get_data(bio) else { return nil }
        return data.assumingMemoryBound(to: TransportBuffers.self)
    }

    private static let read:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?
        ) -> Int32 = { bio, bytes, count, done in
            c_BIO_clear_retry_flags(bio)
            guard let bytes, let done, let data = BIO_get_data(bio) else { return 0 }
            let plain = UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
            let taken = data.assumingMemoryBound(to: TransportBuffers.self).pointee.readInput(into: plain, count: count)
            guard taken > 0 else {
                c_BIO_set_retry_read(bio)
                return 0
            }
            done.pointee = taken
            return 1
        }

    private static let write:
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?
        ) -> Int32 = { bio, bytes, count, done in
            c_BIO_clear_retry_flags(bio)
            guard let bytes, let done, let data = BIO_get_data(bio) else { return 0 }
            let plain = UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
            let taken = data.assumingMemoryBound(to: TransportBuffers.self).pointee.writeOutput(plain, count: count)
            guard taken > 0 else {
                c_BIO_set_retry_write(bio)
                return 0
            }
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

package import OpenSSL

/// The carrier of a connection's bytes: TLS, or nothing.
///
/// It has no I/O: received bytes are taken from the loop's `TransportBuffers`, and bytes to be sent are left there. What to do
/// when is decided by `ConnectionState`.
package enum Transport: ~Copyable {
    case tls(TLSSession)
    case plain(PlainTransport)
    /// Nothing is read or sent any more.
    case closed

    package typealias Progress = TLSSession.Progress
    package typealias Reading = TLSSession.Reading

    /// Continues until bytes of the protocol can flow.
    @inline(__always)
    package func handshake() -> Progress {
        switch self {
        case .tls(let session): session.handshake()
        case .plain: .done
        case .closed: .failed(.closed)
        }
    }

    /// Reads bytes of the protocol.
    @inline(__always)
    package func read(into bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Reading {
        switch self {
        case .tls(let session): session.read(into: bytes, count: count)
        case .plain(let plain): plain.read(into: bytes, count: count)
        case .closed: .failed
        }
    }

    /// Writes bytes of the protocol, at most a record of them.
    ///
    /// - Returns: how many were taken; 0 if the connection has failed. The output must have `roomForRecord`.
    @inline(__always)
    package func write(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
        switch self {
        case .tls(let session): session.write(bytes, count: count)
        case .plain(let plain): plain.write(bytes, count: count)
        case .closed: 0
        }
    }

    /// Whether received bytes still wait inside: no event will report them.
    @inline(__always)
    package var hasPending: Bool {
        switch self {
        case .tls(let session): session.hasPending
        case .plain: false
        case .closed: false
        }
    }

    /// Writes that nothing more will be sent, where the transport has words for it. Call it once.
    package func sendCloseNotify() {
        switch self {
        case .tls(let session): session.sendCloseNotify()
        case .plain: break
        case .closed: break
        }
    }

    package var isTLS13: Bool {
        switch self {
        case .tls(let session): session.isTLS13
        case .plain: false
        case .closed: false
        }
    }

    /// Whether HTTP/2 is spoken, and not HTTP/1.1.
    package var isHTTP2: Bool {
        switch self {
        case .tls(let session): session.isHTTP2
        case .plain: false
        case .closed: false
        }
    }

    package var isResumed: Bool {
        switch self {
        case .tls(let session): session.isResumed
        case .plain: false
        case .closed: false
        }
    }

    /// See `TLSSession.presentedCertificate`.
    package func presentedCertificate(of context: TLSContext) -> Int? {
        switch self {
        case .tls(let session): session.presentedCertificate(of: context)
        case .plain: nil
        case .closed: nil
        }
    }
}

/// Bytes as they are.
package struct PlainTransport: BitwiseCopyable {
    private let buffers: UnsafeMutablePointer<TransportBuffers>

    /// - Parameter buffers: must outlive the transport.
    package init(_ buffers: UnsafeMutablePointer<TransportBuffers>) { self.buffers = buffers }

    fileprivate func read(into bytes: UnsafeMutablePointer<UInt8>, count: Int) -> TLSSession.Reading {
        let count = buffers.pointee.readInput(into: bytes, count: count)
        return count > 0 ? .bytes(count) : .needsInput
    }

    fileprivate func write(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
        buffers.pointee.writeOutput(bytes, count: count)
    }
}

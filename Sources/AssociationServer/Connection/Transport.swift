package import OpenSSL
package import ProxySupport

/// What carries the bytes of a connection: TLS, or nothing.
///
/// The first of the two seams of a connection. It has no I/O: received bytes are taken from the loop's
/// `TransportBuffers`, and bytes to be sent are left there. What to do when is decided by `TransportState`.
package enum Transport: ~Copyable {
    case tls(TLSSession)
    case plain(PlainTransport)
    /// Nothing is read or sent any more.
    case closed

    package typealias Progress = TLSSession.Progress
    package typealias Reading = TLSSession.Reading

    /// Goes on until bytes of the protocol can flow.
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

/// The transport's side of a connection as a pure state machine: it is given what happened, and returns what to do.
///
/// It knows no socket and no TLS library, and time comes in from outside (milliseconds on a clock that never goes back).
package struct TransportState: BitwiseCopyable, Equatable {
    package enum Kind: UInt8, BitwiseCopyable {
        case tls, plain
    }

    package enum Phase: UInt8, BitwiseCopyable {
        /// The PROXY header is due, which comes before everything else.
        case proxyHeader
        /// Nothing has been received that could tell TLS from anything else.
        case sniffing
        case handshake
        /// Bytes of the protocol flow.
        case open
        /// Nothing more is sent, and what the peer still sends is thrown away, so that no reset overtakes the last answer.
        case lingering
        case closed
    }

    /// What to do with a socket that is ready.
    package enum SocketAction: Equatable {
        case receive
        /// Send what the connection holds.
        case resumeSending
        /// Nothing: it will be reported again.
        case ignore
        case close(CloseReason)
    }

    /// What to do with the transport.
    package enum Action: Equatable {
        /// Look for the PROXY header in what was received.
        case readProxyHeader
        /// Go on with the handshake.
        case handshake
        /// What was received is for the protocol.
        case deliver
        /// Send everything, `close_notify` last if that is asked for, and then go on.
        case send(closeNotify: Bool, then: Next)
        /// Answer in HTTP without TLS that this port speaks HTTPS; then linger.
        case sendPlaintextError
        /// End the stream, and read on for a while.
        case linger
        /// Nothing until the next event, or until the time is over.
        case wait
        case close(CloseReason)
    }

    /// What follows when everything is sent.
    package enum Next: Equatable {
        case wait, handshake, linger, close
        /// Close even if the peer does not take it.
        case abort
    }

    /// What has happened to the bytes for a peer.
    package enum Flow {
        /// They are on their way; more can follow.
        case flowing
        /// The peer has to take some first. Its connection holds all that is needed to go on.
        case parked
        /// The connection is broken.
        case failed
    }

    /// At most so much is thrown away while lingering: bytes, milliseconds.
    package static let lingerBytes = 65_536
    package static let lingerMilliseconds: Int64 = 2_000

    package private(set) var phase: Phase
    /// When the connection was accepted, or its PROXY header complete; for `lingering`, when that began.
    package private(set) var since: Int64
    /// Whether the socket did not take all that was sent; then nothing is received, and nothing more is written.
    package private(set) var isParked = false
    /// Whether the peer has ended its stream: half-close.
    private var isHalfClosed = false
    private let kind: Kind
    private var needsCloseNotify: Bool
    /// Whether a part of the PROXY header has come.
    private var hasBegun = false
    /// Why the handshake has failed, if the connection ends before it is done.
    private var failure = HandshakeFailure.closed
    private var discarded = 0

    package init(_ kind: Kind, expectsProxyHeader: Bool = false, acceptedAt now: Int64) {
        phase = expectsProxyHeader ? .proxyHeader : Self.firstPhase(of: kind)
        self.kind = kind
        needsCloseNotify = kind == .tls
        since = now
    }

    private static func firstPhase(of kind: Kind) -> Phase { kind == .tls ? .sniffing : .open }

    package var isClosed: Bool { if case .closed = phase { true } else { false } }
    package var isOpen: Bool { if case .open = phase { true } else { false } }

    // Enums are compared by `switch`: `==` could be a generic call on the path of a request.

    /// The socket is reported.
    package mutating func ready(hasFailed: Bool, isWritable: Bool, isPeerFinished: Bool) -> SocketAction {
        // Closed earlier in this batch.
        if isClosed { return .ignore }
        if hasFailed { return .close(.failed) }
        if isWritable { return isParked ? .resumeSending : .ignore }
        // Parked in this batch: it is reported again when it is watched for input again.
        if isParked { return .ignore }
        if isPeerFinished { isHalfClosed = true }
        return .receive
    }

    /// Bytes were received.
    ///
    /// - Parameters:
    ///   - count: at least one.
    ///   - first: of the bytes.
    package mutating func received(_ count: Int, first: UInt8) -> Action {
        switch phase {
        case .open: return .deliver
        case .handshake: return .handshake
        case .sniffing: return sniffProtocol(first)
        case .proxyHeader:
            hasBegun = true
            return .readProxyHeader
        case .lingering:
            discarded += count
            return discarded <= Self.lingerBytes ? .wait : .close(.finished)
        case .closed: return .wait
        }
    }

    /// What was received so far has been read as a PROXY header.
    ///
    /// - Parameter next: the first byte after the header; `nil` if none has come, or without a header.
    package mutating func proxyHeaderRead(_ reading: ProxyHeader.Reading, next: UInt8?, at now: Int64) -> Action {
        switch reading {
        case .incomplete: return .wait
        case .malformed: return .close(.proxyHeader)
        case .header:
            phase = Self.firstPhase(of: kind)
            since = now
            guard let next else { return .wait }
            return isOpen ? .deliver : sniffProtocol(next)
        }
    }

    /// A TLS record of a handshake begins with 22; a method of HTTP with a letter.
    private mutating func sniffProtocol(_ first: UInt8) -> Action {
        switch first {
        case 22:
            phase = .handshake
            return .handshake
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            return .sendPlaintextError
        default:
            failure = .notTLS
            return .close(.notTLS)
        }
    }

    /// Whether the socket may hold more than was received.
    ///
    /// The set reports a change once, so a socket has to be read until it is empty. A short read shows that it is, but for
    /// the end of the stream.
    package func mayReceiveMore(wasFull: Bool) -> Bool { !isClosed && !isParked && (wasFull || isHalfClosed) }

    /// The peer's stream has ended, without a word in TLS.
    package func endOfStream() -> Action {
        isOpen ? .send(closeNotify: true, then: .close) : .close(.finished)
    }

    package mutating func handshakeProgressed(_ progress: Transport.Progress) -> Action {
        switch progress {
        case .done:
            phase = .open
            return .deliver
        case .needsInput: return .send(closeNotify: false, then: .wait)
        case .needsOutput: return .send(closeNotify: false, then: .handshake)
        case .failed(let reason):
            failure = reason
            // The alert in the output gives the reason.
            return .send(closeNotify: false, then: .abort)
        }
    }

    /// The handshake is done, and was all that the peer wanted: what it still sends is not looked at.
    package mutating func handshakeSufficed() -> Action {
        phase = .open
        return .send(closeNotify: true, then: .linger)
    }

    /// The peer has sent `close_notify`.
    package func peerClosed() -> Action {
        // Nobody would read an answer to it when the stream has ended, too.
        .send(closeNotify: !isHalfClosed, then: .close)
    }

    /// A record cannot be read, or was not one.
    package func failed() -> Action { .send(closeNotify: false, then: .abort) }

    /// Whether `close_notify` is still to be written: it is once.
    package mutating func takeCloseNotify() -> Bool {
        defer { needsCloseNotify = false }
        return needsCloseNotify
    }

    /// The socket did not take everything.
    package mutating func parked() { isParked = true }

    /// The socket has taken all that was parked.
    package mutating func resumed() -> Action {
        isParked = false
        return isOpen ? .deliver : .handshake
    }

    /// What follows on an attempt to send everything.
    package func sent(_ flow: Flow, then next: Next) -> Action {
        switch (flow, next) {
        case (.failed, _): .close(.failed)
        case (_, .abort): .close(.failed)
        case (.parked, _): .wait
        case (.flowing, .wait): .wait
        case (.flowing, .handshake): .handshake
        case (.flowing, .linger): .linger
        case (.flowing, .close): .close(.finished)
        }
    }

    package mutating func linger(at now: Int64) {
        phase = .lingering
        since = now
    }

    /// What closing a connection means for its peer and for the metrics.
    package struct Closing: Equatable {
        /// Whether the peer gets a reset.
        package var resets = false
        /// Why its handshake has failed, if that had not ended.
        package var failure: HandshakeFailure?
        /// Why it was refused, if that is the reason.
        package var refusal: ConnectionRefusal?
    }

    package mutating func close(_ reason: CloseReason) -> Closing {
        defer { phase = .closed }
        if case .proxyHeader = phase { return closeBeforeHeader(reason) }
        let isHandshake =
            switch phase {
            case .sniffing, .handshake: true
            case .proxyHeader, .open, .lingering, .closed: false
            }
        switch reason {
        case .timeout: return Closing(resets: isParked, failure: isHandshake ? .timeout : nil)
        // What was sent to a peer that does not take it would stay in the system, and nobody would count it.
        case .forced: return Closing(resets: isParked, failure: isHandshake ? failure : nil)
        case .finished, .failed, .proxyHeader, .notTLS: return Closing(failure: isHandshake ? failure : nil)
        case .refused(let refusal): return Closing(refusal: refusal)
        }
    }

    /// Whoever connects and leaves without a byte only wanted to know whether somebody listens.
    private func closeBeforeHeader(_ reason: CloseReason) -> Closing {
        switch reason {
        case .refused(let refusal): Closing(refusal: refusal)
        case .proxyHeader, .timeout: Closing(refusal: .proxyHeader)
        case .finished, .failed, .notTLS: Closing(refusal: hasBegun ? .proxyHeader : nil)
        case .forced: Closing()
        }
    }
}

/// Why a connection is closed.
package enum CloseReason: Equatable, BitwiseCopyable {
    /// Everything is sent, or the peer has left.
    case finished
    /// The socket, TLS or the handshake has failed, or the server stops.
    case failed
    /// `nil`: while lingering.
    case timeout(TimeoutPhase?)
    /// Its time to drain is over.
    case forced
    /// What came is not a PROXY header, or its time is over.
    case proxyHeader
    /// A limit is reached.
    case refused(ConnectionRefusal)
    /// The first byte is neither of TLS nor of HTTP.
    case notTLS
}

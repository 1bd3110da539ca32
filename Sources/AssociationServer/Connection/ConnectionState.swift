internal import DomainNames
package import HTTP1
package import HTTP2
internal import OpenSSL

/// The state machine of one connection: each event returns what to do next, and nobody else decides that.
///
/// It knows no socket, no TLS library and no memory, and time comes in from outside (milliseconds on a clock that never goes
/// back). What it knows of a request is that it was read, answered, and whether another may follow; HTTP/2 is a second source
/// of the same events, and of those in `ConnectionState+Streams.swift`.
package struct ConnectionState: BitwiseCopyable, Equatable {
    package enum Kind: UInt8, BitwiseCopyable {
        case tls, plain
    }

    package enum Phase: UInt8, BitwiseCopyable {
        /// The PROXY header is due, which comes before everything else.
        case proxyHeader
        /// Nothing has been received that could tell TLS from anything else.
        case sniffing
        case handshake
        /// A request is due or has begun.
        case head
        /// Nothing is due: between two requests.
        case idle
        /// Answers wait for the peer to take them.
        case sending
        /// Nothing more is sent, and what the peer still sends is thrown away, so that no reset overtakes the last answer.
        case lingering
        case closed
    }

    package enum Action: Equatable {
        /// Receive from the socket.
        case receive
        /// Send what the connection holds for the socket.
        case resumeSending
        /// Look for the PROXY header in what was received.
        case readProxyHeader
        /// Continue the handshake.
        case handshake
        /// Answer in HTTP without TLS that this port speaks HTTPS.
        case sendPlaintextError
        /// Look for the next request among the bytes that were received.
        case read
        case respond(RequestHead)
        /// Answer with this status, and close.
        case refuse(Status)
        /// Write what did not fit of the answers so far.
        case continueAnswer
        /// Send everything, `close_notify` last if it is asked for, and then continue.
        case send(closeNotify: Bool, then: Next)
        /// End the stream, and read on for a while.
        case linger
        /// Have the HTTP/2 session take a step, and write what comes of it.
        case command(ServerSession.Command)
        /// The same, because the time of a phase is over.
        case timeOut(TimeoutPhase, ServerSession.Command)
        /// Keep what was received and is not processed, and wait.
        case keepInput
        /// Nothing until the next event, or until the time is over.
        case wait
        /// Nothing at all: another event will report it.
        case ignore
        case close(CloseReason)
    }

    /// The outcome of looking for the next request.
    package enum Reading: Equatable {
        case request(RequestHead)
        /// The bytes are not an acceptable request.
        case refused(Status)
        /// Everything is read, and all requests are answered; a part of another may be left.
        case exhausted(hasPartialHead: Bool)
        /// The transport has to send something first.
        case blocked
        /// The peer has sent `close_notify`.
        case closed
        /// The HTTP/2 session has ended: nothing more is read or written.
        case finished
        case failed
    }

    /// The step that follows when everything is sent.
    package enum Next: Equatable {
        /// All requests that were received are answered; part of another may be left.
        case finish(hasPartialHead: Bool)
        /// The same on an HTTP/2 connection; no stream is open.
        case rest(hasPartialInput: Bool)
        case wait, handshake, read, linger, close
        /// Close even if the peer does not take it.
        case abort
    }

    /// The fate of bytes for a peer.
    package enum Flow {
        /// They are on their way; more can follow.
        case flowing
        /// The peer has to take some first. Its connection holds what was not sent.
        case parked
        /// The connection is broken.
        case failed
    }

    /// At most so much is thrown away while lingering: bytes, milliseconds.
    package static let lingerBytes = 65_536
    package static let lingerMilliseconds: Int64 = 2_000

    package internal(set) var phase: Phase
    /// When the phase began; for `sending`, when the peer last took something.
    package private(set) var since: Int64
    /// Whether the socket did not take all that was sent; then nothing is received, and nothing more is written.
    package private(set) var isParked = false
    /// Whether no answer will follow the one that is being sent.
    package private(set) var isLastAnswer = false
    /// The number of requests that were answered.
    package internal(set) var requests = 0
    /// Whether an answer is not written to its end.
    private var hasUnwritten = false
    /// Whether the peer has ended its stream: half-close.
    private var isHalfClosed = false
    private let kind: Kind
    private var needsCloseNotify: Bool
    /// Whether a part of the PROXY header has come.
    private(set) var hasBegun = false
    /// Why the handshake has failed, if the connection ends before it is done.
    private(set) var failure = HandshakeFailure.closed
    private var discarded = 0
    /// Whether HTTP/2 is spoken.
    private(set) var hasStreams = false
    /// When the last stream was answered; before that, when the handshake ended.
    var restedSince: Int64 = 0
    /// When streams are refused, because the end was announced.
    var refusesStreamsAt = Int64.max
    var isEndAnnounced = false
    /// Whether answers were cancelled that did not get on.
    var hasCancelled = false

    package init(_ kind: Kind, expectsProxyHeader: Bool = false, acceptedAt now: Int64) {
        phase = expectsProxyHeader ? .proxyHeader : Self.firstPhase(of: kind)
        self.kind = kind
        needsCloseNotify = kind == .tls
        since = now
    }

    private static func firstPhase(of kind: Kind) -> Phase { kind == .tls ? .sniffing : .head }

    package var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Whether nothing is due, and nothing waits to be sent.
    package var isIdle: Bool { if case .idle = phase { !isParked } else { false } }

    /// Whether requests and answers flow.
    package var isOpen: Bool {
        switch phase {
        case .head, .idle, .sending: true
        case .proxyHeader, .sniffing, .handshake, .lingering, .closed: false
        }
    }

    // Enums are compared by `switch`: `==` could be a generic call on the path of a request.

    /// The socket is reported.
    package mutating func ready(hasFailed: Bool, isWritable: Bool, isPeerFinished: Bool) -> Action {
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
    ///   - first: the first of them.
    package mutating func received(_ count: Int, first: UInt8) -> Action {
        switch phase {
        case .head, .idle, .sending: return .read
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

    /// Whether the socket may hold more than was received.
    ///
    /// The set reports a change once, so a socket has to be read until it is empty. A short read shows that it is, but for
    /// the end of the stream.
    package func mayReceiveMore(wasFull: Bool) -> Bool { !isClosed && !isParked && (wasFull || isHalfClosed) }

    /// The peer's stream has ended, without `close_notify` before it.
    package mutating func endOfStream() -> Action {
        guard isOpen else { return .close(.finished) }
        isLastAnswer = true
        return .send(closeNotify: true, then: .close)
    }

    /// The bytes that were received so far are read as a PROXY header; everything else is due from its end.
    ///
    /// - Parameters:
    ///   - isAdmitted: whether the client that it names has no more connections than it may have.
    ///   - next: the first byte after the header; `nil` if none has come, or without a header.
    package mutating func proxyHeaderRead(
        _ reading: ProxyHeader.Reading, isAdmitted: Bool = true, next: UInt8?, at now: Int64
    ) -> Action {
        switch reading {
        case .incomplete: return .keepInput
        case .malformed: return .close(.proxyHeader)
        case .header:
            guard isAdmitted else { return .close(.refused(.perAddress)) }
            enter(Self.firstPhase(of: kind), at: now)
            guard let next else { return .wait }
            return isOpen ? .read : sniffProtocol(next)
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

    package func plaintextErrorSent() -> Action { .linger }

    /// The handshake has advanced; the first request is due from its end.
    ///
    /// - Parameters:
    ///   - isChallenge: whether it answers the challenge of a CA: then it was all that the peer wanted, and what it still
    ///     sends is not looked at.
    ///   - hasStreams: whether it has agreed on HTTP/2.
    package mutating func handshakeProgressed(
        _ progress: Transport.Progress, isChallenge: Bool = false, hasStreams: Bool = false, at now: Int64
    ) -> Action {
        switch progress {
        case .done:
            enter(.head, at: now)
            self.hasStreams = hasStreams
            restedSince = now
            guard isChallenge else { return .read }
            isLastAnswer = true
            return .send(closeNotify: true, then: .linger)
        case .needsInput: return .send(closeNotify: false, then: .wait)
        case .needsOutput: return .send(closeNotify: false, then: .handshake)
        case .failed(let reason):
            failure = reason
            // The alert in the output gives the reason.
            return .send(closeNotify: false, then: .abort)
        }
    }

    /// The next request was looked for.
    package mutating func read(_ reading: Reading) -> Action {
        switch reading {
        case .request(let head): return .respond(head)
        case .refused(let status): return .refuse(status)
        case .exhausted(let hasPartialHead):
            return .send(closeNotify: false, then: .finish(hasPartialHead: hasPartialHead))
        case .blocked: return .send(closeNotify: false, then: .read)
        case .closed:
            isLastAnswer = true
            // Nobody would read an answer to `close_notify` when the stream has ended, too.
            return .send(closeNotify: !isHalfClosed, then: .close)
        case .finished:
            isLastAnswer = true
            return .send(closeNotify: true, then: .linger)
        case .failed: return .send(closeNotify: false, then: .abort)
        }
    }

    /// Whether the next answer has to be the last one.
    ///
    /// - Parameter limit: on the requests of a connection; 0 is none.
    package func mustClose(limit: Int, isDraining: Bool) -> Bool {
        isDraining || limit > 0 && requests &+ 1 >= limit
    }

    /// An answer was written.
    ///
    /// - Parameters:
    ///   - isLast: whether it says that the connection closes.
    ///   - isWhole: whether it is written to its end.
    package mutating func answered(isLast: Bool, isWhole: Bool) -> Action {
        requests &+= 1
        isLastAnswer = isLast
        hasUnwritten = !isWhole
        phase = .sending
        return afterAnswer
    }

    /// The rest of an answer was written, as far as it flowed.
    package mutating func answerContinued(_ flow: Flow) -> Action {
        guard case .flowing = flow else { return interrupted(flow) }
        hasUnwritten = false
        return afterAnswer
    }

    private var afterAnswer: Action {
        if hasUnwritten { return .continueAnswer }
        return isLastAnswer ? .send(closeNotify: true, then: .linger) : .read
    }

    /// Whether `close_notify` is still to be written: it is once.
    package mutating func takeCloseNotify() -> Bool {
        defer { needsCloseNotify = false }
        return needsCloseNotify
    }

    /// The socket did not take everything. Output of the transport itself renews no time.
    package mutating func parked(at now: Int64) {
        isParked = true
        progressed(at: now)
    }

    /// The peer has to take an answer, or has taken a part of it.
    package mutating func progressed(at now: Int64) { if case .sending = phase { since = now } }

    /// The socket has taken something of what was parked.
    package mutating func resumed(isAllSent: Bool, at now: Int64) -> Action {
        progressed(at: now)
        guard isAllSent else { return .wait }
        isParked = false
        return isOpen ? afterAnswer : .handshake
    }

    /// Everything was to be sent.
    package mutating func sent(_ flow: Flow, then next: Next, at now: Int64) -> Action {
        switch (flow, next) {
        case (.failed, _), (_, .abort): return .close(.failed)
        case (.parked, _): return interrupted(flow)
        case (.flowing, .finish(let hasPartialHead)):
            switch phase {
            case .sending: enter(hasPartialHead ? .head : .idle, at: now)
            // Bytes that are not part of a request do not keep an idle connection open.
            case .idle where hasPartialHead: enter(.head, at: now)
            case .idle, .head, .proxyHeader, .sniffing, .handshake, .lingering, .closed: break
            }
            return hasPartialHead ? .keepInput : .wait
        case (.flowing, .rest(let hasPartialInput)): return rest(hasPartialInput: hasPartialInput, at: now)
        case (.flowing, .wait): return .wait
        case (.flowing, .handshake): return .handshake
        case (.flowing, .read): return .read
        case (.flowing, .linger): return .linger
        case (.flowing, .close): return .close(.finished)
        }
    }

    /// Bytes do not flow in the middle of something else.
    package func interrupted(_ flow: Flow) -> Action {
        if case .failed = flow { return .close(.failed) }
        // Nothing that was received is needed after the last answer.
        return isLastAnswer ? .wait : .keepInput
    }

    /// The stream is ended.
    package mutating func linger(at now: Int64) -> Action {
        enter(.lingering, at: now)
        return .wait
    }

    mutating func enter(_ phase: Phase, at now: Int64) {
        self.phase = phase
        since = now
    }
}

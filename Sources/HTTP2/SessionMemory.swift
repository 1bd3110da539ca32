/// The state of a session, at one address, where the callbacks of the library find it.
///
/// It is touched field by field and never as a whole: the library calls back while a function of the session runs.
struct SessionMemory {
    var session: OpaquePointer?
    let buffers: UnsafeMutablePointer<StreamBuffers>
    /// The bytes that the library has of the pool.
    var libraryBytes = 0
    /// The same when the session was new.
    var firstBytes = 0
    /// Milliseconds on a clock that never goes back, at the event that is being worked on.
    var now: Int64

    // What comes in.
    var scanner = FrameScanner()
    /// Whether the frame that has to follow the preface has begun.
    var hasSettings = false
    var block = HeaderBlock()
    var composer = HeadComposer()
    /// Whether the composer is in the middle of a request.
    var isComposing = false
    /// The composer's memory between two events; nil if nothing of it is needed.
    var partialHead: UnsafeMutablePointer<UInt8>?
    /// Bytes of DATA frames, padding included.
    var bodyBytes = 0
    var frames: TokenBucket
    var resets: TokenBucket

    /// The stream of the request that was reported and not answered yet; 0 if there is none.
    var request: Int32 = 0
    /// Whether its peer has not ended it with its head.
    var hasRequestBody = false

    // What goes out.
    var answers: UnsafeMutablePointer<StreamAnswer>?
    var answerCount = 0
    /// The bytes of answers that nobody else may be keeping.
    var heldByAnswers = 0
    /// The number of answers to requests with a body.
    var bodies = 0
    /// Bytes of the library that found no room yet.
    var carry = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var output: UnsafeMutablePointer<UInt8>?
    var room = 0
    /// Whether a body waits for more room.
    var needsRoom = false
    /// Bytes of bodies since progress was last noted.
    var sentSinceProgress = 0
    var hasProgressed = false

    /// Whether this side has ended the session: what still comes in is thrown away.
    var isEnding = false
    var fault: StreamFault?
    /// Whether the library has failed in a way that leaves nothing to be sent.
    var isBroken = false

    init(_ buffers: UnsafeMutablePointer<StreamBuffers>, at now: Int64) {
        self.buffers = buffers
        self.now = now
        frames = TokenBucket(burst: 1_000, perSecond: 100, at: now)
        resets = TokenBucket(burst: 200, perSecond: 20, at: now)
    }
}

/// The header block that is being received: frames that nothing may come between (RFC 9113, section 4.3).
struct HeaderBlock: BitwiseCopyable {
    private static let maxContinuations = 8
    private static let maxBytes = 16_384

    private(set) var isOpen = false
    private var continuations = 0
    private var bytes = 0

    mutating func begin(_ header: FrameHeader) {
        isOpen = !header.endsHeaders
        continuations = 0
        bytes = header.length
    }

    /// - Returns: whether the block is not too large.
    mutating func `continue`(_ header: FrameHeader) -> Bool {
        guard isOpen else { return true }
        continuations &+= 1
        bytes &+= header.length
        isOpen = !header.endsHeaders
        return continuations <= Self.maxContinuations && bytes <= Self.maxBytes
    }
}

internal import CNGHTTP2
package import HTTP1

/// The server's side of one HTTP/2 connection (RFC 9113), without I/O: bytes in, requests and bytes out.
///
/// It is libnghttp2 with the bounds of docs/spec/http2.md around it. Each request that it reports has to be answered before
/// it is given more bytes.
package struct ServerSession: ~Copyable {
    package enum Reading {
        /// All bytes are used up.
        case needsInput
        /// `head` has its bytes.
        case request(RequestHead)
        /// A request that the rules of HTTP/1.1 refuse, too, to be answered with this status.
        case refused(Status)
    }

    /// A step that is not the answer to a request.
    package enum Command: Equatable, Sendable, BitwiseCopyable {
        /// Announce that the connection will end: the first GOAWAY, which refuses nothing yet.
        case announceEnd
        /// Take no streams but those that have begun: the second GOAWAY.
        case refuseStreams
        /// Reset the streams whose answers the peer does not take.
        case cancelAnswers
        /// End the connection, whatever is open.
        case end
        /// The same, because the peer lets nothing get on.
        case endStalled
    }

    private let memory: UnsafeMutablePointer<SessionMemory>

    /// - Parameters:
    ///   - buffers: must outlive the session.
    ///   - streams: the most that may be open at a time.
    ///   - now: milliseconds on a clock that never goes back.
    /// - Returns: nil if there is not enough memory.
    package init?(_ buffers: UnsafeMutablePointer<StreamBuffers>, streams: Int, at now: Int64) {
        memory = .allocate(capacity: 1)
        memory.initialize(to: SessionMemory(buffers, at: now))
        var functions = MemoryPool.functions(memory)
        let library = buffers.pointee.functions
        var session: OpaquePointer?
        let status = library.pointee.session_server_new3(
            &session, buffers.pointee.callbacks, memory, buffers.pointee.options, &functions)
        guard status == 0, let session else {
            memory.pointee.scanner.deallocate()
            memory.deallocate()
            return nil
        }
        memory.pointee.session = session
        let settings = [
            Self.entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streams),
            Self.entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, HeadComposer.largestList),
            Self.entry(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ]
        if library.pointee.submit_settings(session, 0, settings, settings.count) != 0 { memory.pointee.isBroken = true }
        memory.pointee.firstBytes = memory.pointee.libraryBytes
    }

    private static func entry(_ setting: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
        nghttp2_settings_entry(settings_id: Int32(setting.rawValue), value: UInt32(clamping: value))
    }

    deinit {
        memory.pointee.buffers.pointee.functions.pointee.session_del(memory.pointee.session)
        while let answer = memory.pointee.answers { memory.remove(answer) }
        memory.pointee.partialHead?.deallocate()
        memory.pointee.scanner.deallocate()
        memory.deallocate()
    }

    // MARK: - Bytes in

    /// Whether the preface or the SETTINGS after it, a frame or a header block has begun and not ended.
    package var hasPartialInput: Bool {
        !memory.pointee.hasSettings || memory.pointee.scanner.isInside || memory.pointee.block.isOpen
    }

    /// The request that was reported last, as the head that it would have in HTTP/1.1; valid until more bytes come.
    package var head: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: memory.pointee.buffers.pointee.head, count: memory.pointee.composer.used.head.count)
    }

    /// Uses up bytes, up to the end of the first request among them.
    ///
    /// - Parameter now: milliseconds on a clock that never goes back.
    /// - Returns: how many bytes were used up, and what was found.
    package func receive(
        _ bytes: UnsafePointer<UInt8>, count: Int, at now: Int64
    ) -> (consumed: Int, reading: Reading) {
        memory.pointee.now = now
        if memory.pointee.partialHead != nil { restoreHead() }
        var start = 0
        while start < count, !memory.pointee.isEnding {
            start &+= step(bytes + start, count &- start)
            guard memory.pointee.request != 0 else { continue }
            memory.pointee.isComposing = false
            switch memory.pointee.composer.finish(memory.pointee.buffers.pointee.head) {
            case .request(let head): return (start, .request(head))
            case .refused(let status): return (start, .refused(status))
            case .incomplete: return (start, .refused(.badRequest))
            }
        }
        if memory.pointee.isComposing { keepHead() }
        return (count, .needsInput)
    }

    /// Uses up bytes, at most to the end of a frame.
    ///
    /// - Returns: how many.
    private func step(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        switch memory.pointee.scanner.scan(bytes, count: count) {
        case .kept(let taken): return taken
        case .content(let taken):
            process(bytes, taken)
            return taken
        case .header(let taken):
            let header = memory.pointee.scanner.takeHeader(bytes)
            judge(FrameHeader(header))
            guard !memory.pointee.isEnding else { return count }
            let payload = memory.pointee.scanner.takePayload(of: count &- taken)
            if header == bytes {
                process(bytes, taken &+ payload)
            } else {
                process(header, FrameHeader.count)
                if payload > 0 { process(bytes + taken, payload) }
            }
            return taken &+ payload
        }
    }

    /// Judges a frame before the library sees it.
    private func judge(_ header: FrameHeader) {
        if header.type != FrameHeader.Kind.continuation { memory.pointee.isComposing = false }
        switch header.type {
        // Those of a request are given back with its answer.
        case FrameHeader.Kind.headers: memory.pointee.block.begin(header)
        case FrameHeader.Kind.continuation:
            if !memory.pointee.block.continue(header) { memory.terminate(ErrorCode.enhanceYourCalm, .headerBlock) }
            return
        case FrameHeader.Kind.resetStream: return memory.countReset()
        case FrameHeader.Kind.settings: memory.pointee.hasSettings = true
        // The library looks at none of them.
        case FrameHeader.Kind.priority where header.stream == 0:
            return memory.terminate(ErrorCode.protocolError, .protocolError)
        case FrameHeader.Kind.data:
            memory.pointee.bodyBytes &+= header.length
            guard memory.pointee.bodyBytes <= Self.maxBodyBytes else {
                return memory.terminate(ErrorCode.flowControl, .flowControl)
            }
        default: break
        }
        if !memory.pointee.frames.take(at: memory.pointee.now) { memory.terminate(ErrorCode.enhanceYourCalm, .frames) }
    }

    /// The initial window of a connection (RFC 9113, section 6.9.2), which is never enlarged.
    private static let maxBodyBytes = 65_535

    private func process(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        let functions = memory.pointee.buffers.pointee.functions
        let status = functions.pointee.session_mem_recv(memory.pointee.session, bytes, count)
        guard status < 0 else { return }
        switch nghttp2_error(rawValue: Int32(truncatingIfNeeded: status)) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC: memory.terminate(ErrorCode.protocolError, .protocolError)
        case NGHTTP2_ERR_FLOODED: memory.terminate(ErrorCode.enhanceYourCalm, .frames)
        default: memory.terminate(ErrorCode.internalError, .internalError)
        }
    }

    /// Keeps the part of a head that has come; the memory that it is composed in is the loop's.
    private func keepHead() {
        let (head, values) = memory.pointee.composer.used
        guard head.count + values.count > 0 else { return }
        let source = memory.pointee.buffers.pointee.head
        let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: head.count + values.count)
        kept.initialize(from: source, count: head.count)
        (kept + head.count).initialize(from: source + values.lowerBound, count: values.count)
        memory.pointee.partialHead = kept
    }

    private func restoreHead() {
        guard let kept = memory.pointee.partialHead else { return }
        memory.pointee.partialHead = nil
        let (head, values) = memory.pointee.composer.used
        let target = memory.pointee.buffers.pointee.head
        target.update(from: kept, count: head.count)
        (target + values.lowerBound).update(from: kept + head.count, count: values.count)
        kept.deallocate()
    }

    // MARK: - Bytes out

    /// Answers the request that was reported last.
    ///
    /// - Parameters:
    ///   - date: 29 bytes, as `HTTPDate.write` makes them, at an address that outlives the session.
    ///   - owner: an object that keeps the response, for `retainAnswers`; nil for one that outlives the session.
    ///   - held: the bytes that nobody but the session may be keeping; above 0 the owner is retained at once.
    package func answer(
        _ response: PreparedMessage, sendsBody: Bool, date: UnsafePointer<UInt8>, owner: UnsafeRawPointer?,
        held: Int = 0
    ) {
        let stream = memory.pointee.request
        guard stream != 0 else { return }
        memory.pointee.request = 0
        memory.pointee.frames.giveBack(1)
        let buffers = memory.pointee.buffers
        let library = buffers.pointee.functions
        let count = write(response, date, to: buffers.pointee.fields)
        let answer = buffers.pointee.makeAnswer(
            StreamAnswer(
                stream: stream, body: response.body.baseAddress?.assumingMemoryBound(to: UInt8.self),
                rest: sendsBody ? response.bodyCount : 0, hasRequestBody: memory.pointee.hasRequestBody, owner: owner,
                held: held))
        if held > 0 { answer.pointee.retain() }
        memory.add(answer)
        _ = library.pointee.session_set_stream_user_data(memory.pointee.session, stream, answer)
        var body = nghttp2_data_provider(
            source: nghttp2_data_source(ptr: answer), read_callback: SessionCallbacks.nextBody)
        let status =
            answer.pointee.rest > 0
            ? library.pointee.submit_response(memory.pointee.session, stream, buffers.pointee.fields, count, &body)
            : library.pointee.submit_response(memory.pointee.session, stream, buffers.pointee.fields, count, nil)
        if status != 0 { memory.terminate(ErrorCode.internalError, .internalError) }
    }

    /// - Returns: the number of fields.
    private func write(
        _ response: PreparedMessage, _ date: UnsafePointer<UInt8>, to fields: UnsafeMutablePointer<nghttp2_nv>
    ) -> Int {
        let name: StaticString = ":status"
        fields.initialize(to: Self.field(name, response.statusDigits))
        for index in 0..<response.fieldCount {
            let (name, value) = response.field(at: index)
            let current = name == .date ? UnsafeBufferPointer(start: date, count: value.count) : value
            (fields + index + 1).initialize(to: Self.field(name.lowercased, current))
        }
        return response.fieldCount &+ 1
    }

    @inline(__always)
    private static func field(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) -> nghttp2_nv {
        nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutablePointer(mutating: value.baseAddress),
            namelen: name.utf8CodeUnitCount, valuelen: value.count, flags: uncopied)
    }

    private static let uncopied = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)

    /// Writes frames, as many as find room and as the peer's windows allow.
    ///
    /// - Returns: how many bytes were written. If `needsRoom`, there are more.
    package func write(to output: UnsafeMutablePointer<UInt8>, room: Int) -> Int {
        memory.pointee.output = output
        memory.pointee.room = room
        memory.pointee.needsRoom = false
        let functions = memory.pointee.buffers.pointee.functions
        writeCarry()
        while memory.pointee.carry.isEmpty, !memory.pointee.isBroken {
            var bytes: UnsafePointer<UInt8>?
            let count = functions.pointee.session_mem_send(memory.pointee.session, &bytes)
            if count == 0 { break }
            if count < 0 {
                memory.pointee.isBroken = true
                break
            }
            memory.pointee.carry = UnsafeBufferPointer(start: bytes, count: count)
            writeCarry()
        }
        return room &- memory.pointee.room
    }

    private func writeCarry() {
        let carry = memory.pointee.carry
        guard let output = memory.pointee.output, let start = carry.baseAddress, !carry.isEmpty else { return }
        let count = min(carry.count, memory.pointee.room)
        output.update(from: start, count: count)
        memory.pointee.output = output + count
        memory.pointee.room &-= count
        memory.pointee.carry = UnsafeBufferPointer(rebasing: carry[count...])
    }

    /// Whether `write` has stopped because there was no more room.
    package var needsRoom: Bool { memory.pointee.needsRoom || !memory.pointee.carry.isEmpty }

    /// Keeps the memory of the answers that are not written to their end. Call it before the event ends in which they were
    /// made.
    package func retainAnswers() {
        var next = memory.pointee.answers
        while let answer = next {
            answer.pointee.retain()
            next = answer.pointee.next
        }
    }

    /// The number of answers that are not written to their end, or whose stream is not closed.
    package var openAnswers: Int { memory.pointee.answerCount }

    /// Whether an answer has ended, or 64 KiB of bodies were written, since it was last asked.
    package func takeProgress() -> Bool {
        defer { memory.pointee.hasProgressed = false }
        return memory.pointee.hasProgressed
    }

    // MARK: - Memory

    /// The bytes that the session has allocated since it began: for streams, answers and tables, and for a part of a head.
    package var heldBytes: Int {
        let (head, values) = memory.pointee.partialHead == nil ? (0..<0, 0..<0) : memory.pointee.composer.used
        return max(0, memory.pointee.libraryBytes &- memory.pointee.firstBytes) &+ head.count &+ values.count
            &+ memory.pointee.answerCount &* MemoryLayout<StreamAnswer>.stride &+ memory.pointee.heldByAnswers
    }

    // MARK: - The end

    package func perform(_ command: Command) {
        let library = memory.pointee.buffers.pointee.functions
        let session = memory.pointee.session
        switch command {
        case .announceEnd: _ = library.pointee.submit_shutdown_notice(session)
        case .refuseStreams:
            let last = library.pointee.session_get_last_proc_stream_id(session)
            _ = library.pointee.submit_goaway(session, 0, last, ErrorCode.noError, nil, 0)
        case .cancelAnswers:
            var next = memory.pointee.answers
            while let answer = next {
                next = answer.pointee.next
                _ = library.pointee.submit_rst_stream(session, 0, answer.pointee.stream, ErrorCode.cancel)
            }
        case .end: memory.terminate(ErrorCode.noError, nil)
        case .endStalled: memory.terminate(ErrorCode.enhanceYourCalm, .stalled)
        }
    }

    /// Whether nothing more is to be read or written.
    package var isDone: Bool {
        let library = memory.pointee.buffers.pointee.functions
        let session = memory.pointee.session
        return memory.pointee.isBroken
            || memory.pointee.carry.isEmpty && library.pointee.session_want_write(session) == 0
                && library.pointee.session_want_read(session) == 0
    }
}

internal import CNGHTTP2

/// The functions that the library calls back. None of them has a state of its own.
enum SessionCallbacks {
    static func set(in callbacks: OpaquePointer, _ functions: c_nghttp2_table) {
        let set = functions.pointee
        set.session_callbacks_set_on_begin_headers_callback(callbacks, blockBegins)
        set.session_callbacks_set_on_header_callback(callbacks, fieldCame)
        set.session_callbacks_set_on_frame_recv_callback(callbacks, frameCame)
        set.session_callbacks_set_before_frame_send_callback(callbacks, frameWillGo)
        set.session_callbacks_set_on_frame_send_callback(callbacks, frameWent)
        set.session_callbacks_set_send_data_callback(callbacks, sendBody)
        set.session_callbacks_set_on_stream_close_callback(callbacks, streamClosed)
    }

    private static let success: Int32 = 0

    private static let blockBegins: nghttp2_on_begin_headers_callback = { _, frame, memory in
        guard let frame, let memory = memory?.assumingMemoryBound(to: SessionMemory.self) else { return success }
        let isRequest = frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
        memory.pointee.composer = HeadComposer(isIgnored: !isRequest)
        memory.pointee.isComposing = isRequest
        return success
    }

    private static let fieldCame: nghttp2_on_header_callback = { _, _, name, nameCount, value, valueCount, _, memory in
        guard let memory = memory?.assumingMemoryBound(to: SessionMemory.self) else { return success }
        memory.pointee.composer.add(
            name: UnsafeBufferPointer(start: name, count: nameCount),
            value: UnsafeBufferPointer(start: value, count: valueCount), to: memory.pointee.buffers.pointee.head)
        guard memory.pointee.composer.isBeyondDecoding else { return success }
        memory.terminate(ErrorCode.enhanceYourCalm, .headerBlock)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    /// A frame is whole and keeps the rules; that of a header block, when the block is whole.
    private static let frameCame: nghttp2_on_frame_recv_callback = { _, frame, memory in
        guard let frame, let memory = memory?.assumingMemoryBound(to: SessionMemory.self) else { return success }
        let header = frame.pointee.hd
        guard header.type == FrameHeader.Kind.headers, frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else {
            return success
        }
        memory.pointee.request = header.stream_id
        memory.pointee.hasRequestBody = header.flags & FrameHeader.endStream == 0
        return success
    }

    /// Bodies are thrown away, and the peer is not asked for more of them.
    private static let frameWillGo: nghttp2_before_frame_send_callback = { _, frame, _ in
        frame?.pointee.hd.type == FrameHeader.Kind.windowUpdate ? NGHTTP2_ERR_CANCEL.rawValue : success
    }

    private static let frameWent: nghttp2_on_frame_send_callback = { session, frame, memory in
        guard let frame, let memory = memory?.assumingMemoryBound(to: SessionMemory.self) else { return success }
        let header = frame.pointee.hd
        switch header.type {
        case FrameHeader.Kind.headers, FrameHeader.Kind.data:
            if header.flags & FrameHeader.endStream != 0, memory.pointee.bodies > 0 {
                endBody(of: header.stream_id, session, memory)
            }
        case FrameHeader.Kind.resetStream:
            let code = frame.pointee.rst_stream.error_code
            if code != ErrorCode.noError {
                memory.pointee.buffers.pointee.count(StreamFault(streamCode: code))
                memory.countReset()
            }
        case FrameHeader.Kind.goAway:
            let code = frame.pointee.goaway.error_code
            guard code != ErrorCode.noError else { break }
            memory.pointee.buffers.pointee.count(memory.pointee.fault ?? StreamFault(connectionCode: code))
        default: break
        }
        return success
    }

    /// The answer is complete before the request is: its peer need not send the rest (RFC 9113, section 8.1).
    private static func endBody(
        of stream: Int32, _ session: OpaquePointer?, _ memory: UnsafeMutablePointer<SessionMemory>
    ) {
        let functions = memory.pointee.buffers.pointee.functions.pointee
        if functions.session_get_stream_remote_close(session, stream) == 0 {
            _ = functions.submit_rst_stream(session, 0, stream, ErrorCode.noError)
        }
    }

    /// Chooses the length of the next DATA frame; the bytes stay where they are.
    static let nextBody: nghttp2_data_source_read_callback = { _, _, _, length, flags, source, memory in
        guard let answer = source?.pointee.ptr?.assumingMemoryBound(to: StreamAnswer.self),
            let memory = memory?.assumingMemoryBound(to: SessionMemory.self)
        else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        let room = memory.pointee.room &- FrameHeader.count
        // A frame that is worth its header, or the last one.
        guard room >= min(answer.pointee.rest, leastBody) else {
            memory.pointee.needsRoom = true
            return Int(NGHTTP2_ERR_PAUSE.rawValue)
        }
        let count = min(length, answer.pointee.rest, room)
        flags?.pointee = NGHTTP2_DATA_FLAG_NO_COPY.rawValue
        if count == answer.pointee.rest { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return count
    }

    /// The least room for a part of a body.
    private static let leastBody = 512

    private static let sendBody: nghttp2_send_data_callback = { _, _, header, length, source, memory in
        guard let answer = source?.pointee.ptr?.assumingMemoryBound(to: StreamAnswer.self), let header,
            let memory = memory?.assumingMemoryBound(to: SessionMemory.self), let output = memory.pointee.output,
            memory.pointee.room >= length &+ FrameHeader.count, answer.pointee.rest >= length
        else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        output.update(from: header, count: FrameHeader.count)
        if let body = answer.pointee.body {
            (output + FrameHeader.count).update(from: body, count: length)
            answer.pointee.body = body + length
        }
        answer.pointee.rest &-= length
        memory.pointee.output = output + FrameHeader.count + length
        memory.pointee.room &-= FrameHeader.count &+ length
        memory.noteSent(length)
        return success
    }

    private static let streamClosed: nghttp2_on_stream_close_callback = { session, stream, _, memory in
        guard let memory = memory?.assumingMemoryBound(to: SessionMemory.self) else { return success }
        if memory.pointee.request == stream { memory.pointee.request = 0 }
        let functions = memory.pointee.buffers.pointee.functions
        if let data = functions.pointee.session_get_stream_user_data(session, stream) {
            memory.remove(data.assumingMemoryBound(to: StreamAnswer.self))
            memory.pointee.hasProgressed = true
        }
        return success
    }
}

extension UnsafeMutablePointer<SessionMemory> {
    /// The body bytes that count as progress.
    private static var progress: Int { 65_536 }

    /// A stream was reset, by the peer or because of it: one bound for both (CVE-2023-44487, CVE-2025-8671).
    func countReset() {
        if !pointee.resets.take(at: pointee.now) { terminate(ErrorCode.enhanceYourCalm, .resets) }
    }

    /// Ends the session: a GOAWAY is the last thing that is sent.
    func terminate(_ code: UInt32, _ fault: StreamFault?) {
        guard !pointee.isEnding else { return }
        pointee.isEnding = true
        pointee.fault = fault
        if pointee.buffers.pointee.functions.pointee.session_terminate_session(pointee.session, code) != 0 {
            pointee.isBroken = true
        }
    }

    func noteSent(_ count: Int) {
        pointee.sentSinceProgress &+= count
        // A peer answers what it gets with frames that only say how much it took.
        pointee.frames.giveBack(2)
        guard pointee.sentSinceProgress >= Self.progress else { return }
        pointee.sentSinceProgress = 0
        pointee.hasProgressed = true
    }

    func add(_ answer: UnsafeMutablePointer<StreamAnswer>) {
        answer.pointee.next = pointee.answers
        pointee.answers?.pointee.previous = answer
        pointee.answers = answer
        pointee.answerCount &+= 1
        pointee.heldByAnswers &+= answer.pointee.held
        if answer.pointee.hasRequestBody { pointee.bodies &+= 1 }
    }

    func remove(_ answer: UnsafeMutablePointer<StreamAnswer>) {
        if let previous = answer.pointee.previous {
            previous.pointee.next = answer.pointee.next
        } else {
            pointee.answers = answer.pointee.next
        }
        answer.pointee.next?.pointee.previous = answer.pointee.previous
        pointee.answerCount &-= 1
        pointee.heldByAnswers &-= answer.pointee.held
        if answer.pointee.hasRequestBody { pointee.bodies &-= 1 }
        answer.pointee.release()
        pointee.buffers.pointee.recycle(answer)
    }
}

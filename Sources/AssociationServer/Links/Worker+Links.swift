internal import EventLoops
internal import HTTP1
internal import HTTP2

// The way of a request that links and pages answer: `LinkAnswers` instead of `Responder`'s files, and the rest as it is.
extension Worker {
    @inline(never)
    func respond(
        by question: LinkQuestion, to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>,
        _ event: inout EventScratch
    ) -> ConnectionState.Action {
        let reply = reply(to: question, head, in: bytes, event)
        if event.pendingCount + reply.message.longestHead > LoopBuffers.pendingCapacity {
            let flow = encryptPending(&event)
            guard case .flowing = flow else {
                // It is read again when the connection gets on.
                event.requestsStart -= Int(head.count)
                return event.connection.pointee.state.interrupted(flow)
            }
        }
        record(reply, question, to: head, in: bytes, event)
        let isWhole = withExtendedLifetime(reply.response) {
            write(
                reply.message, sendsBody: question.sendsBody, question.connection, &event, owner: reply.owner)
        }
        if !isWhole { event.connection.pointee.unwrittenBytes = reply.held }
        return event.connection.pointee.state.answered(isLast: question.closes, isWhole: isWhole)
    }

    @inline(never)
    func respondOnStream(
        by question: LinkQuestion, to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>, _ event: EventScratch
    ) -> ConnectionState.Action {
        let reply = reply(to: question, head, in: bytes, event)
        record(reply, question, to: head, in: bytes, event)
        withExtendedLifetime(reply.response) {
            event.connection.pointee.streams?.answer(
                reply.message, sendsBody: question.sendsBody, date: date, owner: reply.owner, held: reply.held)
        }
        return event.connection.pointee.state.streamAnswered(limit: settings.requestsPerConnection, at: event.time.now)
    }

    private func reply(
        to question: LinkQuestion, _ head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>, _ event: EventScratch
    ) -> LinkReply {
        let response = links.response(to: question, head, in: bytes, buffers.fields)
        return LinkReply(response, head, in: bytes, responder.standard, now: event.time.wallSeconds)
    }

    private func record(
        _ reply: LinkReply, _ question: LinkQuestion, to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>,
        _ event: EventScratch
    ) {
        counters.count(site: Int(question.site), reply.status, reply.kind)
        counters.count(.request(version(of: head, event)))
        let bodyCount = question.sendsBody ? reply.message.bodyCount : 0
        logReference?._withUnsafeGuaranteedRef {
            write(
                reply.status.rawValue, bodyCount, question.site, head, bytes, event, to: $0,
                addresses: settings.linkAddresses)
        }
    }
}

internal import HTTP1
internal import OpenSSL

// What is counted, and what is written down, of a request that is answered.
extension Worker {
    func noteHandshake(_ connection: Pointer) {
        let isTLS13 = connection.pointee.session?.isTLS13 == true
        let isResumed = connection.pointee.session?.isResumed == true
        connection.pointee.isTLS13 = isTLS13
        connection.pointee.isResumed = isResumed
        counters.count(.handshake(isTLS13: isTLS13, isResumed: isResumed))
    }

    /// - Parameters:
    ///   - head: `nil` for a request that was refused for its form.
    ///   - bytes: that the head was read from.
    @inline(__always)
    func note(
        _ reply: Responder.Reply, to head: RequestHead?, in bytes: UnsafeBufferPointer<UInt8>, _ connection: Pointer
    ) {
        counters.count(.request(reply.response.status))
    }
}

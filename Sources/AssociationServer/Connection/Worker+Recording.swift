internal import EventLoops
internal import HTTP1
internal import OpenSSL

// What is counted and logged of a request.
extension Worker {
    func recordHandshake(_ connection: Pointer) {
        let isTLS13 = connection.pointee.transport.isTLS13
        let isResumed = connection.pointee.transport.isResumed
        connection.pointee.tls = isTLS13 ? .version13 : .version12
        connection.pointee.isResumed = isResumed
        counters.count(.handshake(isTLS13: isTLS13, isResumed: isResumed))
    }

    /// - Parameters:
    ///   - head: `nil` for a request that was refused for its form.
    ///   - bytes: that the head was read from.
    @inline(__always)
    func record(
        _ reply: Responder.Reply, to head: RequestHead?, in bytes: UnsafeBufferPointer<UInt8>, _ event: EventScratch
    ) {
        let status = reply.response.status
        counters.count(.request(status))
        counters.count(.request(version(of: head, event)))
        if reply.site >= 0 {
            counters.count(site: Int(reply.site), status)
            if let head, head.userAgent.count > 0 { recordFetch(reply, head, bytes, event.time) }
        }
        logReference?._withUnsafeGuaranteedRef {
            write(
                reply.response.status.rawValue, reply.sendsBody ? reply.response.bodyCount : 0, reply.site, head, bytes,
                event, to: $0)
        }
    }

    func record(
        _ redirect: RedirectResponse, to head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>,
        _ event: EventScratch
    ) {
        counters.countRedirect(site: Int(redirect.site))
        counters.count(.request(version(of: head, event)))
        logReference?._withUnsafeGuaranteedRef {
            write(
                RedirectResponse.statusCode, redirect.bodyCount, redirect.site, head, bytes, event, to: $0)
        }
    }

    @inline(__always)
    func version(of head: RequestHead?, _ event: EventScratch) -> HTTPVersion {
        if event.connection.pointee.streams != nil { return .http2 }
        return head?.isVersion10 == true ? .http10 : .http11
    }

    /// Counts the request if one of Apple's programs has fetched an association file, or `aasa doctor` in its name.
    @inline(__always)
    private func recordFetch(
        _ reply: Responder.Reply, _ head: RequestHead, _ bytes: UnsafeBufferPointer<UInt8>, _ time: BatchTime
    ) {
        let userAgent = UnsafeBufferPointer(rebasing: bytes[head.userAgent.range])
        guard let agent = AppleAgent(userAgent: userAgent) else { return }
        guard head.isExpectedLine || Responder.isAssociation(head.path, bytes.span) else { return }
        if head.isFromDoctor { return counters.countDoctorFetch(site: Int(reply.site), reply.response.status) }
        counters.countFetch(site: Int(reply.site), agent, userAgent, reply.response.status, at: time.wallSeconds)
    }

    /// - Parameter addresses: what it has of the client's address; nil for an answer that no link has given.
    @inline(__always)
    func write(
        _ status: UInt16, _ bodyCount: Int, _ site: Int32, _ head: RequestHead?, _ bytes: UnsafeBufferPointer<UInt8>,
        _ event: EventScratch, to log: AccessLogBuffer, addresses: ServerConfiguration.LinkAddresses? = nil
    ) {
        let connection = event.connection
        var entry = AccessLogEntry(
            time: event.time.wallMilliseconds, address: connection.pointee.origin.address,
            peer: connection.pointee.origin.peer, status: status, bytes: bodyCount,
            microseconds: (Clock.preciseNanoseconds() &- event.time.preciseNanoseconds) / 1_000,
            tls: connection.pointee.tls, isResumed: connection.pointee.isResumed)
        if site >= 0 { entry.site = AccessLogEntry.Text(siteNames[Int(site)]) }
        entry.version = version(of: head, event)
        // Of a request that was refused it is whatever was sent in their stead.
        let line = RequestHead.requestLine(in: bytes.span)
        entry.method = AccessLogEntry.Text(line.method, in: bytes)
        entry.target = AccessLogEntry.Text(line.target, in: bytes)
        if let head {
            if connection.pointee.origin.isForwarded {
                entry.address = connection.pointee.origin.client(of: head, in: bytes.span, forwarding)
            }
            entry.host =
                head.host.count > 0
                ? AccessLogEntry.Text(head.host, in: bytes)
                : AccessLogEntry.Text(connection.pointee.serverName.buffer)
            entry.userAgent = AccessLogEntry.Text(head.userAgent, in: bytes)
        }
        if let addresses { entry.hideVisitor(addresses) }
        log.append(entry)
    }
}

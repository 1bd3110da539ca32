internal import DomainNames
internal import EventLoops
internal import HTTP1
internal import OpenSSL

// What comes before the first request: the PROXY header, the handshake, and what is not a handshake.
extension Worker {
    /// Looks for the PROXY header at the beginning of what was received; what follows it is the transport's input.
    func readProxyHeader(_ event: EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        let transport = buffers.transport
        let held = connection.pointee.unprocessed.count
        if held > 0 {
            (buffers.received + held).update(from: buffers.received, count: transport.pointee.inputCount)
            transport.pointee.inputCount += connection.pointee.unprocessed.move(into: buffers.received)
        }
        let input = UnsafeBufferPointer(start: transport.pointee.input, count: transport.pointee.inputCount)
        let reading = ProxyHeader.read(input.span)
        var isAdmitted = true
        if case .header(let header) = reading {
            isAdmitted = announce(header.source, of: connection)
            transport.pointee.input += header.count
            transport.pointee.inputCount -= header.count
        }
        let next = transport.pointee.inputCount > 0 ? transport.pointee.input.pointee : nil
        return connection.pointee.state.proxyHeaderRead(
            reading, isAdmitted: isAdmitted, next: next, at: event.time.now)
    }

    /// Reports transport input that begins as a PROXY header does, at a listener that expects none.
    func reportProxyHeader(_ connection: Pointer) {
        let transport = buffers.transport
        let input = UnsafeBufferPointer(start: transport.pointee.input, count: transport.pointee.inputCount)
        reportProxyHeader(in: input, connection)
    }

    func reportProxyHeader(in bytes: UnsafeBufferPointer<UInt8>, _ connection: Pointer) {
        guard !connection.pointee.kind.expectsProxyHeader, ProxyHeader.isLikely(bytes.span) else { return }
        shared.reportUnexpectedHeader(connection.pointee.origin.peer)
    }

    func handshake(_ event: EventScratch) -> ConnectionState.Action {
        let connection = event.connection
        let progress = connection.pointee.transport.handshake()
        switch progress {
        case .done:
            recordHandshake(connection)
            if connection.pointee.isChallenge {
                counters.count(.challenge(.tlsALPN01, isAnswered: true))
            } else {
                connection.pointee.covered = coverage(connection)
                if connection.pointee.transport.isHTTP2 { openStreams(event) }
            }
        case .failed(.protocolName):
            if buffers.transport.pointee.hasRefusedChallenge {
                buffers.transport.pointee.hasRefusedChallenge = false
                counters.count(.challenge(.tlsALPN01, isAnswered: false))
            }
        case .failed, .needsInput, .needsOutput: break
        }
        return connection.pointee.state.handshakeProgressed(
            progress, isChallenge: connection.pointee.isChallenge, hasStreams: connection.pointee.streams != nil,
            at: event.time.now)
    }

    private func coverage(_ connection: Pointer) -> HostTable.View? {
        guard let identity = connection.pointee.identity?.takeUnretainedValue() else { return nil }
        let presented = identity.context.flatMap { connection.pointee.transport.presentedCertificate(of: $0) }
        return identity.coverage(of: presented)
    }

    /// Answers a client that speaks HTTP on the TLS port, in its language.
    func sendPlaintextError(_ event: EventScratch) -> ConnectionState.Action {
        counters.count(.handshakeFailed(.http))
        reportProxyHeader(event.connection)
        let response = responder.standard.speaksHTTPS
        var count = response.writeHead(to: buffers.pending, date: date, connection: .close)
        UnsafeMutableRawBufferPointer(start: buffers.pending + count, count: response.bodyCount)
            .copyMemory(from: response.body)
        count += response.bodyCount
        if case .bytes(let sent) = Socket.send(event.connection.pointee.descriptor, buffers.pending, count: count) {
            counters.count(.sentBytes, sent)
        }
        return event.connection.pointee.state.plaintextErrorSent()
    }
}

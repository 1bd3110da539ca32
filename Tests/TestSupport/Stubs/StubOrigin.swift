internal import Foundation
package import OpenSSL
internal import SystemSupport
internal import TLSSamples

/// A server on the loopback interface that does with each connection what a test wants, well behaved or not.
package final class StubOrigin: Sendable {
    package let port: Int
    private let descriptor: Int32
    private let log = Log()

    private final class Log: Sendable {
        let requests = Locked<[String]>([])
        let connections = Locked(0)
    }

    /// - Parameters:
    ///   - identity: for TLS from the first byte on; nil for none.
    ///   - address: an IPv4 or IPv6 address of this machine.
    ///   - port: 0 for any.
    ///   - minimumVersion: of TLS.
    ///   - body: is called on a thread of its own for each connection, which is closed when it returns; after the
    ///     handshake, and not if that failed.
    package init(
        _ identity: ServerCertificate? = nil, address: String = "127.0.0.1", port: Int = 0,
        minimumVersion: TLSContext.Version = .tls12, _ body: @escaping @Sendable (StubConnection) -> Void
    ) throws {
        let isIPv6 = address.contains(":")
        let descriptor = socket(
            isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard let port = Self.bind(descriptor, address, port), listen(descriptor, 512) == 0 else {
            close(descriptor)
            throw TestFailure("\(address): \(String(cString: strerror(errno)))")
        }
        self.port = port
        self.descriptor = descriptor
        let context = try identity.map { identity in
            try TLSContext(certificates: [identity], minimumVersion: minimumVersion, ticketKeys: TicketKeys { 0 })
        }
        Thread { [log] in
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0 {
                    // It was shut down. Anything else, such as a lack of descriptors, may be over in a moment; were the
                    // socket closed for it, `deinit` would shut down whatever has its number by then.
                    if errno == EINVAL { break }
                    usleep(1_000)
                    continue
                }
                log.connections.withLock { $0 += 1 }
                // Programs that other tests start keep it open otherwise.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let thread = Thread {
                    let connection = StubConnection(connection) { request in
                        log.requests.withLock { $0.append(request) }
                    }
                    if context.map({ connection.startTLS($0) }) ?? true { body(connection) }
                }
                thread.stackSize = 256 << 10
                thread.start()
            }
            close(descriptor)
        }.start()
    }

    /// Accepts nobody any more; its thread ends.
    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// All requests so far, with their bodies.
    package var requests: [String] { log.requests.withLock { $0 } }

    /// The number of connections so far.
    package var connections: Int { log.connections.withLock { $0 } }

    private static func bind(_ descriptor: Int32, _ text: String, _ port: Int) -> Int? {
        func bound<Address>(_ address: Address) -> Int? {
            var address = address
            return withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    var length = socklen_t(MemoryLayout<Address>.size)
                    guard Glibc.bind(descriptor, pointer, length) == 0, getsockname(descriptor, pointer, &length) == 0
                    else { return nil }
                    // Where both families have it.
                    return Int(
                        UInt16(bigEndian: UnsafeRawPointer(pointer).loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
                }
            }
        }
        if text.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(port).bigEndian
            inet_pton(AF_INET6, text, &address.sin6_addr)
            return bound(address)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return bound(address)
    }
}

/// One connection to a `StubOrigin`, for its thread.
package final class StubConnection {
    private let descriptor: Int32
    private let report: (String) -> Void
    private var tls: SampleServer?
    private var unread: [UInt8] = []

    init(_ descriptor: Int32, _ report: @escaping (String) -> Void) {
        self.descriptor = descriptor
        self.report = report
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        if let tls {
            tls.close()
            sendRaw(tls.takeOutput())
        }
        close(descriptor)
    }

    /// - Returns: whether the handshake was done.
    package func startTLS(_ context: TLSContext, challenge: TLSChallenge? = nil) -> Bool {
        guard let server = try? SampleServer(context) else { return false }
        server.challenge = challenge
        var bytes: [UInt8] = []
        while true {
            let progress = server.handshake(bytes)
            sendRaw(server.takeOutput())
            if progress == .done {
                tls = server
                return true
            }
            // Little enough for libssl to take in all of it: the request may come together with the end of the
            // handshake.
            guard progress == .needsInput, let more = receiveRaw(4_096) else { return false }
            bytes = more
        }
    }

    /// The same with a certificate, for one that began without TLS.
    package func startTLS(_ identity: ServerCertificate) -> Bool {
        guard
            let context = try? TLSContext(
                certificates: [identity], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
        else { return false }
        return startTLS(context)
    }

    /// Reads a request with the body that it announces.
    ///
    /// - Returns: all of it as text; nil if the stream ended before it.
    package func request() -> String? {
        while true {
            if let end = headEnd {
                let head = String(decoding: unread[..<end], as: UTF8.self)
                let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                let count = length.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                if unread.count >= end + count {
                    let text = String(decoding: unread[..<(end + count)], as: UTF8.self)
                    unread.removeFirst(end + count)
                    report(text)
                    return text
                }
            }
            guard let bytes = receive() else { return nil }
            unread += bytes
        }
    }

    private var headEnd: Int? {
        guard unread.count >= 4 else { return nil }
        let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        return (0...unread.count - 4).first { unread[$0..<($0 + 4)].elementsEqual(mark) }.map { $0 + 4 }
    }

    /// - Returns: whether the system took all of it.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        guard let tls else { return sendRaw(bytes) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = tls.write(Array(rest.prefix(16_000)))
            rest = rest.dropFirst(count)
            guard sendRaw(tls.takeOutput()), count > 0 else { return false }
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends 200 with a body.
    @discardableResult
    package func answer(_ body: String, fields: String = "Content-Type: application/json\r\n") -> Bool {
        send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Waits until the peer ends the stream, or for twenty seconds.
    package func waitForEnd() { while receive() != nil {} }

    /// Waits until the peer ends the stream, however long it takes, or somebody calls ``interruption``.
    package func waitForHangUp() {
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, -1) > 0 || errno == EINTR else { return }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return }
        }
    }

    /// Ends the stream in both directions, for another thread; must not be called once the connection is gone.
    package var interruption: @Sendable () -> Void {
        let descriptor = descriptor
        return { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Bytes in clear, below TLS.
    @discardableResult
    package func sendRaw(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Has the connection reset when it is closed, instead of ended.
    package func resetAtEnd() {
        tls = nil
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Ends the stream without `close_notify`.
    package func cutOff() { tls = nil }

    private func receive() -> [UInt8]? {
        guard let tls else { return receiveRaw() }
        // First what is there already.
        var bytes: [UInt8] = []
        while true {
            var output: [UInt8] = []
            let (plain, last) = tls.read(bytes, output: &output)
            sendRaw(output + tls.takeOutput())
            if !plain.isEmpty { return plain }
            guard last == .needsInput, let more = receiveRaw() else { return nil }
            bytes = more
        }
    }

    /// - Returns: nil at the end of the stream.
    package func receiveRaw(_ limit: Int = 32_768) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}

import Glibc

/// A TCP client that sends and receives bytes as a test wants it.
public final class RawSocket: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address.
    ///   - source: the address it comes from, if it matters: all of 127.0.0.0/8 is this machine.
    ///   - receiveBuffer: the size of the kernel's buffer, for a client that takes little.
    public init(
        port: Int, host: String = "127.0.0.1", from source: String? = nil, receiveBuffer: Int32? = nil
    ) throws {
        descriptor = socket(host.contains(":") ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // No test waits for ever.
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        // Small pieces go out as they are.
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        if let source { try Self.call("bind", source, 0) { bind(descriptor, $0, $1) } }
        try Self.call("connect", host, port) { connect(descriptor, $0, $1) }
    }

    /// - Parameter path: of a Unix socket.
    public init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let size = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < size else { throw TestFailure("'\(path)' is too long for a Unix socket") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw TestFailure("connect \(path): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    private static func call(
        _ name: String, _ host: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        func check<Address>(_ address: Address) throws {
            let result = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
            }
            guard result == 0 else { throw TestFailure("\(name) \(host): \(String(cString: strerror(errno)))") }
        }
        if host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(port).bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            try check(address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            try check(address)
        }
    }

    /// - Returns: whether the system took all of it.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
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

    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Has the connection reset when this is forgotten, instead of ended.
    public func resetAtEnd() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    public enum Ending: Equatable, Sendable {
        case orderly, reset, timeOut
    }

    public enum Receipt: Equatable, Sendable {
        case bytes([UInt8])
        case ended(Ending)
    }

    /// Whether something comes to be received, the end included.
    public func hasSomething() -> Bool {
        if hasSomething(within: Int32(Patience.seconds * 1_000)) { return true }
        Patience.waitedInVain()
        return false
    }

    /// Whether there is something to receive, the end included.
    public func hasSomething(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    /// The next bytes; `timeOut` if none come.
    ///
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - milliseconds: how long it waits; as long as there is ``Patience`` if that is not said.
    public func receive(_ limit: Int = 65_536, within milliseconds: Int32? = nil) -> Receipt {
        guard milliseconds.map({ hasSomething(within: $0) }) ?? hasSomething() else { return .ended(.timeOut) }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return .ended(count == 0 ? .orderly : errno == EAGAIN ? .timeOut : .reset)
    }

    /// All bytes until the peer ends the stream, and how it did.
    public func receiveAll() -> (bytes: [UInt8], ending: Ending) {
        var all: [UInt8] = []
        while true {
            switch receive() {
            case .bytes(let bytes): all += bytes
            case .ended(let ending): return (all, ending)
            }
        }
    }
}

internal import CLinux
internal import Glibc
package import SystemSupport

/// The system calls on a connected socket: interrupted ones repeated, "would block" as a value.
package enum Socket {
    package enum Outcome: Sendable {
        /// The number of bytes, at least one.
        case bytes(Int)
        case wouldBlock
        /// The peer sends no more.
        case endOfStream
        /// The connection is gone.
        case failed
    }

    package static func receive(_ descriptor: Int32, into bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Outcome {
        while true {
            let result = recv(descriptor, bytes, count, 0)
            if result > 0 { return .bytes(result) }
            if result == 0 { return .endOfStream }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed
        }
    }

    package static func send(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, count: Int) -> Outcome {
        while true {
            let result = Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
            if result >= 0 { return .bytes(result) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed
        }
    }

    /// Sends the end of the stream; receiving goes on.
    package static func endSending(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the socket, and throws away what the peer has not taken; otherwise the system keeps it for as long as the
    /// peer likes.
    package static func reset(_ descriptor: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    package static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}

/// A client for one question to a listener of this machine.
package enum LocalClient {
    /// Sends a request, and returns what comes back until the other side ends the stream.
    ///
    /// - Parameters:
    ///   - milliseconds: for all of it.
    ///   - limit: bytes beyond it are not waited for.
    /// - Throws: why there is no connection, or that the answer takes too long.
    package static func ask(
        _ request: [UInt8], at address: BoundAddress, within milliseconds: Int, limit: Int
    ) throws(SystemError) -> [UInt8] {
        let deadline = Clock.monotonicMilliseconds() + Int64(milliseconds)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family(of: address), type, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket") }
        defer { close(descriptor) }
        try connect(descriptor, to: address, until: deadline)
        var unsent = request[...]
        while !unsent.isEmpty {
            let outcome = unsent.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { Socket.send(descriptor, $0, count: bytes.count) } ?? .failed
            }
            switch outcome {
            case .bytes(let count): unsent = unsent.dropFirst(count)
            case .wouldBlock: try wait(for: POLLOUT, on: descriptor, until: deadline)
            case .endOfStream, .failed: throw SystemError(call: "send")
            }
        }
        return try receive(descriptor, until: deadline, limit: limit)
    }

    private static func family(of address: BoundAddress) -> Int32 {
        switch address {
        case .internet(let address): address.isIPv6 ? AF_INET6 : AF_INET
        case .unix: AF_UNIX
        }
    }

    private static func connect(
        _ descriptor: Int32, to address: BoundAddress, until deadline: Int64
    ) throws(SystemError) {
        let result: Int32
        switch address {
        case .internet(let address): result = address.withSystemAddress { Glibc.connect(descriptor, $0, $1) }
        case .unix(let path):
            guard let address = UnixSocketAddress(path.text) else {
                throw SystemError(call: "connect", number: ENAMETOOLONG)
            }
            result = address.withSystemAddress { Glibc.connect(descriptor, $0, $1) }
        }
        if result == 0 { return }
        guard errno == EINPROGRESS else { throw SystemError(call: "connect") }
        try wait(for: POLLOUT, on: descriptor, until: deadline)
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else {
            throw SystemError(call: "getsockopt")
        }
        if number != 0 { throw SystemError(call: "connect", number: number) }
    }

    private static func receive(
        _ descriptor: Int32, until deadline: Int64, limit: Int
    ) throws(SystemError) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while answer.count < limit {
            let outcome = buffer.withUnsafeMutableBufferPointer { bytes in
                bytes.baseAddress.map { Socket.receive(descriptor, into: $0, count: bytes.count) } ?? .failed
            }
            switch outcome {
            case .bytes(let count): answer += buffer[..<count]
            case .wouldBlock: try wait(for: POLLIN, on: descriptor, until: deadline)
            case .endOfStream: return answer
            case .failed: throw SystemError(call: "recv")
            }
            // A peer that sends a little again and again never makes it wait.
            guard Clock.monotonicMilliseconds() < deadline else { throw timeout }
        }
        return Array(answer.prefix(limit))
    }

    private static func wait(for event: Int32, on descriptor: Int32, until deadline: Int64) throws(SystemError) {
        while true {
            let left = deadline - Clock.monotonicMilliseconds()
            guard left > 0 else { throw timeout }
            var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let count = poll(&waiting, 1, Int32(clamping: left))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw SystemError(call: "poll") }
        }
    }

    private static var timeout: SystemError { SystemError(call: "poll", number: ETIMEDOUT) }
}

internal import CLinux
internal import Glibc

/// The system calls on a connected socket: interrupted ones repeated, "would block" as a value.
package enum Socket {
    package enum Outcome: Sendable {
        /// So many bytes, at least one.
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

import Glibc

/// A TCP client that sends and receives bytes as a test wants it.
public final class RawSocket {
    private let descriptor: Int32

    /// - Parameter receiveBuffer: the size of the kernel's buffer, for a client that takes little.
    public init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // No test waits for ever.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw TestFailure("connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    public func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    public func send(_ text: String) { send(Array(text.utf8)) }
    public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    public enum Ending: Equatable, Sendable {
        case orderly, reset, timeOut
    }

    /// All bytes until the peer ends the stream, and how it did.
    public func receiveAll() -> (bytes: [UInt8], ending: Ending) {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                all += buffer[..<count]
            } else if count == 0 {
                return (all, .orderly)
            } else {
                return (all, errno == EAGAIN ? .timeOut : .reset)
            }
        }
    }
}

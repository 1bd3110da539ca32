import Glibc

/// A Unix datagram socket, as a service manager has it for what its services tell.
public final class DatagramReceiver: Sendable {
    /// The value for `NOTIFY_SOCKET`.
    public let name: String
    private let descriptor: Int32

    /// - Parameter name: the path of the socket that is made, or the name of an abstract one behind an `@`.
    public init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: name.utf8.prefix($0.count))
            if name.hasPrefix("@") { $0[0] = 0 }
        }
        let length = MemoryLayout<sa_family_t>.size + name.utf8.count
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
        }
        guard result == 0 else { throw TestFailure("bind: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// The next message; `nil` if none comes in time.
    public func next(withinMilliseconds milliseconds: Int32 = 20_000) -> String? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The next message that has this line; others are forgotten.
    public func next(with line: String) -> String? {
        while let message = next() {
            if message.split(separator: "\n").contains(Substring(line)) { return message }
        }
        return nil
    }
}

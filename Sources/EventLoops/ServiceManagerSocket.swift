internal import CLinux
internal import Glibc
internal import SystemSupport

/// The datagram socket at which a service manager listens.
final class ServiceManagerSocket: Sendable {
    /// No message waits longer for a manager that does not read.
    private static let patienceSeconds = 1

    // Made once: when descriptors have run out, there has to be one for signs of life.
    private let descriptor: Int32
    private let address: sockaddr_un
    private let addressLength: socklen_t

    /// - Parameter name: a path, or the name of an abstract socket behind an `@` (unix(7)).
    init(_ name: String) throws(SystemError) {
        let isAbstract = name.hasPrefix("@")
        guard isAbstract || name.hasPrefix("/") else {
            throw SystemError(
                call: "sendto", number: EINVAL, reason: "neither an absolute path nor a name behind an '@'")
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        let isTooLong = withUnsafeMutableBytes(of: &address.sun_path) { path in
            // A path ends with a NUL; an abstract name begins with one.
            guard bytes.count <= path.count - (isAbstract ? 0 : 1) else { return true }
            path.copyBytes(from: bytes)
            if isAbstract { path[0] = 0 }
            return false
        }
        if isTooLong { throw SystemError(call: "sendto", number: ENAMETOOLONG) }
        self.address = address
        let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        addressLength = socklen_t(pathOffset + bytes.count + (isAbstract ? 0 : 1))
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket") }
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws(SystemError) {
        var bytes = Array(text.utf8)
        var address = address
        while true {
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, addressLength)
                }
            }
            if result >= 0 { return }
            guard errno == EINTR else { throw SystemError(call: "sendto") }
        }
    }
}

internal import CLinux
internal import Glibc
package import SystemSupport

extension Listener {
    /// Takes over a listening socket that somebody else has bound, and sets it up like an own one.
    ///
    /// - Throws: what is wrong with the descriptor, which is left as it is then.
    package convenience init(adopting descriptor: Int32) throws(SystemError) {
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0 else { throw SystemError(call: "fcntl", reason: "it is not open") }
        let type = try Self.option(SO_TYPE, of: descriptor)
        let family = try Self.option(SO_DOMAIN, of: descriptor)
        guard family == AF_INET || family == AF_INET6 else {
            throw SystemError(
                call: "getsockopt", number: EAFNOSUPPORT,
                reason: "it is a socket of another family; expected IPv4 or IPv6")
        }
        guard type == Int32(SOCK_STREAM.rawValue) else {
            throw SystemError(
                call: "getsockopt", number: ESOCKTNOSUPPORT,
                reason: "it is no stream socket; expected 'ListenStream=' in its unit")
        }
        guard try Self.option(SO_ACCEPTCONN, of: descriptor) != 0 else {
            throw SystemError(
                call: "getsockopt", number: EINVAL,
                reason: "it does not listen; a unit with 'Accept=yes' hands over connections, expected 'Accept=no'")
        }
        guard let address = SocketAddress(boundTo: descriptor) else { throw SystemError(call: "getsockname") }
        let status = fcntl(descriptor, F_GETFL)
        guard fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0, status >= 0,
            fcntl(descriptor, F_SETFL, status | O_NONBLOCK) == 0
        else { throw SystemError(call: "fcntl") }
        Self.setTCPOptions(descriptor)
        self.init(listening: descriptor, address)
    }

    private static func option(_ name: Int32, of descriptor: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 else {
            throw SystemError(call: "getsockopt", reason: errno == ENOTSOCK ? "it is no socket" : nil)
        }
        return value
    }
}

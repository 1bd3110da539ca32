internal import CLinux
internal import Glibc
package import SystemSupport

/// A listening TCP socket, shared by the loops.
package final class Listener: Sendable {
    package enum Acceptance: Sendable {
        case connection(descriptor: Int32, peer: PeerAddress)
        /// Nobody waits.
        case none
        /// The process or the machine is out of descriptors or memory.
        case exhausted(SystemError)
    }

    package let descriptor: Int32
    /// With the port that the system chose where 0 was asked for.
    package let address: SocketAddress

    /// A connection that says nothing for this many seconds is handed over all the same.
    private static let deferSeconds: Int32 = 5
    private static let backlog: Int32 = 4_096
    /// So many bytes wait in the system for a client that does not take them, instead of megabytes; and a client that
    /// takes half of them has shown that it does.
    private static let mostUnsent: Int32 = 131_072

    /// Binds and listens.
    package init(_ address: SocketAddress) throws(SystemError) {
        let family = address.isIPv6 ? AF_INET6 : AF_INET
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket") }
        Self.set(Int(SOL_SOCKET), SO_REUSEADDR, 1, of: descriptor)
        Self.setTCPOptions(descriptor)
        if address.isIPv6 { Self.set(Int(IPPROTO_IPV6), IPV6_V6ONLY, 1, of: descriptor) }
        guard address.withSystemAddress({ bind(descriptor, $0, $1) }) == 0 else {
            throw Self.failure("bind", closing: descriptor)
        }
        guard listen(descriptor, Self.backlog) == 0, let bound = SocketAddress(boundTo: descriptor) else {
            throw Self.failure("listen", closing: descriptor)
        }
        self.descriptor = descriptor
        self.address = bound
    }

    /// Takes over a socket that listens and does not block.
    init(listening descriptor: Int32, _ address: SocketAddress) {
        self.descriptor = descriptor
        self.address = address
    }

    deinit { close(descriptor) }

    static func setTCPOptions(_ descriptor: Int32) {
        // Accepted sockets inherit it: small answers go out at once.
        set(Int(IPPROTO_TCP), TCP_NODELAY, 1, of: descriptor)
        set(Int(IPPROTO_TCP), TCP_DEFER_ACCEPT, deferSeconds, of: descriptor)
        set(Int(IPPROTO_TCP), TCP_NOTSENT_LOWAT, mostUnsent, of: descriptor)
    }

    private static func set(_ level: Int, _ option: Int32, _ value: Int32, of descriptor: Int32) {
        var value = value
        setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func failure(_ call: String, closing descriptor: Int32) -> SystemError {
        let error = SystemError(call: call)
        close(descriptor)
        return error
    }

    /// Takes the next connection; its socket does not block.
    package func accept() -> Acceptance {
        var storage = sockaddr_storage()
        while true {
            let accepted = c_accept_nonblocking(descriptor, &storage)
            if accepted >= 0 { return .connection(descriptor: accepted, peer: PeerAddress(storage)) }
            switch errno {
            case EAGAIN: return .none
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(SystemError(call: "accept"))
            // The connection, and not the listener, is at fault (accept(2)): the next one may be well.
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
                ENETUNREACH, EPERM:
                continue
            default: return .none
            }
        }
    }
}

extension SystemError {
    package var isAddressInUse: Bool { number == EADDRINUSE }
    package var isPermissionDenied: Bool { number == EACCES || number == EPERM }
    /// A port that needs no right cannot be bound, or not even a socket made: a filter of the service manager forbids it.
    package func isForbiddenByUnit(_ address: SocketAddress) -> Bool {
        number == EAFNOSUPPORT && !address.isIPv6 || isPermissionDenied && address.port >= 1_024
    }
    /// The address is not one of this machine, or its family is switched off.
    package var isAddressUnavailable: Bool { number == EADDRNOTAVAIL || number == EAFNOSUPPORT }
}

internal import CLinux
package import DomainNames
internal import Glibc
package import SystemSupport

/// A listening socket of TCP or of the family AF_UNIX, shared by the loops.
package final class Listener: Sendable {
    package enum Acceptance: Sendable {
        /// - Parameter peer: `nil` on a Unix socket.
        case connection(descriptor: Int32, peer: IPAddress?)
        /// No client waits.
        case none
        /// The process or the machine is out of descriptors or memory.
        case exhausted(SystemError)
    }

    package let descriptor: Int32
    /// The address, with the port that the system chose where 0 was asked for.
    package let address: BoundAddress
    /// The file of a Unix socket that this process has made. It is removed with the listener, or earlier.
    package let file: UnixSocketFile?
    /// Whether a stale socket had its path.
    package let replacesStaleSocket: Bool

    /// A connection that sends nothing for this many seconds is accepted all the same.
    private static let deferSeconds: Int32 = 5
    private static let backlog: Int32 = 4_096
    /// The most bytes that wait in the system for a client that does not read, instead of megabytes; a client that
    /// reads half of them makes progress.
    private static let maxUnsent: Int32 = 131_072

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
        guard listen(descriptor, Self.backlog) == 0, let bound = BoundAddress(boundTo: descriptor) else {
            throw Self.failure("listen", closing: descriptor)
        }
        self.descriptor = descriptor
        self.address = bound
        file = nil
        replacesStaleSocket = false
    }

    /// Makes a Unix socket that listens; one that is stale is replaced.
    package init(_ path: UnixSocketPath, _ access: UnixSocketAccess) throws(UnixSocketError) {
        let made = try UnixSocketFile.make(path.text, access, backlog: Self.backlog)
        descriptor = made.descriptor
        address = .unix(path)
        file = made.file
        replacesStaleSocket = made.replacesStaleSocket
    }

    /// Adopts a listening socket that another process has bound, and sets it up like its own.
    ///
    /// - Throws: what is wrong with the descriptor, which is left as it is then.
    package init(adopting descriptor: Int32) throws(SystemError) {
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0 else { throw SystemError(call: "fcntl", reason: "it is not open") }
        let type = try Self.option(SO_TYPE, of: descriptor)
        let family = try Self.option(SO_DOMAIN, of: descriptor)
        guard family == AF_INET || family == AF_INET6 || family == AF_UNIX else {
            throw SystemError(
                call: "getsockopt", number: EAFNOSUPPORT,
                reason: "it is a socket of another family; expected IPv4, IPv6 or Unix")
        }
        guard type == Int32(SOCK_STREAM.rawValue) else {
            throw SystemError(
                call: "getsockopt", number: ESOCKTNOSUPPORT,
                reason: "it is not a stream socket; expected 'ListenStream=' in its unit")
        }
        guard try Self.option(SO_ACCEPTCONN, of: descriptor) != 0 else {
            throw SystemError(
                call: "getsockopt", number: EINVAL,
                reason: "it does not listen; a unit with 'Accept=yes' hands over connections, expected 'Accept=no'")
        }
        guard let address = BoundAddress(boundTo: descriptor) else {
            throw SystemError(
                call: "getsockname", number: EADDRNOTAVAIL,
                reason: "it is a Unix socket without an absolute path; expected an absolute path in 'ListenStream='")
        }
        let status = fcntl(descriptor, F_GETFL)
        guard fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0, status >= 0,
            fcntl(descriptor, F_SETFL, status | O_NONBLOCK) == 0
        else { throw SystemError(call: "fcntl") }
        if family != AF_UNIX { Self.setTCPOptions(descriptor) }
        self.descriptor = descriptor
        self.address = address
        // Its maker removes it.
        file = nil
        replacesStaleSocket = false
    }

    deinit {
        file?.remove()
        close(descriptor)
    }

    private static func setTCPOptions(_ descriptor: Int32) {
        // Accepted sockets inherit it: small answers go out at once.
        set(Int(IPPROTO_TCP), TCP_NODELAY, 1, of: descriptor)
        set(Int(IPPROTO_TCP), TCP_DEFER_ACCEPT, deferSeconds, of: descriptor)
        set(Int(IPPROTO_TCP), TCP_NOTSENT_LOWAT, maxUnsent, of: descriptor)
    }

    private static func set(_ level: Int, _ option: Int32, _ value: Int32, of descriptor: Int32) {
        var value = value
        setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func option(_ name: Int32, of descriptor: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 else {
            throw SystemError(call: "getsockopt", reason: errno == ENOTSOCK ? "it is not a socket" : nil)
        }
        return value
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
            if accepted >= 0 {
                let peer = Int32(storage.ss_family) == AF_UNIX ? nil : IPAddress(storage)
                return .connection(descriptor: accepted, peer: peer)
            }
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
    package var isTimeout: Bool { number == ETIMEDOUT }
    package var isReadOnlyFileSystem: Bool { number == EROFS }
    package var isPermissionDenied: Bool { number == EACCES || number == EPERM }
    /// A port that needs no right cannot be bound, or not even a socket made: a filter of the service manager forbids it.
    package func isForbiddenByUnit(_ address: SocketAddress) -> Bool {
        number == EAFNOSUPPORT && !address.isIPv6 || isPermissionDenied && address.port >= 1_024
    }
    /// The address is not one of this machine, or its family is switched off.
    package var isAddressUnavailable: Bool { number == EADDRNOTAVAIL || number == EAFNOSUPPORT }
}

/// The listening sockets that a service manager has bound, by what they are for.
package struct InheritedListeners: Sendable {
    private static let firstDescriptor: Int32 = 3

    /// The purpose of a socket, as its name says (`FileDescriptorName=` of systemd.socket(5)).
    package enum Purpose: String, CaseIterable, Sendable {
        case https, http
        /// HTTPS, each connection of which begins with a PROXY header.
        case httpsProxy = "https-proxy"
        /// Plain HTTP, each connection of which begins with a PROXY header.
        case httpProxy = "http-proxy"
        case admin

        fileprivate var isHTTPS: Bool { self == .https || self == .httpsProxy }
    }

    /// A socket that sites are served on.
    package struct Serving: Sendable {
        package let listener: Listener
        /// Not `admin`.
        package let purpose: Purpose

        package init(_ listener: Listener, _ purpose: Purpose) {
            self.listener = listener
            self.purpose = purpose
        }
    }

    /// All but the one for the admin; those without a name that means something are for HTTPS.
    package let serving: [Serving]
    package let admin: Listener?

    /// None, unless some are given.
    package init(serving: [Serving] = [], admin: Listener? = nil) {
        self.serving = serving
        self.admin = admin
    }

    /// Takes over what was handed over: call it once.
    ///
    /// - Throws: the first descriptor that is not a listening socket of the family that it needs, or a second `admin`.
    package init(_ environment: ServiceManagerEnvironment) throws(ServiceManagerError) {
        var serving: [Serving] = []
        var admin: Listener?
        for index in 0..<environment.socketCount {
            let (descriptor, overflow) = Self.firstDescriptor.addingReportingOverflow(Int32(clamping: index))
            let name = environment.socketName(index)
            let shown = name.isEmpty ? "" : " ('\(name.prefix(60))')"
            let listener: Listener
            do throws(SystemError) {
                listener = try Listener(adopting: overflow ? -1 : descriptor)
            } catch {
                throw ServiceManagerError(
                    "cannot use descriptor \(descriptor)\(shown) of the service manager: \(error.reason)")
            }
            let purpose = Purpose(rawValue: name) ?? .https
            if purpose.isHTTPS, case .unix = listener.address {
                throw ServiceManagerError(
                    """
                    cannot use descriptor \(descriptor)\(shown) of the service manager: it is a Unix socket, and HTTPS \
                    needs TCP; expected 'FileDescriptorName=http' in its unit
                    """)
            }
            if purpose != .admin {
                serving.append(Serving(listener, purpose))
            } else if admin == nil {
                admin = listener
            } else {
                throw ServiceManagerError("the service manager has two sockets named 'admin'; expected one")
            }
        }
        self.serving = serving
        self.admin = admin
    }
}

internal import CLinux
internal import Glibc
internal import SystemSupport

/// The path of a Unix socket: absolute, and short enough for the system (unix(7)).
package struct UnixSocketPath: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes that an address has room for, without the NUL at its end.
    package static let longest = 107

    /// Why a text is not the path of a Unix socket.
    package enum Problem: Error, Equatable, Sendable {
        case empty
        case relative
        /// It begins with an `@`, as people write names that are not in the file system.
        case abstract
        /// It can only be that of a folder.
        case folder
        case containsNUL
        /// The number of its bytes.
        case tooLong(Int)
    }

    /// Without what makes no difference: repeated slashes, and `.`.
    package let text: String

    package init(_ text: String) throws(Problem) {
        guard !text.isEmpty else { throw .empty }
        guard !text.utf8.contains(0) else { throw .containsNUL }
        guard !text.hasPrefix("@") else { throw .abstract }
        guard text.hasPrefix("/") else { throw .relative }
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = names.last, !["", ".", ".."].contains(last) else { throw .folder }
        let path = "/" + names.filter { !$0.isEmpty && $0 != "." }.joined(separator: "/")
        guard path.utf8.count <= Self.longest else { throw .tooLong(path.utf8.count) }
        self.text = path
    }

    /// As it is written where it could be an IP address.
    package var description: String { "unix:\(text)" }
}

/// Where a listener can be reached.
package enum BoundAddress: Equatable, Sendable, CustomStringConvertible {
    case internet(SocketAddress)
    case unix(UnixSocketPath)

    /// Whether only this machine can reach it.
    package var isLocal: Bool {
        switch self {
        case .internet(let address): address.isLoopback
        case .unix: true
        }
    }

    /// `nil` for a Unix socket.
    package var port: UInt16? {
        switch self {
        case .internet(let address): address.port
        case .unix: nil
        }
    }

    package var description: String {
        switch self {
        case .internet(let address): address.description
        case .unix(let path): path.description
        }
    }

    /// The address that a socket is bound to; `nil` if it is bound to none, or to one of another kind.
    init?(boundTo descriptor: Int32) {
        if let address = SocketAddress(boundTo: descriptor) {
            self = .internet(address)
            return
        }
        guard let path = UnixSocketAddress.path(boundTo: descriptor) else { return nil }
        do throws(UnixSocketPath.Problem) { self = .unix(try UnixSocketPath(path)) } catch { return nil }
    }
}

/// An address of a Unix socket as the system wants it.
struct UnixSocketAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// - Parameter name: a path, or the name of an abstract socket after an `@`.
    /// - Returns: `nil` if it is too long.
    init?(_ name: String, isAbstract: Bool = false) {
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        // A path ends with a NUL; an abstract name begins with one, and needs none at its end.
        let end = isAbstract ? 0 : 1
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { path in
            guard bytes.count + end <= path.count else { return false }
            path.copyBytes(from: bytes)
            if isAbstract { path[0] = 0 }
            return true
        }
        guard fits else { return nil }
        length = socklen_t(Self.pathOffset + bytes.count + end)
    }

    private static let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size

    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The path that a socket is bound to; `nil` if it is not a Unix socket, or has an abstract name or none.
    static func path(boundTo descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, Int32(address.sun_family) == AF_UNIX, Int(length) > pathOffset else { return nil }
        let count = min(Int(length), MemoryLayout<sockaddr_un>.size) - pathOffset
        let path = withUnsafeBytes(of: address.sun_path) { Array($0.prefix(count).prefix { $0 != 0 }) }
        return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
    }
}

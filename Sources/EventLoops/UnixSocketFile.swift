internal import BoundedText
internal import CLinux
internal import Glibc
package import SystemSupport

/// The right to connect to a Unix socket: its mode and owners as a file.
package struct UnixSocketAccess: Equatable, Sendable {
    /// Permission bits.
    package let mode: UInt16
    /// The name or the number of a user; `nil` is the one that makes the socket.
    package let owner: String?
    /// The name or the number of a group; `nil` is that of the folder or of the process, as for any file.
    package let group: String?

    package init(mode: UInt16, owner: String? = nil, group: String? = nil) {
        self.mode = mode
        self.owner = owner
        self.group = group
    }
}

/// Why a Unix socket cannot be listened on.
package enum UnixSocketError: Error, Equatable, Sendable {
    /// Another process answers there.
    case inUse
    /// Something else has the path; it was left as it is.
    case occupied(FileStatus.Kind)
    /// The folder of the socket is not there.
    case missingFolder(String)
    case unknownOwner(String)
    case unknownGroup(String)
    /// The socket cannot be given to its owner or group.
    case ownerRefused(SystemError)
    case failed(SystemError)
}

/// The file of a Unix socket that this process has made.
package struct UnixSocketFile: Equatable, Sendable {
    package let path: String
    /// Another one at the path is another socket.
    private let inode: Inode

    /// Removes the file, unless another one has taken its path.
    ///
    /// Call it while the socket is open: until then no other file has its number.
    package func remove() {
        guard FileStatus(at: path, followsLink: false)?.stamp.inode == inode else { return }
        unlink(path)
    }
}

extension UnixSocketFile {
    private static let namesTried = 8
    private static let takeovers = 3

    /// Makes a socket that listens, and its file.
    ///
    /// The file is made under another name in the same folder, and renamed once the socket listens: no client can connect
    /// to it with other permissions than those that it is to have, and a stale socket is replaced at once.
    ///
    /// - Returns: whether there was a stale socket, too.
    static func make(
        _ path: String, _ access: UnixSocketAccess, backlog: Int32
    ) throws(UnixSocketError) -> (descriptor: Int32, file: UnixSocketFile, replacesStaleSocket: Bool) {
        let owner = try access.owner.map { name throws(UnixSocketError) in try SystemAccount.user(name) }
        let group = try access.group.map { name throws(UnixSocketError) in try SystemAccount.group(name) }
        let isStale = try isStale(path)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .failed(SystemError(call: "socket")) }
        var temporary: String?
        do throws(UnixSocketError) {
            let name = try bind(descriptor, in: Path.folder(of: path))
            temporary = name
            // No client can connect yet. A new owner takes bits of the mode away, so that the mode comes after it.
            if owner != nil || group != nil, lchown(name, owner ?? .max, group ?? .max) != 0 {
                throw .ownerRefused(SystemError(call: "chown"))
            }
            guard chmod(name, mode_t(access.mode)) == 0 else { throw .failed(SystemError(call: "chmod")) }
            guard let inode = FileStatus(at: name, followsLink: false)?.stamp.inode else {
                throw .failed(SystemError(call: "stat"))
            }
            guard listen(descriptor, backlog) == 0 else { throw .failed(SystemError(call: "listen")) }
            let replacesStaleSocket = try publish(name, as: path, replacing: isStale)
            return (descriptor, UnixSocketFile(path: path, inode: inode), replacesStaleSocket)
        } catch {
            if let temporary { unlink(temporary) }
            close(descriptor)
            throw error
        }
    }

    /// Whether there is a socket on which no process listens; `false` if there is nothing.
    private static func isStale(_ path: String) throws(UnixSocketError) -> Bool {
        guard let status = FileStatus(at: path, followsLink: false) else {
            let error = SystemError(call: "stat")
            let folder = Path.folder(of: path)
            guard error.number == ENOENT else { throw .failed(error) }
            guard Path.exists(folder) else { throw .missingFolder(folder) }
            return false
        }
        guard status.kind == .socket else { throw .occupied(status.kind) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let client = socket(AF_UNIX, type, 0)
        guard client >= 0 else { throw .failed(SystemError(call: "socket")) }
        defer { close(client) }
        guard let address = UnixSocketAddress(path) else {
            throw .failed(SystemError(call: "connect", number: ENAMETOOLONG))
        }
        if address.withSystemAddress({ connect(client, $0, $1) }) == 0 { throw .inUse }
        let error = SystemError(call: "connect")
        switch error.number {
        case ECONNREFUSED: return true
        // Gone meanwhile.
        case ENOENT: return false
        // Its backlog is full, or it takes datagrams.
        case EAGAIN, EINPROGRESS, EPROTOTYPE: throw .inUse
        case EACCES, EPERM:
            let reason = "the socket of another user is there, and may be in use (\(error.reason))"
            throw .failed(SystemError(call: error.call, number: error.number, reason: reason))
        default: throw .failed(error)
        }
    }

    /// Binds a socket to a name of its own in a folder; returns its path.
    private static func bind(_ descriptor: Int32, in folder: String) throws(UnixSocketError) -> String {
        for _ in 0..<namesTried {
            let name = ".aasa-\(String(UInt32.random(in: .min ... .max), radix: 36))"
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            if try bind(descriptor, to: path, name, in: folder) { return path }
        }
        throw .failed(SystemError(call: "bind", number: EADDRINUSE))
    }

    /// - Returns: `false` if there is a file of that name.
    private static func bind(
        _ descriptor: Int32, to path: String, _ name: String, in folder: String
    ) throws(UnixSocketError) -> Bool {
        var address = UnixSocketAddress(path)
        var handle: Int32 = -1
        defer { if handle >= 0 { close(handle) } }
        if address == nil {
            // The name is longer than the one that it will have, and there is a limit.
            handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard handle >= 0 else { throw .failed(SystemError(call: "open")) }
            address = UnixSocketAddress("/proc/self/fd/\(handle)/\(name)")
        }
        guard let address else { throw .failed(SystemError(call: "bind", number: ENAMETOOLONG)) }
        guard address.withSystemAddress({ Glibc.bind(descriptor, $0, $1) }) != 0 else { return true }
        let error = SystemError(call: "bind")
        switch error.number {
        case EADDRINUSE: return false
        case ENOENT where !Path.exists(folder): throw .missingFolder(folder)
        default: throw .failed(error)
        }
    }

    /// Gives the file its name.
    ///
    /// - Parameter isStale: whether a stale socket had that name when it was looked at.
    /// - Returns: whether a stale socket was replaced.
    private static func publish(
        _ temporary: String, as path: String, replacing isStale: Bool
    ) throws(UnixSocketError) -> Bool {
        var isStale = isStale
        for _ in 0..<takeovers {
            if c_rename(temporary, path, isStale ? 1 : 0) == 0 { return isStale }
            guard errno == EEXIST else { throw .failed(SystemError(call: "rename")) }
            // Another process was quicker.
            isStale = try Self.isStale(path)
        }
        throw .inUse
    }
}

/// Numbers of users and groups.
private enum SystemAccount {
    private static let longestRecord = 1 << 20

    static func user(_ name: String) throws(UnixSocketError) -> uid_t {
        if let number = UInt32(name) { return number }
        var record = passwd()
        let isFound = find { buffer, count in
            var found: UnsafeMutablePointer<passwd>?
            let result = getpwnam_r(name, &record, buffer, count, &found)
            return (result, found != nil)
        }
        guard isFound else { throw .unknownOwner(name) }
        return record.pw_uid
    }

    static func group(_ name: String) throws(UnixSocketError) -> gid_t {
        if let number = UInt32(name) { return number }
        var record = Glibc.group()
        let isFound = find { buffer, count in
            var found: UnsafeMutablePointer<Glibc.group>?
            let result = getgrnam_r(name, &record, buffer, count, &found)
            return (result, found != nil)
        }
        guard isFound else { throw .unknownGroup(name) }
        return record.gr_gid
    }

    /// Looks something up with more and more room for it.
    private static func find(
        _ look: (UnsafeMutablePointer<CChar>, Int) -> (result: Int32, isFound: Bool)
    ) -> Bool {
        var count = 1 << 12
        while count <= longestRecord {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: count)
            defer { buffer.deallocate() }
            let outcome = look(buffer, count)
            if outcome.result != ERANGE { return outcome.result == 0 && outcome.isFound }
            count *= 2
        }
        return false
    }
}

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

    /// The path without repeated slashes and `.`, which make no difference.
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

    /// The path after `unix:`, as it is written where it could be an IP address.
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
        return path.isEmpty ? nil : String(text: path)
    }
}

import Glibc

/// A socket that a test has bound, as a service manager does.
public final class BoundSocket: Sendable {
    public let descriptor: Int32
    /// The port of IPv4 and IPv6 sockets.
    public let port: Int

    /// - Parameters:
    ///   - everyAddress: whether it is bound to all addresses and not to the loopback address.
    ///   - isStream: whether it is one of TCP and not of UDP.
    ///   - isListening: whether clients can connect to it.
    public init(
        ipv6: Bool = false, everyAddress: Bool = false, isStream: Bool = true, isListening: Bool = true
    ) throws {
        let type = Int32((isStream ? SOCK_STREAM : SOCK_DGRAM).rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(ipv6 ? AF_INET6 : AF_INET, type, 0)
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw TestFailure("socket: \(String(cString: strerror(errno)))") }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            if ipv6 {
                storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    $0.pointee.sin6_family = sa_family_t(AF_INET6)
                    if !everyAddress { $0.pointee.sin6_addr = in6addr_loopback }
                }
            } else {
                storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    $0.pointee.sin_family = sa_family_t(AF_INET)
                    if !everyAddress { $0.pointee.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian }
                }
            }
            return storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let size = ipv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
                guard bind(descriptor, $0, socklen_t(size)) == 0 else { return Int32(-1) }
                return getsockname(descriptor, $0, &length)
            }
        }
        // The port stands at the same place in both families.
        port = withUnsafeBytes(of: storage) {
            Int(UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
        guard result == 0, !isListening || !isStream || listen(descriptor, 128) == 0 else {
            throw TestFailure("bind or listen: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }
}

import Foundation
import Glibc
import SystemSupport

/// TCP ports of 127.0.0.1 for servers that take a number only.
///
/// They are below those that the system hands out to clients and for port 0, so that nobody else gets one between the moment
/// that it is found free and the moment that the server binds it; within the tests no number is given out twice.
public enum FreePort {
    private static let range = 16_384..<32_768
    /// Runs of the tests at the same time begin at different numbers.
    private static let next = Locked(Int(getpid()) * 97 % range.count)

    public static func reserve() throws -> Int {
        for _ in range {
            let offset = next.withLock { next in
                defer { next = (next + 1) % range.count }
                return next
            }
            let port = range.lowerBound + offset
            if isFree(port) { return port }
        }
        throw TestFailure("no port is free")
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // As servers do: connections that have ended are not in the way.
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 1) == 0
            }
        }
    }
}

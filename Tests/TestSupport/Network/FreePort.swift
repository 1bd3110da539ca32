import Foundation
import Glibc
import SystemSupport

/// TCP ports of 127.0.0.1 for servers that take a number only.
///
/// They are below those that the system hands out to clients and for port 0, so that nobody else gets one between the moment
/// that it is found free and the moment that the server binds it. No number is given out twice, also not by another run of
/// the tests at the same time: a port may be in use at another address, or only from time to time.
public enum FreePort {
    private static let range = 16_384..<32_768
    private static let blockSize = 64
    private static let blocks = range.count / blockSize
    private static let state = Locked(State())

    private struct State {
        /// The rest of the block that is being given out.
        var rest: Range<Int> = 0..<0
        /// The number of blocks that this process has tried to get.
        var tried = 0
    }

    public static func reserve() throws -> Int {
        try state.withLock { state in
            while true {
                while let port = state.rest.popFirst() {
                    if isFree(port) { return port }
                }
                guard state.tried < blocks else { throw TestFailure("no port is free") }
                // Runs at the same time begin at different blocks.
                let block = (Int(getpid()) * 7 + state.tried) % blocks
                state.tried += 1
                let start = range.lowerBound + block * blockSize
                guard takeBlock(of: start) else { continue }
                state.rest = start..<start + blockSize
            }
        }
    }

    /// Makes the block that a port is in this process's own as long as it runs.
    ///
    /// A name of the system stands for it, which one process has at a time and which ends with the process.
    ///
    /// - Returns: `false` if some process, such as this one, has it already.
    package static func takeBlock(of port: Int) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // With a zero in front it is no path.
        let name = [0] + Array("aasa-tests-ports-\((port - range.lowerBound) / blockSize)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let isBound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        if !isBound { close(descriptor) }
        return isBound
    }

    /// Whether no server has a port. The socket that finds out never listens: programs that other tests start at that moment
    /// have it until they run, and would be in the way of the server that gets the port.
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
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

public import Foundation
internal import Glibc

/// Reading and writing that goes on after a signal has interrupted a system call; Foundation's own ends the process, or
/// leaves the rest out.
extension FileHandle {
    /// The next bytes, as soon as there are some; none at the end.
    public func nextData() -> Data {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(fileDescriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return Data(buffer.prefix(count)) }
            guard errno == EINTR else { return Data() }
        }
    }

    /// Writes all bytes, as long as somebody reads them.
    public func writeAll(_ data: Data) {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fileDescriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}

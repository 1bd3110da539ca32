import CommandLineSupport
import Glibc
import OpenSSL
import SystemSupport

/// Reads what may be secret, and leaves no copy of it behind.
enum SecretInput {
    /// Reads to the end, or `limit` bytes and one.
    ///
    /// - Parameter expected: How many bytes there probably are.
    static func read(_ descriptor: Int32, expected: Int = 0, limit: Int) throws(SystemError) -> SecretBytes {
        var capacity = min(max(expected, 4_095), limit) + 1
        var held = SecretBytes([])
        while true {
            var isAtEnd = false
            var failure = SystemError(call: "malloc", number: ENOMEM)
            // A larger buffer takes over what the smaller one has, which is wiped when it goes.
            let next = SecretBytes(capacity: capacity) { buffer in
                let count = held.withBytes { bytes in
                    UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
                    return bytes.count
                }
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                guard let more = FileReader.fill(rest, from: descriptor) else {
                    failure = SystemError(call: "read")
                    return nil
                }
                isAtEnd = more < rest.count
                return count + more
            }
            guard let next else { throw failure }
            if isAtEnd || next.count > limit { return next }
            held = next
            capacity = min(capacity * 4, limit + 1)
        }
    }
}

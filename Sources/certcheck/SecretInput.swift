import CommandLineSupport
import Glibc
import OpenSSL

/// Reads what may be secret, and leaves no copy of it behind.
enum SecretInput {
    /// Reads to the end, or `limit` bytes and one.
    ///
    /// - Parameter expected: How many bytes there probably are.
    static func read(_ descriptor: Int32, expected: Int = 0, limit: Int) throws(SystemFailure) -> SecretBytes {
        var capacity = min(max(expected, 4_095), limit) + 1
        var held = SecretBytes([])
        while true {
            var isAtEnd = false
            var failure = SystemFailure(ENOMEM)
            // A larger buffer takes over what the smaller one has, which is wiped when it goes.
            let next = SecretBytes(capacity: capacity) { buffer in
                var count = held.withBytes { bytes in
                    UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
                    return bytes.count
                }
                while count < buffer.count, !isAtEnd {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                    let more = Glibc.read(descriptor, rest.baseAddress, rest.count)
                    if more >= 0 {
                        count += more
                        isAtEnd = more == 0
                    } else if errno == EAGAIN {
                        waitForInput(descriptor)
                    } else if errno != EINTR {
                        failure = .last
                        return nil
                    }
                }
                return count
            }
            guard let next else { throw failure }
            if isAtEnd || next.count > limit { return next }
            held = next
            capacity = min(capacity * 4, limit + 1)
        }
    }

    /// Somebody else may have made the descriptor one that does not wait.
    private static func waitForInput(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, -1)
    }
}

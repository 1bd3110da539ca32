internal import Glibc

/// Where results go, a buffer at a time.
public struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    private let failure: Int32
    private let remark: String

    /// - Parameters:
    ///   - failure: The exit code of the program if the results cannot be written (default: `ExitStatus.outputFailed`).
    ///   - remark: What else is to be said then.
    public init(failure: Int32? = nil, remark: String = "") {
        self.remark = remark
        self.failure = failure ?? ExitStatus.outputFailed.rawValue
    }

    /// Adds a line.
    public mutating func write(_ line: String) {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= 1 << 16 { flush() }
    }

    /// Adds bytes as they are.
    public mutating func write(bytes: [UInt8]) {
        buffer += bytes
    }

    /// Writes what there is. If nobody reads any more, the program ends, as the system's own tools do.
    public mutating func flush() {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody else may have made it one that does not wait.
                var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno == EPIPE, remark.isEmpty {
                // Who reads no more has seen enough.
                exit(failure)
            } else if errno != EINTR {
                StandardError.write("error: cannot write the result: \(SystemFailure.last)\(remark)")
                exit(failure)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

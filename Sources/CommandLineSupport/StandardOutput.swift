internal import Glibc

/// Where results go, a buffer at a time.
public struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []

    public init() {}

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
            } else if errno != EINTR {
                StandardError.write("error: cannot write the result: \(String(cString: strerror(errno)))")
                exit(ExitStatus.outputFailed.rawValue)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

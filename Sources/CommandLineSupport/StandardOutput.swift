internal import Diagnostics
internal import Glibc
internal import SystemSupport

/// Where results go, a buffer at a time.
package struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    private let failure: Int32
    private let remark: String

    /// - Parameters:
    ///   - failure: The exit code of the program if the results cannot be written (default: `ExitStatus.outputFailed`).
    ///   - remark: What else is to be said then.
    package init(failure: Int32? = nil, remark: String = "") {
        self.remark = remark
        self.failure = failure ?? ExitStatus.outputFailed.rawValue
    }

    /// Adds a line.
    package mutating func write(_ line: String) {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= 1 << 16 { flush() }
    }

    /// Writes lines, and nothing after them.
    package static func print(_ lines: [String]) {
        var output = StandardOutput()
        for line in lines { output.write(line) }
        output.flush()
    }

    /// Adds a text that has its line ends.
    package mutating func write(text: String) {
        buffer += text.utf8
        if buffer.count >= 1 << 16 { flush() }
    }

    /// Adds bytes as they are.
    package mutating func write(bytes: [UInt8]) {
        buffer += bytes
    }

    /// Writes what there is. If the reader is gone, the program ends, as the system's own tools do.
    package mutating func flush() {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process may have made it nonblocking.
                var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno == EPIPE, remark.isEmpty {
                // The reader has seen enough.
                exit(failure)
            } else if errno != EINTR {
                StandardError.write("error: cannot write the result: \(SystemError(call: "write").reason)\(remark)")
                exit(failure)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Where everything goes that is not a result.
package enum StandardError {
    /// Writes a line, in one call, so that lines of several threads do not mix. Control characters are escaped.
    package static func write(_ line: String) {
        writeShown(VisibleText.escaped(line))
    }

    /// Writes lines that are safe to be shown, colours and all.
    package static func writeShown(_ text: String) {
        _ = Array("\(text)\n".utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Standard input, output and error.
enum StandardDescriptors {
    /// Puts something in the place of those that the caller has closed, that gives nothing and takes nothing.
    ///
    /// Otherwise the next file that is opened would be taken for one of them.
    static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The wrong way round, so that reading and writing fail as they do with a closed one. Gets the lowest number.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// A line on standard error that is overwritten as work goes on; nothing if that is not a terminal.
package struct ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// The columns of what is shown.
    private var shown = 0

    package init() {}

    /// - Parameter text: ASCII, shorter than a line.
    package mutating func show(_ text: String) {
        guard isTerminal else { return }
        let rest = String(repeating: " ", count: max(0, shown - text.utf8.count))
        write("\r\(text)\(rest)")
        shown = text.utf8.count
    }

    /// Takes it away, before anything else is written.
    package mutating func clear() {
        guard shown > 0 else { return }
        write("\r\(String(repeating: " ", count: shown))\r")
        shown = 0
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

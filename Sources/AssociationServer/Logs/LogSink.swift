internal import EventLoops
internal import Glibc
internal import SystemSupport

/// Where the lines of a log go: an open file, pipe, socket or device.
///
/// It never waits for longer than it is told to, unless the disk does. Who writes to it ignores SIGPIPE, or blocks it.
struct LogSink: ~Copyable {
    enum Outcome {
        /// So many bytes of the lines, perhaps none.
        case wrote(Int)
        /// Nobody takes anything at present.
        case blocked
        case failed(SystemError)
    }

    private let descriptor: Int32
    private let isFile: Bool
    /// Of the file, to find out whether another one is the same.
    private let identity: Identity
    /// Whether the last line is a part of one.
    private var isMidLine: Bool

    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    /// - Parameters:
    ///   - descriptor: is closed with the sink.
    ///   - isMidLine: whether it ends with a part of a line.
    init(adopting descriptor: Int32, _ status: stat, isMidLine: Bool) {
        self.descriptor = descriptor
        self.isMidLine = isMidLine
        isFile = status.st_mode & S_IFMT == S_IFREG
        identity = Identity(device: status.st_dev, number: status.st_ino)
    }

    deinit { close(descriptor) }

    /// Writes on, behind the first `offset` bytes of the lines.
    ///
    /// A line that begins is always the first thing in its line. What goes to a pipe, a terminal or a socket goes in whole
    /// lines as far as one page holds: a pipe takes them in one piece, so that no line of another process, such as one of
    /// the error log in the same pipe, gets in between.
    ///
    /// - Parameters:
    ///   - lines: the last one is whole.
    ///   - patience: how many milliseconds to wait for the other side.
    mutating func write(_ lines: UnsafeBufferPointer<UInt8>, from offset: Int, patience: Int32) -> Outcome {
        guard let start = lines.baseAddress, offset < lines.count else { return .wrote(0) }
        if !isFile, !isWritable(within: patience) { return .blocked }
        if isMidLine, offset == 0 || start[offset - 1] == UInt8(ascii: "\n") {
            var lineFeed = UInt8(ascii: "\n")
            let outcome = put(&lineFeed, 1)
            guard case .wrote(let count) = outcome else { return outcome }
            if count > 0 { isMidLine = false }
            return .wrote(0)
        }
        let rest = UnsafeBufferPointer(rebasing: lines[offset...])
        let outcome = put(start + offset, isFile ? rest.count : Self.page(of: rest))
        if case .wrote(let count) = outcome, count > 0 { isMidLine = rest[count - 1] != UInt8(ascii: "\n") }
        return outcome
    }

    /// The whole lines in the first page of `lines`; a page if there is none.
    private static func page(of lines: UnsafeBufferPointer<UInt8>) -> Int {
        guard lines.count > Int(PIPE_BUF) else { return lines.count }
        let end = lines[..<Int(PIPE_BUF)].lastIndex(of: UInt8(ascii: "\n"))
        return end.map { $0 + 1 } ?? Int(PIPE_BUF)
    }

    private func isWritable(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // What is wrong with it, writing says better.
        return poll(&waiting, 1, milliseconds) != 0
    }

    private func put(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
        let result = Glibc.write(descriptor, bytes, count)
        if result > 0 { return .wrote(result) }
        // A device that takes nothing and says nothing would be asked for ever.
        if result == 0 { return .failed(SystemError(call: "write", number: EIO)) }
        switch errno {
        case EINTR: return .wrote(0)
        case EAGAIN:
            // It was said to be ready, and is not: no reason to spin.
            poll(nil, 0, 10)
            return .blocked
        default: return .failed(SystemError(call: "write"))
        }
    }

    /// Takes over what is known of the end of the same file.
    mutating func follow(_ previous: borrowing LogSink) {
        if isFile, identity == previous.identity { isMidLine = previous.isMidLine }
    }
}

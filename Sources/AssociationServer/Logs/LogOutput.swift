internal import Diagnostics
internal import EventLoops
internal import Glibc
internal import SystemSupport

/// Where the lines of a log go: an open file, pipe, socket or device.
///
/// It never waits for longer than it is asked to, unless the disk does. Its thread ignores SIGPIPE, or blocks it.
struct LogOutput: ~Copyable {
    enum Outcome {
        /// This many bytes of the lines, perhaps none.
        case wrote(Int)
        /// Nobody takes anything at present.
        case blocked
        case failed(SystemError)
    }

    private let descriptor: Int32
    private let isFile: Bool
    /// The identity of the file, to find out whether another one is the same.
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

    /// Writes on, after the first `offset` bytes of the lines.
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
        // Writing reports what is wrong with it.
        return poll(&waiting, 1, milliseconds) != 0
    }

    private func put(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
        let result = Glibc.write(descriptor, bytes, count)
        if result > 0 { return .wrote(result) }
        // A device that takes nothing without an error would be tried for ever.
        if result == 0 { return .failed(SystemError(call: "write", number: EIO)) }
        switch errno {
        case EINTR: return .wrote(0)
        case EAGAIN:
            // It was reported as ready, and is not: do not spin.
            poll(nil, 0, 10)
            return .blocked
        default: return .failed(SystemError(call: "write"))
        }
    }

    /// Takes over what is known of the end of the same file.
    mutating func follow(_ previous: borrowing LogOutput) {
        if isFile, identity == previous.identity { isMidLine = previous.isMidLine }
    }
}

extension LogOutput {
    /// Opens it without waiting for anybody; `nil` if there is to be none.
    ///
    /// - Parameter standardOutput: the descriptor that is meant by that.
    /// - Throws: `ServerError.Code.unreadable`.
    static func open(
        _ sink: ServerConfiguration.LogSink, standardOutput: Int32 = STDOUT_FILENO
    ) throws(ServerError) -> LogOutput? {
        switch sink {
        case .none: return nil
        case .standardOutput: return try duplicate(standardOutput)
        case .file(let path): return try open(path)
        }
    }

    /// A number of its own: after standard output is closed, its number can be that of another file.
    private static func duplicate(_ standardOutput: Int32) throws(ServerError) -> LogOutput {
        let flags = fcntl(standardOutput, F_GETFL)
        guard flags >= 0 else { throw unusableOutput("it is closed") }
        // Where it was closed at the start, something that cannot be written replaces it.
        guard flags & O_ACCMODE != O_RDONLY else { throw unusableOutput("it is closed, or open only for reading") }
        let descriptor = fcntl(standardOutput, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { throw unusableOutput(SystemError(call: "fcntl").reason) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError(call: "fstat")
            close(descriptor)
            throw unusableOutput(error.reason)
        }
        return LogOutput(adopting: descriptor, status, isMidLine: false)
    }

    private static func open(_ path: String) throws(ServerError) -> LogOutput {
        // A FIFO that nobody reads, or a line without a modem, must not be waited for; a terminal must not become ours.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = Glibc.open(path, flags, 0o640)
        guard descriptor >= 0 else { throw failure(path, SystemError(call: "open")) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError(call: "fstat")
            close(descriptor)
            throw failure(path, error)
        }
        let made = LogOutput(adopting: descriptor, status, isMidLine: endsMidLine(path, status))
        if status.st_mode & S_IFMT == S_IFBLK {
            throw failure(path, disk)
        }
        return made
    }

    /// Why a file could not be opened, as far as is known without opening or making it; `nil` if there is no reason.
    static func problem(_ path: String) -> ServerError? {
        var status = stat()
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFDIR: return failure(path, SystemError(call: "open", number: EISDIR))
            case S_IFSOCK: return failure(path, SystemError(call: "open", number: ENXIO))
            case S_IFBLK: return failure(path, disk)
            default: return access(path, W_OK) == 0 ? nil : failure(path, SystemError(call: "access"))
            }
        }
        guard errno == ENOENT else { return failure(path, SystemError(call: "stat")) }
        // It would be made.
        return access(Path.folder(of: path), W_OK | X_OK) == 0 ? nil : failure(path, SystemError(call: "access"))
    }

    private static let disk = "it is a disk; expected the path of a file"

    /// Whether a file ends with a part of a line, because a process was killed or a disk was full. Best effort: who may
    /// write a file may not always read it.
    private static func endsMidLine(_ path: String, _ status: stat) -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var last = UInt8(ascii: "\n")
        guard pread(descriptor, &last, 1, status.st_size - 1) == 1 else { return false }
        return last != UInt8(ascii: "\n")
    }
}

// The messages about a sink.
extension LogOutput {
    /// The name of the sink in messages.
    static func name(_ sink: ServerConfiguration.LogSink) -> String {
        switch sink {
        case .file(let path): "the access log \(shown(path))"
        case .standardOutput, .none: "the access log on standard output"
        }
    }

    /// The advice when writing fails.
    static func help(_ error: SystemError) -> String? {
        switch error.number {
        case ENOSPC, EDQUOT: "free disk space"
        case EFBIG: "move the file away, and send SIGUSR1"
        case EPIPE: "its reader has exited; start it again"
        default: nil
        }
    }

    private static func unusableOutput(_ problem: String) -> ServerError {
        let help = "redirect it, or set 'log.access' in server.json to \"none\" or to a path"
        return ServerError(.unreadable, "\(name(.standardOutput)) cannot be written: \(problem); \(help)")
    }

    private static func failure(_ path: String, _ problem: String) -> ServerError {
        ServerError(.unreadable, "\(name(.file(path))) cannot be opened: \(problem)")
    }

    private static func failure(_ path: String, _ error: SystemError) -> ServerError {
        let folder = shown(Path.folder(of: path))
        let problem =
            switch error.number {
            case ENXIO where isSocket(path): "it is a socket; expected the path of a file"
            case ENXIO: "nobody reads this FIFO; start its reader first, or name a file"
            case EISDIR: "it is a folder; expected the path of a file, such as \(shown("\(path)/access.log"))"
            case ENOENT: "the folder \(folder) is missing; create it, and let the server's user write there"
            case ENOTDIR: "\(folder) is not a folder; expected the path of a file"
            case EACCES, EPERM: "\(error.reason); let the server's user write it, and create files in \(folder)"
            case EROFS: "\(error.reason); choose another path, or let the service write there (ReadWritePaths=)"
            default: error.reason
            }
        return failure(path, problem)
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func shown(_ path: String) -> String { quoted(path, limit: 250) }
}

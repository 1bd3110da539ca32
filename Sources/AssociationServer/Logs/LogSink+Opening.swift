internal import Diagnostics
internal import EventLoops
internal import Glibc
internal import SystemSupport

extension LogSink {
    /// Opens it without waiting for anybody; `nil` if there is to be none.
    ///
    /// - Parameter standardOutput: the descriptor that is meant by that.
    /// - Throws: `ServerError.Code.unreadable`.
    static func open(
        _ sink: ServerConfiguration.LogSink, standardOutput: Int32 = STDOUT_FILENO
    ) throws(ServerError) -> LogSink? {
        switch sink {
        case .none: return nil
        case .standardOutput: return try duplicate(standardOutput)
        case .file(let path): return try open(path)
        }
    }

    /// A number of its own: whoever closes standard output must not have the log written into what is opened next.
    private static func duplicate(_ standardOutput: Int32) throws(ServerError) -> LogSink {
        let flags = fcntl(standardOutput, F_GETFL)
        guard flags >= 0 else { throw unusableOutput("it is closed") }
        // Where it was closed at the start, something that cannot be written stands in its place.
        guard flags & O_ACCMODE != O_RDONLY else { throw unusableOutput("it is closed, or open for reading only") }
        let descriptor = fcntl(standardOutput, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { throw unusableOutput(SystemError(call: "fcntl").reason) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError(call: "fstat")
            close(descriptor)
            throw unusableOutput(error.reason)
        }
        return LogSink(adopting: descriptor, status, isMidLine: false)
    }

    private static func open(_ path: String) throws(ServerError) -> LogSink {
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
        let made = LogSink(adopting: descriptor, status, isMidLine: endsMidLine(path, status))
        if status.st_mode & S_IFMT == S_IFBLK {
            throw failure(path, disk)
        }
        return made
    }

    /// Why a file could not be opened, as far as that can be told without opening or making it; nil if nothing is known.
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

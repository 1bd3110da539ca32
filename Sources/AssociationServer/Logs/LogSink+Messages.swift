internal import Diagnostics
internal import EventLoops
internal import Glibc
internal import SystemSupport

// What is said about a sink.
extension LogSink {
    /// What messages call it.
    static func name(_ sink: ServerConfiguration.LogSink) -> String {
        switch sink {
        case .file(let path): "the access log \(shown(path))"
        case .standardOutput, .none: "the access log on standard output"
        }
    }

    /// What to do when writing fails.
    static func help(_ error: SystemError) -> String? {
        switch error.number {
        case ENOSPC, EDQUOT: "make room there"
        case EFBIG: "move the file away, and send SIGUSR1"
        case EPIPE: "its reader has ended: start it again"
        default: nil
        }
    }

    static func unusableOutput(_ problem: String) -> ServerError {
        let help = "send it somewhere, or set 'log.access' in server.json to \"none\" or to a path"
        return ServerError(.unreadable, "\(name(.standardOutput)) cannot be written: \(problem); \(help)")
    }

    static func failure(_ path: String, _ problem: String) -> ServerError {
        ServerError(.unreadable, "\(name(.file(path))) cannot be opened: \(problem)")
    }

    static func failure(_ path: String, _ error: SystemError) -> ServerError {
        let folder = shown(Path.folder(of: path))
        let problem =
            switch error.number {
            case ENXIO where isSocket(path): "it is a socket; expected the path of a file"
            case ENXIO: "nobody reads this FIFO; start its reader first, or name a file"
            case EISDIR: "it is a folder; expected the path of a file, such as \(shown("\(path)/access.log"))"
            case ENOENT: "the folder \(folder) is missing; make it, and let the user of the server write there"
            case ENOTDIR: "\(folder) is no folder; expected the path of a file"
            case EACCES, EPERM: "\(error.reason); let the user of the server write it, and make files in \(folder)"
            case EROFS: "\(error.reason); name a file elsewhere, or let the service write there (ReadWritePaths=)"
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

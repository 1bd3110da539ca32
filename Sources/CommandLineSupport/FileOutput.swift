internal import Glibc

/// What all that writes files has in common.
enum FileOutput {
    /// Writes all of the bytes.
    ///
    /// - Returns: Nil, or a clause that says why not all were written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return reason()
            }
        }
        return nil
    }

    /// Makes a new name in a folder last; the file itself is whole in any case.
    static func syncFolder(of path: String) { syncFolder(of: RawPath(path)) }

    static func syncFolder(of path: RawPath) {
        let descriptor = path.folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// What the system says about the call that failed last.
    static func reason() -> String { reason(errno) }

    static func reason(_ number: Int32) -> String {
        number == EEXIST ? "it exists already" : "\(SystemFailure(number))"
    }

    /// Runs something that is not to be left half done: the signals that would end the process wait until it is done, and a
    /// limit of the size of files is an error like a full disk.
    static func withoutInterruption<Result>(_ body: () -> Result) -> Result {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let handler = signal(SIGXFSZ, SIG_IGN)
        defer {
            _ = signal(SIGXFSZ, handler)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return body()
    }
}

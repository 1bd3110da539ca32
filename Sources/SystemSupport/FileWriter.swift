internal import Glibc

/// What writing files has in common, wherever they are written.
package enum FileWriter {
    /// Writes all of the bytes.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SystemError(call: "write")
            }
        }
    }

    /// Runs something that is not to be left half done: signals that would end the process wait until it is done, and a
    /// limit on the size of files is an error like a full disk.
    package static func withoutInterruption<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var signals = sigset_t()
        var limit = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        sigemptyset(&limit)
        sigaddset(&limit, SIGXFSZ)
        signals = limit
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGXFSZ) == 1
        defer {
            let number = errno
            // What came of a write of this thread is taken here, for the thread alone gets it.
            var now = timespec()
            if !wasPending { sigtimedwait(&limit, nil, &now) }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            errno = number
        }
        return try body()
    }
}

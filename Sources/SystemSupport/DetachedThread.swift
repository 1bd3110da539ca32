internal import Glibc

/// A thread for work that may wait long, and that no signal disturbs: a pipe without a reader, a connection that the peer has
/// reset or a file at its limit is an error of `write` there, and not the end of the process (SIGPIPE, SIGXFSZ).
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs the body on a new thread.
    ///
    /// - Parameter stackSize: in bytes; nil is the system's default.
    package static func start(
        stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        // The thread inherits the mask, so that it never runs without it.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard result == 0 else {
            work.release()
            throw SystemError(call: "pthread_create", number: result)
        }
    }
}

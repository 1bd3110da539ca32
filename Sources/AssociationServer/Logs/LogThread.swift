internal import EventLoops
internal import Glibc
internal import SystemSupport

/// A thread for work that may wait long, and that no signal disturbs: a pipe without a reader or a file at its limit is an
/// error of `write` there, and not the end of the process (SIGPIPE, SIGXFSZ).
enum LogThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            throw SystemError(call: "pthread_create", number: result)
        }
        pthread_detach(thread)
    }
}

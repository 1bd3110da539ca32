internal import CCurl
internal import Glibc
internal import SystemSupport

/// A thread of its own that no signal disturbs: writing to a connection that the peer has reset is an error there, and
/// not the end of the process (SIGPIPE).
enum WorkerThread {
    private final class Work {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    /// - Parameters:
    ///   - name: for debuggers and `top -H`; at most 15 bytes.
    ///   - stackSize: in bytes.
    static func start(
        _ name: String, stackSize: Int, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        let work = Unmanaged.passRetained(Work(name, body))
        var thread = pthread_t()
        // The thread inherits the mask, so that it never runs without it.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                c_name_thread(work.name)
                work.body()
                return nil
            }, work.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard result == 0 else {
            work.release()
            throw SystemError(call: "pthread_create", number: result)
        }
    }
}

import Dispatch
import Glibc

/// Waits for a process that the program has started, and leaves no trace of it.
enum BrowserWait {
    /// - Parameter ended: Gets its exit code, or -1 if a signal ended it; on a thread of its own.
    static func start(_ process: pid_t, ended: @escaping @Sendable (Int32) -> Void) {
        DispatchQueue.global().async {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            ended(status & 0x7F == 0 ? status >> 8 & 0xFF : -1)
        }
    }
}

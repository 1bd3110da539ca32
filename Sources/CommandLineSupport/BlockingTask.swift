internal import Dispatch
internal import SystemSupport

/// Work of several tasks in a command that is not asynchronous itself.
package enum BlockingTask {
    /// Runs a body to its end, on other threads.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
        let done = DispatchSemaphore(value: 0)
        let box = Locked<Result?>(nil)
        Task.detached {
            let result = await body()
            box.withLock { $0 = result }
            done.signal()
        }
        while true {
            done.wait()
            if let result = box.withLock({ $0 }) { return result }
        }
    }
}

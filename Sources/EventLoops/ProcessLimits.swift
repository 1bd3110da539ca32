internal import CLinux
internal import Glibc

/// The resources of the machine that the process may use.
package enum ProcessLimits {
    /// Cores that the process may run on.
    package static var cores: Int { max(1, Int(c_usable_cores())) }

    /// Raises the limit of open descriptors as far as it goes.
    ///
    /// - Returns: the limit in force.
    package static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(clamping: soft) }
        return Int(clamping: limit.rlim_max)
    }

    /// Has all threads take memory from a few pools.
    ///
    /// A loop runs on whatever thread Dispatch has for it. Each new thread would get a pool of its own, and memory that
    /// connections gave back to the one could not be used by the other. Call it before there is a second thread.
    package static func shareMemoryPools(_ count: Int) { c_share_memory_pools(Int32(clamping: max(1, count))) }

    /// Gives memory that is free in the pools back to the system.
    package static func giveBackMemory() { c_give_back_memory() }

    package static var isRoot: Bool { geteuid() == 0 }

    /// A peer that is gone is an error of the call and not a signal; SIGQUIT keeps its meaning, which the language's
    /// runtime takes for itself.
    package static func prepareSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGQUIT, SIG_DFL)
    }
}

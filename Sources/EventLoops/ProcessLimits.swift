internal import BoundedText
internal import CLinux
internal import Glibc
internal import SystemSupport

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

    /// The bytes of memory that the process may use: the lowest limit of its control groups, or what the machine has.
    package static var memory: Int {
        let pages = max(0, sysconf(Int32(_SC_PHYS_PAGES)))
        let machine = pages.multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
        let whole = machine.overflow ? Int.max : machine.partialValue
        guard let groups = try? FileReader.read("/proc/self/cgroup", limit: 65_536).bytes else { return whole }
        return memory(ofGroups: groups, whole: whole) { path in
            try? FileReader.read("/sys/fs/cgroup\(path)/memory.max", limit: 64).bytes
        }
    }

    /// The lowest limit of the control groups of a process (Linux, `admin-guide/cgroup-v2.rst`).
    ///
    /// - Parameters:
    ///   - groups: as in `/proc/self/cgroup`: `0::/system.slice/aasa.service`.
    ///   - whole: the memory of the machine.
    ///   - limit: the text of `memory.max` of a group; `nil` if it has none.
    package static func memory(ofGroups groups: [UInt8], whole: Int, limit: (String) -> [UInt8]?) -> Int {
        let lines = groups.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { $0.starts(with: "0::".utf8) }) else { return whole }
        var least = whole
        // A group has at most the memory of those that it is in.
        var path = String(text: line.dropFirst(3))
        while true {
            while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
            let text = limit(path).map { String(text: $0).prefix { $0.isNumber } }
            if let bytes = text.flatMap({ Int($0) }) { least = min(least, bytes) }
            guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return least }
            path = String(path[..<end])
        }
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

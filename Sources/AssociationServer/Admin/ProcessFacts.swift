internal import BoundedText
internal import EventLoops
internal import Glibc
internal import SystemSupport

/// Facts about this process from proc(5); `nil` where the system does not tell.
package struct ProcessFacts: Equatable, Sendable {
    /// The start of the process, in seconds since 1970.
    package var startTime: Int64?
    package var residentBytes: Int64?
    package var openDescriptors: Int64?

    package init(startTime: Int64? = nil, residentBytes: Int64? = nil, openDescriptors: Int64? = nil) {
        self.startTime = startTime
        self.residentBytes = residentBytes
        self.openDescriptors = openDescriptors
    }

    /// Those of this moment.
    package static func now() -> ProcessFacts {
        ProcessFacts(
            startTime: start,
            residentBytes: residentPages(statm: text("/proc/self/statm")).map {
                $0 * Int64(sysconf(Int32(_SC_PAGESIZE)))
            },
            openDescriptors: descriptors())
    }

    /// Read once: the result moves with the clock of the system. The system's own `btime` is hidden from a service that
    /// sees only its processes (systemd's `ProcSubset=pid`).
    static let start = startTime(
        stat: text("/proc/self/stat"), boot: Clock.bootMilliseconds(),
        ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))))

    /// - Parameters:
    ///   - stat: of the process; its second field is the name in parentheses, which may hold anything.
    ///   - boot: when the machine was started, in milliseconds since 1970.
    package static func startTime(stat: String, boot: Int64, ticksPerSecond: Int64) -> Int64? {
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard ticksPerSecond > 0, fields.count > 19, let ticks = Int64(fields[19]) else { return nil }
        let (milliseconds, overflow) = ticks.multipliedReportingOverflow(by: 1_000)
        return overflow ? nil : (boot + milliseconds / ticksPerSecond) / 1_000
    }

    package static func residentPages(statm: String) -> Int64? {
        let fields = statm.split(separator: " ")
        return fields.count > 1 ? Int64(fields[1]) : nil
    }

    private static func text(_ path: String) -> String {
        do throws(SystemError) {
            return String(text: try FileReader.read(path, limit: 65_536).bytes)
        } catch {
            return ""
        }
    }

    private static func descriptors() -> Int64? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count: Int64 = 0
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        // Without the one that the folder is read by.
        return max(0, count - 1)
    }
}

internal import EventLoops
internal import Glibc

/// What the system knows of this process (proc(5)); `nil` where it does not tell.
package struct ProcessFacts: Equatable, Sendable {
    /// In seconds since 1970.
    package var startTime: Int64?
    package var residentBytes: Int64?
    package var openDescriptors: Int64?

    package init(startTime: Int64? = nil, residentBytes: Int64? = nil, openDescriptors: Int64? = nil) {
        self.startTime = startTime
        self.residentBytes = residentBytes
        self.openDescriptors = openDescriptors
    }

    static func now() -> ProcessFacts {
        ProcessFacts(
            startTime: start,
            residentBytes: residentPages(statm: text("/proc/self/statm")).map {
                $0 * Int64(sysconf(Int32(_SC_PAGESIZE)))
            },
            openDescriptors: descriptors())
    }

    /// Read once: the system works out again and again when it was started, and the result moves with its clock.
    private static let start = startTime(
        stat: text("/proc/self/stat"), systemStat: text("/proc/stat"),
        ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))))

    /// - Parameters:
    ///   - stat: of the process; its second field is the name in parentheses, which may hold anything.
    ///   - systemStat: has a line `btime` with the time of the start in seconds since 1970.
    package static func startTime(stat: String, systemStat: String, ticksPerSecond: Int64) -> Int64? {
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let line = systemStat.split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard ticksPerSecond > 0, fields.count > 19, let ticks = Int64(fields[19]),
            let boot = line.flatMap({ Int64($0.dropFirst("btime ".count)) })
        else { return nil }
        return boot + ticks / ticksPerSecond
    }

    package static func residentPages(statm: String) -> Int64? {
        let fields = statm.split(separator: " ")
        return fields.count > 1 ? Int64(fields[1]) : nil
    }

    private static func text(_ path: String) -> String {
        // The line of interrupts in /proc/stat is long on a large machine.
        let limit = 4 << 20
        do throws(SystemError) {
            return String(decoding: try FileAccess.read(path, limit: limit).bytes, as: UTF8.self)
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

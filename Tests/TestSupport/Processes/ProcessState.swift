import Foundation

/// The system's facts about a process.
enum ProcessState {
    /// Whether all its threads are stopped, which is so some time after `SIGSTOP`.
    static func isStopped(_ process: Int32) -> Bool {
        let folder = "/proc/\(process)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder), !threads.isEmpty else {
            return false
        }
        return threads.allSatisfy { thread in
            fields("\(folder)/\(thread)/stat").first == "T"
        }
    }

    /// The processes that a process has started, without those that have ended and that it has not asked for.
    static func children(of process: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { number in
            let fields = fields("/proc/\(number)/stat")
            return fields.count > 1 && fields[1] == "\(process)" && fields[0] != "Z"
        }
    }

    /// The fields after the name, which is in brackets and may have any characters in it: the state, the parent, and more.
    private static func fields(_ path: String) -> [Substring] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst().split(separator: " ")
    }
}

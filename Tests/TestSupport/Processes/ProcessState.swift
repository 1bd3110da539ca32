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
            let text = (try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)) ?? ""
            // What follows the name, which is in brackets and may have any characters in it.
            return text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst().hasPrefix(" T")
        }
    }
}

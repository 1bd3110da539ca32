import Foundation
import Logging
import TestSupport

/// The lines that were logged: level and message.
final class RecordedLog: @unchecked Sendable {
    private let condition = NSCondition()
    private var recorded: [String] = []

    var lines: [String] {
        condition.lock()
        defer { condition.unlock() }
        return recorded
    }

    var logger: Logger { Logger(label: "test") { [self] _ in Handler(self) } }

    func clear() {
        condition.lock()
        recorded = []
        condition.unlock()
    }

    /// Waits for a line that has a text in it.
    func wait(for text: String) -> Bool {
        let limit = Date(timeIntervalSinceNow: Double(Patience.seconds))
        condition.lock()
        defer { condition.unlock() }
        while !recorded.contains(where: { $0.contains(text) }) {
            guard condition.wait(until: limit) else { return false }
        }
        return true
    }

    private func add(_ line: String) {
        condition.lock()
        recorded.append(line)
        condition.broadcast()
        condition.unlock()
    }

    private struct Handler: LogHandler {
        private let log: RecordedLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        init(_ log: RecordedLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.add("\(event.level) \(event.message)") }
    }
}

import Logging
import SystemSupport

/// The lines that a driver has logged: level and message.
final class DriverLog: Sendable {
    private let recorded = Locked<[String]>([])

    var lines: [String] { recorded.withLock { $0 } }

    func lines(with text: String) -> [String] { lines.filter { $0.contains(text) } }

    var logger: Logger { Logger(label: "test") { [self] _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: DriverLog
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        init(log: DriverLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.recorded.withLock { $0.append("\(event.level) \(event.message)") } }
    }
}

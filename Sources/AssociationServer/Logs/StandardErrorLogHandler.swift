internal import BoundedText
internal import Diagnostics
internal import Dispatch
internal import Glibc
package import Logging
internal import SystemSupport

/// Writes a line an event to standard error: `TIME LEVEL: MESSAGE`, or a JSON object.
///
/// Where standard error is the journal (JOURNAL_STREAM of systemd.exec(5)), a line of text begins with its priority instead
/// of the time, which the journal has. It is written aside: nobody waits for a reader of standard error that does not read.
package struct StandardErrorLogHandler: LogHandler {
    private static let lines = BackgroundLines(descriptor: STDERR_FILENO)
    private static let finishingMilliseconds = 2_000
    private static let settings = Locked<(level: Logger.Level, isJSON: Bool)>((.info, false))

    /// Whether standard error is the journal of systemd.
    package static let isJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cText: stream) == "\(status.st_dev):\(status.st_ino)"
    }()

    /// Says how all handlers of the process write from now on.
    package static func configure(level: Logger.Level, isJSON: Bool) { settings.withLock { $0 = (level, isJSON) } }

    /// Waits until all is written, two seconds at most; call it before the process ends, or something else is written.
    package static func finish() { lines.finish(milliseconds: finishingMilliseconds) }

    /// That of all handlers of the process.
    package var logLevel: Logger.Level {
        get { Self.settings.withLock { $0.level } }
        set { Self.settings.withLock { $0.level = newValue } }
    }
    package var metadata: Logger.Metadata = [:]

    package init() {}

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let line = Self.line(event.level, "\(event.message)\(details)")
        Self.lines.write(Array("\(line)\n".utf8))
    }

    private static func line(_ level: Logger.Level, _ message: String) -> String {
        let priority = isJournal ? "<\(priority(level))>" : ""
        if settings.withLock({ $0.isJSON }) {
            let members: [String: JSONOutput] = [
                "time": .string(InternetDate.string(Int64(time(nil)))), "level": .string(level.rawValue),
                "message": .string(VisibleText.escaped(message)),
            ]
            return priority + JSONOutput.object(members).text
        }
        let start = isJournal ? priority : "\(InternetDate.string(Int64(time(nil)))) "
        return start + VisibleText.escaped("\(level): \(message)")
    }

    /// The priority of a level in syslog(3).
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

/// Lines that are written to a descriptor aside, so that nobody has to wait for whoever reads them.
///
/// What is not taken waits, up to a bound; lines beyond it are lost, and the next line that gets through says how many.
private final class BackgroundLines: Sendable {
    private struct State {
        var lines: [[UInt8]] = []
        var bytes = 0
        var lost = 0
        var isWriting = false
    }

    /// The most bytes of lines that wait.
    private static let maxBytes = 1 << 20

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "log")
    private let state = Locked(State())

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter line: with its line feed.
    func write(_ line: [UInt8]) {
        let isFirst = state.withLock { state in
            guard state.bytes + line.count <= Self.maxBytes else {
                state.lost += 1
                return false
            }
            state.lines.append(line)
            state.bytes += line.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { [self] in writeAll() } }
    }

    /// Waits until all is written, or the time is over.
    func finish(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    private func writeAll() {
        while true {
            let (lines, lost) = state.withLock { state in
                defer {
                    state.lines = []
                    state.lost = 0
                    if state.lines.isEmpty, state.bytes == 0 { state.isWriting = false }
                    state.bytes = 0
                }
                return (state.lines, state.lost)
            }
            if lines.isEmpty, lost == 0 { return }
            for line in lines { write(whole: line) }
            if lost > 0 { write(whole: Array("log: \(lost) lines were lost, because nothing read them\n".utf8)) }
        }
    }

    private func write(whole line: [UInt8]) {
        var start = 0
        while start < line.count {
            let count = line.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, line.count - start)
            }
            if count > 0 { start += count }
            if count < 0, errno == EAGAIN {
                var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waited, 1, -1)
            } else if count < 0, errno != EINTR {
                return
            }
        }
    }
}

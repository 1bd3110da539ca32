internal import Diagnostics
internal import Glibc
internal import SystemSupport
public import Logging

/// Writes a line an event to standard error: `TIME LEVEL: MESSAGE`, or a JSON object.
///
/// Where standard error is the journal (JOURNAL_STREAM of systemd.exec(5)), a line of text begins with its priority instead
/// of the time, which the journal has. It is written aside: nobody waits for a reader of standard error that does not read.
public struct StandardErrorLogHandler: LogHandler {
    private static let lines = BackgroundLines(descriptor: STDERR_FILENO)
    private static let finishingMilliseconds = 2_000
    private static let settings = Locked<(level: Logger.Level, isJSON: Bool)>((.info, false))

    /// Whether standard error is the journal of systemd.
    public static let isJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }()

    /// Says how all handlers of the process write from now on.
    public static func configure(level: Logger.Level, isJSON: Bool) { settings.withLock { $0 = (level, isJSON) } }

    /// Waits until all is written, two seconds at most; call it before the process ends, or something else is written.
    public static func finish() { lines.finish(milliseconds: finishingMilliseconds) }

    /// That of all handlers of the process.
    public var logLevel: Logger.Level {
        get { Self.settings.withLock { $0.level } }
        set { Self.settings.withLock { $0.level = newValue } }
    }
    public var metadata: Logger.Metadata = [:]

    public init() {}

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let line = Self.line(event.level, "\(event.message)\(details)")
        Self.lines.write(Array("\(line)\n".utf8))
    }

    private static func line(_ level: Logger.Level, _ message: String) -> String {
        let priority = isJournal ? "<\(priority(level))>" : ""
        if settings.withLock({ $0.isJSON }) {
            let members: [String: JSONOutput] = [
                "time": .string(timestamp()), "level": .string(level.rawValue),
                "message": .string(VisibleText.escaped(message)),
            ]
            return priority + JSONOutput.object(members).text
        }
        let start = isJournal ? priority : "\(timestamp()) "
        return start + VisibleText.escaped("\(level): \(message)")
    }

    /// As syslog(3) has them.
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

    private static func timestamp() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

internal import Diagnostics
internal import Glibc
public import Logging

/// Writes a line an event to standard error: time in UTC, level, message.
///
/// It is written aside: nobody waits for a reader of standard error that does not read.
public struct StandardErrorLogHandler: LogHandler {
    private static let lines = BackgroundLines(descriptor: STDERR_FILENO)
    private static let finishingMilliseconds = 2_000

    /// Waits until all is written, two seconds at most; call it before the process ends, or something else is written.
    public static func finish() { lines.finish(milliseconds: finishingMilliseconds) }

    public var logLevel = Logger.Level.info
    public var metadata: Logger.Metadata = [:]

    public init() {}

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let line = VisibleText.escaped("\(Self.timestamp()) \(event.level): \(event.message)\(details)")
        Self.lines.write(Array("\(line)\n".utf8))
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

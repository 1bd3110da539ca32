import AssociationServer
import Glibc
import SystemSupport

/// The reports of an access log.
final class AccessLogReports: Sendable {
    private let texts = Locked<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    /// Opens a log that reports here.
    func open(
        _ access: ServerConfiguration.LogSink, blockBytes: Int = AccessLog.blockBytes,
        blocksPerLoop: Int = AccessLog.blocksPerLoop, standardOutput: Int32 = STDOUT_FILENO
    ) throws(ServerError) -> AccessLog? {
        var settings = ServerConfiguration.Log()
        settings.access = access
        return try AccessLog(
            settings, blockBytes: blockBytes, blocksPerLoop: blocksPerLoop, standardOutput: standardOutput
        ) { [self] text in
            texts.withLock { $0.append(text) }
        }
    }

    /// Waits for a report, a minute at most.
    func contain(_ text: String) -> Bool { Self.wait { all.contains { $0.contains(text) } } }

    /// Waits until something has come true, a minute at most.
    static func wait(until isTrue: () -> Bool) -> Bool {
        for _ in 0..<12_000 {
            if isTrue() { return true }
            usleep(5_000)
        }
        return false
    }
}

internal import EventLoops
internal import HTTP1

/// Writes the line of a request, in JSON or in the combined format of Apache and nginx.
///
/// Of what a client sent only so much is told: see `longestTarget` and its neighbours.
package struct AccessLogFormatter: ~Copyable {
    // Bytes as they were sent; what is left out is marked.
    package static let longestMethod = 32
    /// Of a site, and of the host that was asked for.
    package static let longestSite = 255
    package static let longestTarget = 2_048
    package static let longestAgent = 512

    /// Room for every line, and for what is written behind its end.
    package static let longestLine =
        (longestMethod + 2 * longestSite + longestTarget + longestAgent) * LogEscaping.growth
        + 5 * LogEscaping.longestMark + 320 + LineCursor.overhang

    private let format: ServerConfiguration.LogFormat
    private var time: LogTime

    package init(_ format: ServerConfiguration.LogFormat) {
        self.format = format
        time = LogTime(format)
    }

    /// - Parameter output: has room for `longestLine` bytes.
    /// - Returns: the end of the line, behind its line feed.
    @inline(__always)
    package mutating func write(
        _ entry: borrowing AccessLogEntry, to output: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var line = LineCursor(next: output)
        switch format {
        case .json: writeJSON(entry, to: &line)
        case .combined: writeCombined(entry, to: &line)
        }
        return line.next
    }

    // MARK: JSON

    private mutating func writeJSON(_ entry: borrowing AccessLogEntry, to line: inout LineCursor) {
        line.put("{\"address\":\"")
        line.next += entry.address.write(to: line.next)
        line.put("\",\"agent\":")
        Self.putString(entry.userAgent, limit: Self.longestAgent, to: &line)
        line.put(",\"bytes\":")
        line.put(Int64(entry.bytes))
        line.put(",\"host\":")
        Self.putString(entry.host, limit: Self.longestSite, to: &line)
        line.put(",\"method\":")
        Self.putString(entry.method, limit: Self.longestMethod, to: &line)
        line.put(",\"microseconds\":")
        line.put(entry.microseconds)
        if entry.isResumed { line.put(",\"resumed\":true,\"site\":") } else { line.put(",\"resumed\":false,\"site\":") }
        Self.putString(entry.site, limit: Self.longestSite, to: &line)
        line.put(",\"status\":")
        line.put(Int64(entry.status.rawValue))
        line.put(",\"target\":")
        Self.putString(entry.target, limit: Self.longestTarget, to: &line)
        line.put(",\"time\":\"")
        time.write(entry.time, to: &line)
        switch entry.tls {
        case .none: line.put("\",\"tls\":null}\n")
        case .version12: line.put("\",\"tls\":\"1.2\"}\n")
        case .version13: line.put("\",\"tls\":\"1.3\"}\n")
        }
    }

    @inline(__always)
    private static func putString(_ text: AccessLogEntry.Text, limit: Int, to line: inout LineCursor) {
        guard let start = text.start else { return line.put("null") }
        line.put(UInt8(ascii: "\""))
        LogEscaping.write(start, count: text.count, limit: limit, .json, to: &line)
        line.put(UInt8(ascii: "\""))
    }

    // MARK: Combined

    /// `192.0.2.1 - - [21/Nov/2026:14:00:00 +0000] "GET /path HTTP/1.1" 200 123 "-" "agent"`
    private mutating func writeCombined(_ entry: borrowing AccessLogEntry, to line: inout LineCursor) {
        line.next += entry.address.write(to: line.next)
        line.put(" - - [")
        time.write(entry.time, to: &line)
        line.put("] \"")
        if entry.method.start != nil, entry.target.start != nil {
            Self.put(entry.method, limit: Self.longestMethod, to: &line)
            line.put(UInt8(ascii: " "))
            Self.put(entry.target, limit: Self.longestTarget, to: &line)
            line.put(" HTTP/1.")
            line.put(UInt8(ascii: "0") &+ entry.minorVersion % 10)
        } else {
            line.put(UInt8(ascii: "-"))
        }
        line.put("\" ")
        line.put(Int64(entry.status.rawValue))
        line.put(UInt8(ascii: " "))
        line.put(Int64(entry.bytes))
        // Nobody asks for an association file because of a link, so there is no referrer.
        line.put(" \"-\" \"")
        Self.put(entry.userAgent, limit: Self.longestAgent, to: &line)
        line.put("\"\n")
    }

    @inline(__always)
    private static func put(_ text: AccessLogEntry.Text, limit: Int, to line: inout LineCursor) {
        guard let start = text.start else { return line.put(UInt8(ascii: "-")) }
        LogEscaping.write(start, count: text.count, limit: limit, .combined, to: &line)
    }
}

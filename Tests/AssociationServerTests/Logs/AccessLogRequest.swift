import AssociationServer
import DomainNames
import EventLoops
import HTTP1

/// A request to be logged, in values that are easy to make.
struct AccessLogRequest {
    var time: Int64 = 1_795_269_600_123
    var address: IPAddress? = IPAddress(ipv4: 0xCB00_7107)
    var peer: IPAddress? = IPAddress(ipv4: 0x0A00_0001)
    var site: [UInt8]? = Array("example.com".utf8)
    var host: [UInt8]? = Array("www.example.com".utf8)
    var method: [UInt8]? = Array("GET".utf8)
    var target: [UInt8]? = Array("/.well-known/apple-app-site-association".utf8)
    var version = HTTPVersion.http11
    var status = Status.ok
    /// The status of a redirect, which has no `Status`.
    var code: UInt16?
    var bytes = 1_024
    var microseconds: Int64 = 38
    var tls = AccessLogEntry.TLS.version13
    var isResumed = true
    var userAgent: [UInt8]? = Array("swcd/1 \"x\"".utf8)

    /// One that can be told from others.
    static func numbered(_ number: Int) -> AccessLogRequest {
        AccessLogRequest(target: Array("/\(number)".utf8))
    }

    func append(to buffer: AccessLogBuffer) { withEntry { buffer.append($0) } }

    func line(_ format: ServerConfiguration.LogFormat) -> [UInt8] {
        var formatter = AccessLogFormatter(format)
        return line(&formatter)
    }

    func line(_ formatter: inout AccessLogFormatter) -> [UInt8] {
        // What is written beyond the room shall be found out.
        let guardBytes = 64
        let room = AccessLogFormatter.longestLine
        var memory = [UInt8](repeating: 0xEE, count: room + guardBytes)
        let count = memory.withUnsafeMutableBufferPointer { memory in
            guard let start = memory.baseAddress else { return 0 }
            return withEntry { formatter.write($0, to: start) - start }
        }
        guard memory[room...].allSatisfy({ $0 == 0xEE }), count <= room else { return [] }
        return Array(memory[..<count])
    }

    func text(_ format: ServerConfiguration.LogFormat) -> String { String(decoding: line(format), as: UTF8.self) }

    private func withEntry<Result>(_ body: (borrowing AccessLogEntry) -> Result) -> Result {
        // Without a byte around them, so that a read beyond them would be found.
        let texts = [site, host, method, target, userAgent].map { text in
            text.map { text in
                let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
                _ = memory.initialize(from: text)
                return memory
            }
        }
        defer { for text in texts { text?.deallocate() } }
        var entry = AccessLogEntry(
            time: time, address: address, peer: peer, status: code ?? status.rawValue, bytes: bytes,
            microseconds: microseconds, tls: tls, isResumed: isResumed)
        entry.version = version
        if let site = texts[0] { entry.site = AccessLogEntry.Text(UnsafeBufferPointer(site)) }
        if let host = texts[1] { entry.host = AccessLogEntry.Text(UnsafeBufferPointer(host)) }
        if let method = texts[2] { entry.method = AccessLogEntry.Text(UnsafeBufferPointer(method)) }
        if let target = texts[3] { entry.target = AccessLogEntry.Text(UnsafeBufferPointer(target)) }
        if let userAgent = texts[4] { entry.userAgent = AccessLogEntry.Text(UnsafeBufferPointer(userAgent)) }
        return body(entry)
    }
}

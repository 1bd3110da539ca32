package import DomainNames
internal import EventLoops
package import HTTP1
internal import SystemSupport

/// Writes the line of a request, in JSON or in the combined format of Apache and nginx.
///
/// What a client sent is cut at a limit: see `longestTarget` and its neighbors.
package struct AccessLogFormatter: ~Copyable {
    // Bytes as they were sent; what is left out is marked.
    package static let longestMethod = 32
    /// The longest name of a site, and of the host that was asked for.
    package static let longestSite = 255
    package static let longestTarget = 2_048
    package static let longestAgent = 512

    /// Room for every line, and for what is written after its end.
    package static let longestLine =
        (longestMethod + 2 * longestSite + longestTarget + longestAgent) * LogEscaping.growth
        + 5 * LogEscaping.longestMark + 384 + LineCursor.overhang

    private let format: ServerConfiguration.LogFormat
    private var time: LogTime

    package init(_ format: ServerConfiguration.LogFormat) {
        self.format = format
        time = LogTime(format)
    }

    /// - Parameter output: has room for `longestLine` bytes.
    /// - Returns: the end of the line, after its line feed.
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

    private mutating func writeJSON(_ entry: borrowing AccessLogEntry, to line: inout LineCursor) {
        line.put("{\"address\":\"")
        Self.put(entry.address, of: entry, to: &line)
        line.put("\",\"agent\":")
        Self.putString(entry.userAgent, limit: Self.longestAgent, to: &line)
        line.put(",\"bytes\":")
        line.put(Int64(entry.bytes))
        line.put(",\"host\":")
        Self.putString(entry.host, limit: Self.longestSite, to: &line)
        line.put(",\"http\":\"")
        line.put(entry.version.text)
        line.put("\",\"method\":")
        Self.putString(entry.method, limit: Self.longestMethod, to: &line)
        line.put(",\"microseconds\":")
        line.put(entry.microseconds)
        line.put(",\"peer\":\"")
        Self.put(entry.peer, of: entry, to: &line)
        if entry.isResumed {
            line.put("\",\"resumed\":true,\"site\":")
        } else {
            line.put("\",\"resumed\":false,\"site\":")
        }
        Self.putString(entry.site, limit: Self.longestSite, to: &line)
        line.put(",\"status\":")
        line.put(Int64(entry.status))
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
    private static func put(_ address: IPAddress?, of entry: borrowing AccessLogEntry, to line: inout LineCursor) {
        if entry.hidesAddresses { return line.put(UInt8(ascii: "-")) }
        guard let address else { return line.put("unix") }
        line.next += address.write(to: line.next)
    }

    @inline(__always)
    private static func putString(_ text: AccessLogEntry.Text, limit: Int, to line: inout LineCursor) {
        guard let start = text.start else { return line.put("null") }
        line.put(UInt8(ascii: "\""))
        LogEscaping.write(start, count: text.count, limit: limit, .json, to: &line)
        line.put(UInt8(ascii: "\""))
    }

    /// `192.0.2.1 - - [21/Nov/2026:14:00:00 +0000] "GET /path HTTP/1.1" 200 123 "-" "agent"`
    private mutating func writeCombined(_ entry: borrowing AccessLogEntry, to line: inout LineCursor) {
        Self.put(entry.address, of: entry, to: &line)
        line.put(" - - [")
        time.write(entry.time, to: &line)
        line.put("] \"")
        if entry.method.start != nil, entry.target.start != nil {
            Self.put(entry.method, limit: Self.longestMethod, to: &line)
            line.put(UInt8(ascii: " "))
            Self.put(entry.target, limit: Self.longestTarget, to: &line)
            switch entry.version {
            case .http10: line.put(" HTTP/1.0")
            case .http11: line.put(" HTTP/1.1")
            case .http2: line.put(" HTTP/2.0")
            }
        } else {
            line.put(UInt8(ascii: "-"))
        }
        line.put("\" ")
        line.put(Int64(entry.status))
        line.put(UInt8(ascii: " "))
        line.put(Int64(entry.bytes))
        // An association file is not fetched because of a link, so there is no referrer.
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

/// The text of a time, kept for the lines that follow in the same second.
struct LogTime: ~Copyable {
    /// The end of the last year with four digits: a later time is written as this one, and one before 1970 as 1970.
    private static let latest: Int64 = 253_402_300_799_999
    /// `2026-11-21T14:00:00.000Z`, 24 bytes (RFC 3339).
    private static let internetForm: StaticString = "0000-00-00T00:00:00.000Z"
    /// `21/Nov/2026:14:00:00 +0000`, 26 bytes.
    private static let combinedForm: StaticString = "00/___/0000:00:00:00 +0000"
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    private let format: ServerConfiguration.LogFormat
    private let text: UnsafeMutablePointer<UInt8>
    private var second: Int64 = -1
    private var millisecond: Int64 = 0

    init(_ format: ServerConfiguration.LogFormat) {
        self.format = format
        text = .allocate(capacity: Self.combinedForm.utf8CodeUnitCount)
        let form = format == .json ? Self.internetForm : Self.combinedForm
        text.initialize(from: form.utf8Start, count: form.utf8CodeUnitCount)
    }

    deinit { text.deallocate() }

    /// - Parameter time: milliseconds since 1970.
    @inline(__always)
    mutating func write(_ time: Int64, to line: inout LineCursor) {
        let time = min(max(time, 0), Self.latest)
        let second = time / 1_000
        if second != self.second { begin(second) }
        switch format {
        case .json:
            let millisecond = time &- second &* 1_000
            if millisecond != self.millisecond { set(millisecond) }
            line.next.initialize(from: text, count: 24)
            line.next += 24
        case .combined:
            line.next.initialize(from: text, count: 26)
            line.next += 26
        }
    }

    private mutating func set(_ millisecond: Int64) {
        self.millisecond = millisecond
        text[20] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: millisecond / 100)
        var line = LineCursor(next: text + 21)
        line.putTwoDigits(Int(millisecond % 100))
    }

    @inline(never)
    private mutating func begin(_ second: Int64) {
        self.second = second
        let date = CivilDate(daysSince1970: second / 86_400)
        let time = Int(second % 86_400)
        let isJSON = format == .json
        var line = LineCursor(next: text)
        func at(_ offset: Int) { line.next = text + offset }
        at(isJSON ? 0 : 7)
        line.putTwoDigits(date.year / 100)
        line.putTwoDigits(date.year % 100)
        at(isJSON ? 8 : 0)
        line.putTwoDigits(date.day)
        at(isJSON ? 5 : 3)
        if isJSON {
            line.putTwoDigits(date.month)
        } else {
            line.next.initialize(from: Self.months.utf8Start + (date.month - 1) * 3, count: 3)
        }
        at(isJSON ? 11 : 12)
        line.putTwoDigits(time / 3_600)
        at(isJSON ? 14 : 15)
        line.putTwoDigits(time / 60 % 60)
        at(isJSON ? 17 : 18)
        line.putTwoDigits(time % 60)
    }
}

/// Where the next byte of a line goes. There must be room for everything that is put.
struct LineCursor {
    /// The number of bytes behind the last one that may be written, too.
    static let overhang = 8

    var next: UnsafeMutablePointer<UInt8>

    private static let twoDigits: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        next.pointee = byte
        next += 1
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        next.initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
        next += text.utf8CodeUnitCount
    }

    /// Two digits, with a zero in front; `value` is below 100.
    @inline(__always)
    mutating func putTwoDigits(_ value: Int) {
        next.initialize(from: Self.twoDigits.utf8Start + value &* 2, count: 2)
        next += 2
    }

    /// A number in decimal; below zero, where no number of a log is, as 0.
    @inline(__always)
    mutating func put(_ number: Int64) {
        if number < 10 { return put(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: max(number, 0))) }
        var rest = Int(number)
        next += Self.digits(of: rest)
        // From the end, two at a time.
        var digits = next
        while rest >= 100 {
            digits -= 2
            digits.initialize(from: Self.twoDigits.utf8Start + rest % 100 &* 2, count: 2)
            rest /= 100
        }
        if rest >= 10 {
            (digits - 2).initialize(from: Self.twoDigits.utf8Start + rest &* 2, count: 2)
        } else {
            (digits - 1).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        }
    }

    private static func digits(of number: Int) -> Int {
        var bound = 10
        for digits in 1..<19 {
            if number < bound { return digits }
            bound = bound &* 10
        }
        return 19
    }
}

/// The record of one request in the access log.
///
/// It points into memory of others, which has to stay until `AccessLogBuffer.append` has returned.
package struct AccessLogEntry: BitwiseCopyable {
    package enum TLS: UInt8, Sendable, BitwiseCopyable {
        /// A request without TLS.
        case none
        case version12, version13
    }

    /// Bytes that somebody sent, in whatever encoding.
    package struct Text: BitwiseCopyable {
        let start: UnsafePointer<UInt8>?
        let count: Int

        /// Nothing was sent, or it could not be read.
        package static var absent: Text { Text(start: nil, count: 0) }

        package init(_ bytes: UnsafeBufferPointer<UInt8>) {
            self.init(start: bytes.baseAddress, count: bytes.count)
        }

        /// A slice of the bytes of a request; `Slice.empty` if there is none.
        @inline(__always)
        package init(_ slice: RequestHead.Slice, in bytes: UnsafeBufferPointer<UInt8>) {
            guard slice.start > 0 || slice.count > 0, let start = bytes.baseAddress,
                Int(slice.start) &+ Int(slice.count) <= bytes.count
            else {
                self = .absent
                return
            }
            self.init(start: start + Int(slice.start), count: Int(slice.count))
        }

        private init(start: UnsafePointer<UInt8>?, count: Int) {
            self.start = start
            self.count = count
        }

        /// The part before the first byte of that value.
        fileprivate func upTo(_ byte: UInt8) -> Text {
            let end = UnsafeBufferPointer(start: start, count: count).firstIndex(of: byte)
            return Text(start: start, count: end ?? count)
        }
    }

    /// Milliseconds since 1970, UTC.
    package var time: Int64
    /// The client's, as far as it is known; `nil` if all that is known is a Unix socket.
    package var address: IPAddress?
    /// The socket's peer; `nil` on a Unix socket.
    package var peer: IPAddress?
    /// The domain as the site is called, so `*.example.com` for a wildcard.
    package var site = Text.absent
    /// The host asked for, which explains a 421 or a 404.
    package var host = Text.absent
    package var method = Text.absent
    /// The target of the request, query included.
    package var target = Text.absent
    /// The version of HTTP; 1.1 where it could not be read.
    package var version = HTTPVersion.http11
    package var status: UInt16
    /// Those of the body.
    package var bytes: Int
    /// The time from the request to its answer.
    package var microseconds: Int64
    package var tls: TLS
    package var isResumed: Bool
    package var userAgent = Text.absent
    /// Whether neither of the addresses is written.
    private(set) var hidesAddresses = false

    package init(
        time: Int64, address: IPAddress?, peer: IPAddress?, status: UInt16, bytes: Int, microseconds: Int64, tls: TLS,
        isResumed: Bool
    ) {
        self.time = time
        self.address = address
        self.peer = peer
        self.status = status
        self.bytes = bytes
        self.microseconds = microseconds
        self.tls = tls
        self.isResumed = isResumed
    }

    /// Leaves out what says who has opened a link, or with what: a part of the addresses, or all, and the query.
    package mutating func hideVisitor(_ addresses: ServerConfiguration.LinkAddresses) {
        target = target.upTo(UInt8(ascii: "?"))
        switch addresses {
        case .full: break
        case .prefix: (address, peer) = (address?.network, peer?.network)
        case .none: hidesAddresses = true
        }
    }
}

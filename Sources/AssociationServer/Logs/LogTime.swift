internal import SystemSupport

/// The text of a time, kept for the lines that follow in the same second.
struct LogTime: ~Copyable {
    /// From 1970 to the end of the year 9999: what four digits can say. Other times are written as the nearest of them.
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
        func at(_ place: Int) { line.next = text + place }
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

internal import SystemSupport

/// The date formats of HTTP (RFC 9110, section 5.6.7), as seconds since 1970 in UTC.
package enum HTTPDate {
    /// The length of `Sun, 06 Nov 1994 08:49:37 GMT`.
    @inlinable package static var count: Int { 29 }

    private static let dayNames: StaticString = "ThuFriSatSunMonTueWed"
    private static let monthNames: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// Writes the 29 bytes of the preferred format.
    ///
    /// Years beyond 9999 are written as 9999.
    package static func write(_ seconds: Int64, to output: UnsafeMutablePointer<UInt8>) {
        let time = min(max(seconds, 0), InternetDate.latest)
        let days = time / 86_400
        let second = time % 86_400
        let date = CivilDate(daysSince1970: days)
        let separators: StaticString = "___, __ ___ ____ __:__:__ GMT"
        output.update(from: separators.utf8Start, count: count)
        (output + 0).update(from: dayNames.utf8Start + Int(days % 7) * 3, count: 3)
        writeTwoDigits(date.day, to: output + 5)
        (output + 8).update(from: monthNames.utf8Start + (date.month - 1) * 3, count: 3)
        writeTwoDigits(date.year / 100, to: output + 12)
        writeTwoDigits(date.year % 100, to: output + 14)
        writeTwoDigits(Int(second / 3_600), to: output + 17)
        writeTwoDigits(Int(second / 60 % 60), to: output + 20)
        writeTwoDigits(Int(second % 60), to: output + 23)
    }

    package static func string(_ seconds: Int64) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            write(seconds, to: start)
            return count
        }
    }

    /// Reads any of the three formats; `nil` if it is none of them.
    ///
    /// - Parameter now: decides the century of the two-digit years of RFC 850: a date that seems more than 50 years ahead
    ///   is one of the past.
    package static func parse(_ text: Span<UInt8>, in range: Range<Int>, now: Int64) -> Int64? {
        guard let comma = range.prefix(10).first(where: { text[$0] == UInt8(ascii: ",") }) else {
            return parseAsctime(text, range)
        }
        return comma - range.lowerBound == 3
            ? parsePreferred(text, range) : parseRFC850(text, range, comma: comma, now: now)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func parsePreferred(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        let start = range.lowerBound
        guard range.count == count, isDayName(text, start), fits("__, __ ___ ____ __:__:__ GMT", text, start + 1),
            let day = number(text, start + 5, 2), let month = month(text, start + 8),
            let year = number(text, start + 12, 4)
        else { return nil }
        return seconds(year: year, month: month, day: day, time: time(text, start + 17))
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func parseRFC850(_ text: Span<UInt8>, _ range: Range<Int>, comma: Int, now: Int64) -> Int64? {
        let start = range.lowerBound
        let names: [StaticString] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        guard names.contains(where: { $0.utf8CodeUnitCount == comma - start && fits($0, text, start) }),
            range.upperBound - comma == 24, fits(", __-___-__ __:__:__ GMT", text, comma),
            let day = number(text, comma + 2, 2), let month = month(text, comma + 5),
            let shortYear = number(text, comma + 9, 2)
        else { return nil }
        let fiftyYears: Int64 = 50 * 31_556_952
        let thisYear = CivilDate(daysSince1970: max(now, 0) / 86_400).year
        let year = thisYear - thisYear % 100 + shortYear
        let time = time(text, comma + 12)
        let near = seconds(year: year, month: month, day: day, time: time)
        if let near, near <= now + fiftyYears { return near }
        return seconds(year: year - 100, month: month, day: day, time: time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func parseAsctime(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        let start = range.lowerBound
        guard range.count == 24, isDayName(text, start), fits("_ ___ __ __:__:__ ____", text, start + 2),
            let month = month(text, start + 4), let year = number(text, start + 20, 4)
        else { return nil }
        let isPadded = text[start + 8] == Characters.space
        guard let day = isPadded ? number(text, start + 9, 1) : number(text, start + 8, 2) else { return nil }
        return seconds(year: year, month: month, day: day, time: time(text, start + 11))
    }

    /// Whether the text has the pattern's characters wherever the pattern has no `_`.
    private static func fits(_ pattern: StaticString, _ text: Span<UInt8>, _ start: Int) -> Bool {
        for offset in 0..<pattern.utf8CodeUnitCount {
            let expected = pattern.utf8Start[offset]
            if expected != UInt8(ascii: "_"), text[start + offset] != expected { return false }
        }
        return true
    }

    private static func number(_ text: Span<UInt8>, _ start: Int, _ digits: Int) -> Int? {
        var value = 0
        for index in start..<start + digits {
            guard Characters.isDigit(text[index]) else { return nil }
            value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
        }
        return value
    }

    private static func time(_ text: Span<UInt8>, _ start: Int) -> Int64? {
        guard let hour = number(text, start, 2), let minute = number(text, start + 3, 2),
            let second = number(text, start + 6, 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return Int64(hour * 3_600 + minute * 60 + second)
    }

    private static func isDayName(_ text: Span<UInt8>, _ start: Int) -> Bool {
        index(of: text, start, in: dayNames) != nil
    }

    private static func month(_ text: Span<UInt8>, _ start: Int) -> Int? {
        index(of: text, start, in: monthNames).map { $0 + 1 }
    }

    private static func index(of text: Span<UInt8>, _ start: Int, in names: StaticString) -> Int? {
        for index in 0..<names.utf8CodeUnitCount / 3 {
            let name = names.utf8Start + index * 3
            if text[start] == name[0], text[start + 1] == name[1], text[start + 2] == name[2] { return index }
        }
        return nil
    }

    private static func seconds(year: Int, month: Int, day: Int, time: Int64?) -> Int64? {
        guard let time, let date = CivilDate(year: year, month: month, day: day) else { return nil }
        return date.daysSince1970 * 86_400 + time
    }

    private static func writeTwoDigits(_ value: Int, to output: UnsafeMutablePointer<UInt8>) {
        output[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
        output[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
    }
}

internal import Diagnostics
internal import SystemSupport

/// A second in UTC, and its date.
package struct Timestamp: Sendable, Equatable {
    /// Since 1970, without leap seconds.
    package let seconds: Int64

    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Like `2026-11-21`; years outside of 0…9999, which RFC 3339 does not have, with a sign or more digits.
    package var date: String {
        let date = CivilDate(secondsSince1970: seconds)
        let year = Self.padded(Int64(date.year.magnitude), 4)
        return
            "\(date.year < 0 ? "-" : "")\(year)-\(Self.padded(Int64(date.month), 2))-\(Self.padded(Int64(date.day), 2))"
    }

    /// Like `2026-11-21 07:46 UTC`, for people.
    package var minute: String {
        let text = description
        guard text.utf8.count == 20 else { return text }
        return "\(date) \(text.dropFirst(11).prefix(5)) UTC"
    }

    fileprivate static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Timestamp: CustomStringConvertible {
    /// Like `2026-11-21T00:00:00Z` (RFC 3339).
    package var description: String {
        let rest = seconds % 86_400
        let second = rest < 0 ? rest + 86_400 : rest
        let parts = [second / 3600, second / 60 % 60, second % 60]
        return "\(date)T\(parts.map { Self.padded($0, 2) }.joined(separator: ":"))Z"
    }
}

/// Why a text is not a date and time.
package struct TimestampError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One clause without a full stop: what is wrong, and what to write.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Timestamp {
    /// Reads a date and time of RFC 3339, such as `2026-11-21T00:00:00Z` or `2026-11-21 01:00:00.5+01:00`.
    ///
    /// The letters may be lowercase, and a space may replace the `T`. Fractions are rounded down. Second 60 is taken
    /// where there can be a leap second, and is the first one of the next day.
    package init(rfc3339 text: String) throws(TimestampError) {
        var parser = RFC3339Parser(text)
        seconds = try parser.parse()
    }
}

private struct RFC3339Parser {
    private let text: String
    private var rest: Substring.UTF8View

    init(_ text: String) {
        self.text = text
        rest = text[...].utf8
    }

    mutating func parse() throws(TimestampError) -> Int64 {
        let year = try number(digits: 4)
        try expect("-")
        let month = try number(digits: 2)
        try expect("-")
        let day = try number(digits: 2)
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw TimestampError("\(quoted(text)) is a day that does not exist")
        }
        guard skip("T") || skip("t") || skip(" ") else { throw malformed }
        let hour = try number(digits: 2)
        try expect(":")
        let minute = try number(digits: 2)
        try expect(":")
        let second = try number(digits: 2)
        guard hour < 24, minute < 60, second <= 60 else { throw noSuchTime }
        try skipFraction()
        let offset = try offset()
        guard rest.isEmpty else { throw malformed }
        let seconds = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
        if second == 60, !Self.followsLeapSecond(seconds) { throw noSuchTime }
        return seconds
    }

    /// The seconds east of UTC.
    private mutating func offset() throws(TimestampError) -> Int {
        if skip("Z") || skip("z") { return 0 }
        guard !rest.isEmpty else {
            throw TimestampError(
                "\(quoted(text)) has no time zone; add Z for UTC, or an offset like +01:00")
        }
        let isWest = skip("-")
        if !isWest { try expect("+") }
        let hour = try number(digits: 2)
        try expect(":")
        let minute = try number(digits: 2)
        guard hour < 24, minute < 60 else { throw noSuchTime }
        return (hour * 3600 + minute * 60) * (isWest ? -1 : 1)
    }

    private mutating func skipFraction() throws(TimestampError) {
        guard skip(".") else { return }
        _ = try number(digits: 1)
        rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private mutating func number(digits: Int) throws(TimestampError) -> Int {
        var number = 0
        for _ in 0..<digits {
            guard let byte = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                throw malformed
            }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(TimestampError) {
        guard skip(character) else { throw malformed }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private var malformed: TimestampError {
        TimestampError("\(quoted(text)) is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z")
    }

    private var noSuchTime: TimestampError { TimestampError("\(quoted(text)) is a time that does not exist") }

    /// Leap seconds are put at the end of a month, in UTC.
    private static func followsLeapSecond(_ seconds: Int64) -> Bool {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest == 0 && CivilDate(daysSince1970: days).day == 1
    }
}

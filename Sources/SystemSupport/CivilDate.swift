/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable, Sendable {
    package let year: Int
    /// 1…12
    package let month: Int
    /// 1…31
    package let day: Int

    private static let daysPerEra = 146_097
    /// The days from 1 March of year 0 to 1 January 1970.
    private static let epoch = 719_468

    /// Nil if the month has no such day, as February 30.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(month: month, year: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Parameter days: Before or after 1970-01-01, as many as seconds in 64 bits can say.
    package init(daysSince1970 days: Int64) {
        // Years begin in March here: so the leap day is a year's last, and all months follow one pattern.
        let (era, dayOfEra) = Self.floorDivide(Int(days) + Self.epoch, by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (shiftedMonth < 10 ? 0 : 1)
    }

    /// Negative for days before 1970-01-01.
    package var daysSince1970: Int64 {
        let (era, yearOfEra) = Self.floorDivide(month > 2 ? year : year - 1, by: 400)
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * Self.daysPerEra + dayOfEra - Self.epoch)
    }

    private static func length(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The quotient rounded down, and a remainder that is never negative.
    private static func floorDivide(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension CivilDate {
    /// The day of a time in UTC.
    ///
    /// - Parameter seconds: Since 1970.
    package init(secondsSince1970 seconds: Int64) {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        self.init(daysSince1970: rest < 0 ? days - 1 : days)
    }
}

/// Dates and times as RFC 3339 writes them, in UTC. A time outside of the years 0 to 9999 is written as the nearest one in
/// them: four digits can say no more.
package enum InternetDate {
    /// The last second of the year 9999.
    package static let latest: Int64 = 253_402_300_799
    /// The first second of the year 0.
    private static let earliest: Int64 = -62_167_219_200

    /// A time in UTC, such as `2026-11-21T08:49:37Z`.
    ///
    /// - Parameter seconds: Since 1970.
    package static func string(_ seconds: Int64) -> String {
        let (date, second) = parts(seconds)
        return String(unsafeUninitializedCapacity: 20) { text in
            var count = 0
            func put(_ number: Int, _ mark: Unicode.Scalar?) {
                text[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
                text[count + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
                count += 2
                guard let mark else { return }
                text[count] = UInt8(ascii: mark)
                count += 1
            }
            put(date.year / 100, nil)
            put(date.year % 100, "-")
            put(date.month, "-")
            put(date.day, "T")
            put(second / 3_600, ":")
            put(second / 60 % 60, ":")
            put(second % 60, "Z")
            return count
        }
    }

    /// The day in UTC, such as `2026-11-21`.
    package static func day(_ seconds: Int64) -> String { String(string(seconds).prefix(10)) }

    /// The minute in UTC, such as `08:49`.
    package static func minute(_ seconds: Int64) -> String { String(string(seconds).dropFirst(11).prefix(5)) }

    /// The day and minute, such as `2026-11-21 08:49 UTC`.
    package static func dayAndMinute(_ seconds: Int64) -> String { "\(day(seconds)) \(minute(seconds)) UTC" }

    private static func parts(_ seconds: Int64) -> (date: CivilDate, second: Int) {
        let time = min(max(seconds, earliest), latest)
        let second = Int(time % 86_400)
        return (CivilDate(secondsSince1970: time), second < 0 ? second + 86_400 : second)
    }
}

extension InternetDate {
    /// Why a text is not a date and time.
    package enum ReadingError: Error, Equatable, Sendable {
        case malformed
        /// It ends where the offset is due.
        case noTimeZone
        case noSuchDay
        case noSuchTime
    }

    /// Reads a date and time of RFC 3339, such as `2026-11-21T00:00:00Z` or `2026-11-21 01:00:00.5+01:00`.
    ///
    /// The letters may be lowercase, and a space may replace the `T`. Fractions are rounded down. Second 60 is taken
    /// where there can be a leap second, and is the first one of the next day.
    /// - Returns: Seconds since 1970, without leap seconds.
    package static func seconds(_ text: String) throws(ReadingError) -> Int64 {
        var reader = InternetDateReader(rest: text[...].utf8)
        return try reader.read()
    }
}

private struct InternetDateReader {
    var rest: Substring.UTF8View

    mutating func read() throws(InternetDate.ReadingError) -> Int64 {
        let year = try number(digits: 4)
        try expect("-")
        let month = try number(digits: 2)
        try expect("-")
        let day = try number(digits: 2)
        guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchDay }
        guard skip("T") || skip("t") || skip(" ") else { throw .malformed }
        let hour = try number(digits: 2)
        try expect(":")
        let minute = try number(digits: 2)
        try expect(":")
        let second = try number(digits: 2)
        guard hour < 24, minute < 60, second <= 60 else { throw .noSuchTime }
        try skipFraction()
        let offset = try offset()
        guard rest.isEmpty else { throw .malformed }
        let seconds = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
        if second == 60, !Self.followsLeapSecond(seconds) { throw .noSuchTime }
        return seconds
    }

    /// The seconds east of UTC.
    private mutating func offset() throws(InternetDate.ReadingError) -> Int {
        if skip("Z") || skip("z") { return 0 }
        guard !rest.isEmpty else { throw .noTimeZone }
        let isWest = skip("-")
        if !isWest { try expect("+") }
        let hour = try number(digits: 2)
        try expect(":")
        let minute = try number(digits: 2)
        guard hour < 24, minute < 60 else { throw .noSuchTime }
        return (hour * 3600 + minute * 60) * (isWest ? -1 : 1)
    }

    private mutating func skipFraction() throws(InternetDate.ReadingError) {
        guard skip(".") else { return }
        _ = try number(digits: 1)
        rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private mutating func number(digits: Int) throws(InternetDate.ReadingError) -> Int {
        var number = 0
        for _ in 0..<digits {
            guard let byte = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                throw .malformed
            }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(InternetDate.ReadingError) {
        guard skip(character) else { throw .malformed }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Leap seconds are put at the end of a month, in UTC.
    private static func followsLeapSecond(_ seconds: Int64) -> Bool {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest == 0 && CivilDate(daysSince1970: days).day == 1
    }
}

/// The number of whole days in a time: negative for a time that is over, be it by a second.
package func wholeDays(_ seconds: Int64) -> Int {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return Int(rest < 0 ? days - 1 : days)
}

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

/// Dates and times as RFC 3339 writes them.
package enum InternetDate {
    /// The last second of the year 9999: four digits can say no more.
    package static let latest: Int64 = 253_402_300_799

    /// For example `2026-11-21T08:49:37Z`; a time outside of the years 1970 to 9999 is written as the nearest one in them.
    ///
    /// - Parameter seconds: Since 1970, UTC.
    package static func string(_ seconds: Int64) -> String {
        let time = min(max(seconds, 0), latest)
        let date = CivilDate(secondsSince1970: time)
        let second = Int(time % 86_400)
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

    /// For example `2026-11-21`; a time outside of the years 1970 to 9999 is written as the nearest one in them.
    ///
    /// - Parameter seconds: Since 1970, UTC.
    package static func day(_ seconds: Int64) -> String {
        let date = CivilDate(secondsSince1970: min(max(seconds, 0), latest))
        return "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day))"
    }

    /// For example `08:49`.
    ///
    /// - Parameter seconds: Since 1970, UTC.
    package static func minute(_ seconds: Int64) -> String {
        let second = Int(min(max(seconds, 0), latest) % 86_400)
        return "\(twoDigits(second / 3_600)):\(twoDigits(second / 60 % 60))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

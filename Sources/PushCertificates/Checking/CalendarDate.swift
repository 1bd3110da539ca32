/// A day of the Gregorian calendar, also before there was one.
struct CalendarDate: Equatable {
    let year: Int64
    let month: Int
    let day: Int

    /// Nil if there is no such day, like February 30.
    init?(year: Int64, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(month: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter days: Since 1970-01-01; any number of days that fits into seconds.
    init(days: Int64) {
        // Years are counted from March: so the leap day is the last one, and months have one pattern.
        let (era, dayOfEra) = (days + Self.epoch).dividedDown(by: Self.era)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * march + 2) / 5 + 1)
        month = Int(march < 10 ? march + 3 : march - 9)
        year = era * 400 + yearOfEra + (march < 10 ? 0 : 1)
    }

    /// Since 1970-01-01.
    var days: Int64 {
        let (era, yearOfEra) = (month > 2 ? year : year - 1).dividedDown(by: 400)
        let march = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * march + 2) / 5 + Int64(day) - 1
        return era * Self.era + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.epoch
    }

    /// How many days a month from 1 to 12 has.
    static func length(month: Int, year: Int64) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days of 400 years.
    private static let era: Int64 = 146_097
    /// The days from 0000-03-01 to 1970-01-01.
    private static let epoch: Int64 = 719_468
}

extension Int64 {
    /// The quotient rounded down, and the rest, which is never negative.
    fileprivate func dividedDown(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}

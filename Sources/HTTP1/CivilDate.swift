/// A day of the proleptic Gregorian calendar.
package struct CivilDate {
    package let year: Int
    /// 1…12
    package let month: Int
    /// 1…31
    package let day: Int

    private static let daysPerEra = 146_097
    /// Days from 1 March of year 0 to 1 January 1970.
    private static let epoch = 719_468

    /// `nil` if the month has no such day.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// For days from 1970 on. Years begin in March here, so that the leap day is a year's last.
    package init(daysSince1970: Int64) {
        let shifted = Int(daysSince1970) + Self.epoch
        let era = shifted / Self.daysPerEra
        let dayOfEra = shifted % Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * Self.daysPerEra + dayOfEra - Self.epoch)
    }
}

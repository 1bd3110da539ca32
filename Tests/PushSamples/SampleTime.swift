/// The clock of the samples: their dates lie around a moment that never moves, so that no test depends on the day it runs.
public enum SampleTime {
    /// 2026-11-18T11:06:40Z, in seconds since 1970.
    public static let now: Int64 = 1_795_000_000
    /// The same for `--now`.
    public static let nowText = text(now)
    public static let day: Int64 = 86_400

    /// So many days after `now`, or before it.
    public static func days(_ count: Int64) -> Int64 { now + count * day }

    /// RFC 3339, in UTC.
    ///
    /// - Parameter seconds: Since 1970.
    public static func text(_ seconds: Int64) -> String {
        let parts = Parts(seconds)
        let date = "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))"
        return "\(date)T\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2))Z"
    }

    /// The form in which a date is written into a certificate.
    public enum Encoding: Sendable {
        /// UTCTime through 2049, GeneralizedTime from 2050 on (RFC 5280, section 4.1.2.5).
        case standard
        case utcTime
        case generalizedTime
        /// These characters, whatever they mean.
        case literal(tag: UInt8, String)
    }

    static func der(_ seconds: Int64, _ encoding: Encoding) -> [UInt8] {
        let parts = Parts(seconds)
        let rest =
            [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { digits($0, 2) }.joined() + "Z"
        return switch encoding {
        case .standard: der(seconds, (1950..<2050).contains(parts.year) ? .utcTime : .generalizedTime)
        case .utcTime: DER.element(0x17, Array((digits(parts.year % 100, 2) + rest).utf8))
        case .generalizedTime: DER.element(0x18, Array((digits(parts.year, 4) + rest).utf8))
        case .literal(let tag, let text): DER.element(tag, Array(text.utf8))
        }
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// The proleptic Gregorian calendar.
    private struct Parts {
        let year, month, day, hour, minute, second: Int64

        init(_ seconds: Int64) {
            var days = seconds / SampleTime.day
            var rest = seconds % SampleTime.day
            if rest < 0 {
                rest += SampleTime.day
                days -= 1
            }
            (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
            // Years begin in March here, so that the leap day is the last one.
            let shifted = days + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
            month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        }
    }
}

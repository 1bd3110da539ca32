/// Dates and times as RFC 3339 writes them.
package enum InternetDate {
    /// For example `2026-11-21T08:49:37Z`; a time outside of the years 1970 to 9999 is written as the nearest one in them.
    ///
    /// - Parameter seconds: since 1970, UTC.
    package static func string(_ seconds: Int64) -> String {
        let time = min(max(seconds, 0), HTTPDate.latest)
        let date = CivilDate(daysSince1970: time / 86_400)
        let second = Int(time % 86_400)
        let clock = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day))T\(clock)Z"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

import HTTP1
import Testing

struct HTTPDateTests {
    /// Sunday, 6 November 1994, 08:49:37, the date of RFC 9110.
    private static let example: Int64 = 784_111_777
    /// The last second of the year 9999.
    private static let latest: Int64 = 253_402_300_799

    private func parse(_ text: String, now: Int64 = example) -> Int64? {
        parse(bytes(text), now: now)
    }

    private func parse(_ date: [UInt8], now: Int64 = example) -> Int64? {
        // Characters on both sides, because a date is a part of a head.
        let input = bytes("x") + date + bytes("9")
        return HTTPDate.parse(input.span, in: 1..<input.count - 1, now: now)
    }

    @Test(
        "A date is written in the preferred format",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (59, "Thu, 01 Jan 1970 00:00:59 GMT"),
            (86_399, "Thu, 01 Jan 1970 23:59:59 GMT"),
            (86_400, "Fri, 02 Jan 1970 00:00:00 GMT"),
            (68_169_600, "Tue, 29 Feb 1972 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (946_684_799, "Fri, 31 Dec 1999 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (2_147_483_647, "Tue, 19 Jan 2038 03:14:07 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func writing(seconds: Int64, text: String) {
        #expect(HTTPDate.string(seconds) == text)
        #expect(parse(text) == seconds)
    }

    @Test("A date beyond what can be written is the nearest that can")
    func clamping() {
        for seconds in [Self.latest + 1, .max] { #expect(HTTPDate.string(seconds) == HTTPDate.string(Self.latest)) }
        for seconds in [-1, .min] as [Int64] { #expect(HTTPDate.string(seconds) == HTTPDate.string(0)) }
    }

    @Test("Each day from 1970 to 2101 has the name and number that a calendar gives it")
    func everyDay() {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var day = 0
        for year in 1970...2101 {
            let february = year % 4 == 0 && year != 2100 ? 29 : 28
            for (month, length) in zip(months, [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for date in 1...length {
                    let text = "\(weekdays[day % 7]), \(date < 10 ? "0" : "")\(date) \(month) \(year) 12:34:56 GMT"
                    let seconds = Int64(day) * 86_400 + 45_296
                    if HTTPDate.string(seconds) != text || parse(text) != seconds { Issue.record("\(text)") }
                    day += 1
                }
            }
        }
        #expect(day == 48_212)
    }

    @Test("What is written is read again as the same second")
    func roundTrip() {
        // A prime, so that days, hours, minutes and seconds are all met.
        for seconds in stride(from: 0, through: Self.latest, by: 15_485_863) {
            if parse(HTTPDate.string(seconds)) != seconds { Issue.record("\(seconds)") }
        }
    }

    @Test(
        "All three formats are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", example),
            ("Sunday, 06-Nov-94 08:49:37 GMT", example),
            ("Sun Nov  6 08:49:37 1994", example),
            ("Sun Nov 06 08:49:37 1994", example),
            ("Wednesday, 16-Nov-94 08:49:37 GMT", example + 864_000),
            ("Wed Nov 16 08:49:37 1994", example + 864_000),
            ("Tuesday, 29-Feb-72 00:00:00 GMT", 68_169_600),
            ("Tue Feb 29 00:00:00 2000", 951_782_400),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Sun, 31 Dec 1972 23:59:60 GMT", 94_694_400),
        ])
    func formats(text: String, seconds: Int64) {
        #expect(parse(text) == seconds)
    }

    @Test(
        "What is no date is none",
        arguments: [
            "", "0", ",", ", ", "Sun", "Sun,", "Sunday,", "784111777", "now", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 GMT ",
            " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun,06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06  Nov 1994 8:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 06 ovD 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 32 Dec 1994 08:49:37 GMT",
            "Tue, 29 Feb 1994 08:49:37 GMT", "Mon, 29 Feb 2100 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT",
            "Noday, 06-Nov-94 08:49:37 GMT", "Sunday, 31-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37",
            "Sunday, 06-Nov-x4 08:49:37 GMT", "Wednesdays, 16-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov 06  08:49:37 1994", "Sun Nov  0 08:49:37 1994", "Sun Nov 31 08:49:37 1994",
            "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 ", "Sun Nov  6 8:49:37 19945",
            "Xyz Nov  6 08:49:37 1994",
            "Sun Nov   08:49:37 1994 ", "1994-11-06T08:49:37Z", "1994-11-06T08:49:37.0000",
        ])
    func malformed(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("A date with one wrong byte, or cut short, is not the same date")
    func wrongBytes() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            let date = bytes(text)
            for index in date.indices {
                for byte in [0, 9, 32, 44, 45, 47, 57, 58, 81, 127, 255] as [UInt8] where byte != date[index] {
                    var changed = date
                    changed[index] = byte
                    #expect(parse(changed) != Self.example)
                }
                #expect(parse(Array(date[..<index])) == nil)
            }
        }
    }

    @Test(
        "A two-digit year is of the century that brings it at most 50 years ahead",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "94", 1994), ("Sun, 06 Nov 1994 08:49:37 GMT", "99", 1999),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "00", 1900), ("Thu, 01 Jan 2026 00:00:00 GMT", "94", 1994),
            ("Thu, 01 Jan 2026 00:00:00 GMT", "26", 2026), ("Thu, 01 Jan 2026 00:00:00 GMT", "75", 2075),
            ("Thu, 01 Jan 2026 00:00:00 GMT", "77", 1977), ("Thu, 01 Jan 2026 00:00:00 GMT", "00", 2000),
        ])
    func shortYears(now: String, year: String, expected: Int) throws {
        let now = try #require(parse(now))
        let date = try #require(parse("Monday, 01-Jun-\(year) 00:00:00 GMT", now: now))
        #expect(parse("Mon, 01 Jun \(expected) 00:00:00 GMT") == date)
    }

    @Test("The 50 years are counted to the day")
    func shortYearsToTheDay() throws {
        let now = try #require(parse("Thu, 01 Jan 2026 00:00:00 GMT"))
        #expect(parse("Wednesday, 01-Jan-76 00:00:00 GMT", now: now) == parse("Wed, 01 Jan 2076 00:00:00 GMT"))
        #expect(parse("Thursday, 31-Dec-76 23:59:59 GMT", now: now) == parse("Fri, 31 Dec 1976 23:59:59 GMT"))
    }

    @Test("Names of days are read as they are written", arguments: ["SundAy", "SUNDAY", "sunday"])
    func caseOfDays(name: String) {
        #expect(parse("\(name), 06-Nov-94 08:49:37 GMT") == nil)
    }
}

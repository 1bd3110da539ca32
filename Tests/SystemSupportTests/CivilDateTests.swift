import SystemSupport
import Testing

struct CivilDateTests {
    @Test(
        "days are counted from 1970 in both directions",
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (19_782, 2024, 2, 29), (-719_468, 0, 3, 1), (-719_469, 0, 2, 29),
            (-719_529, -1, 12, 31), (2_932_896, 9999, 12, 31), (106_751_991_167_300, 292_277_026_596, 12, 4),
        ] as [(Int64, Int, Int, Int)])
    func days(days: Int64, year: Int, month: Int, day: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(CivilDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
    }

    @Test("each day of 800 years follows the one before it")
    func order() {
        for days in Int64(-146_097)...146_097 where CivilDate(daysSince1970: days).daysSince1970 != days {
            Issue.record("\(days)")
        }
    }

    @Test("a second belongs to its day, also before 1970")
    func seconds() {
        #expect(CivilDate(secondsSince1970: 86_399) == CivilDate(year: 1970, month: 1, day: 1))
        #expect(CivilDate(secondsSince1970: -1) == CivilDate(year: 1969, month: 12, day: 31))
        #expect(CivilDate(secondsSince1970: -86_400) == CivilDate(year: 1969, month: 12, day: 31))
    }

    @Test(
        "there is no day that a month does not have",
        arguments: [
            (2026, 2, 29), (1900, 2, 29), (2024, 2, 30), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
        ])
    func missing(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }
}

struct InternetDateTests {
    @Test(
        "a time is written as RFC 3339 has it",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (784_111_777, "1994-11-06T08:49:37Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (Int64.max, "9999-12-31T23:59:59Z"),
            (-1, "1970-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func string(seconds: Int64, text: String) {
        #expect(InternetDate.string(seconds) == text)
    }

    @Test(
        "a time is read with any offset, and fractions are rounded down",
        arguments: [
            ("2026-11-21T00:00:00Z", 1_795_219_200), ("2026-11-21 01:30:00.9+01:30", 1_795_219_200),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("1969-12-31t23:59:59.9z", -1),
        ] as [(String, Int64)])
    func seconds(text: String, seconds: Int64) throws {
        #expect(try InternetDate.seconds(text) == seconds)
    }

    @Test(
        "what is not a time says why",
        arguments: [
            ("", .malformed), ("2026-11-21", .malformed), ("2026-11-21T00:00:00", .noTimeZone),
            ("2026-02-29T00:00:00Z", .noSuchDay), ("2026-11-21T24:00:00Z", .noSuchTime),
            ("2026-11-21T00:00:60Z", .noSuchTime), ("2026-11-21T00:00:00Zx", .malformed),
        ] as [(String, InternetDate.ReadingError)])
    func unreadable(text: String, error: InternetDate.ReadingError) {
        #expect(throws: error) { try InternetDate.seconds(text) }
    }
}

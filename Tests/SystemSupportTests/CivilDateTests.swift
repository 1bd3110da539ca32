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
    static let bothCases: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59Z", -1),
        ("2026-11-21T00:00:00Z", 1_795_219_200),
        ("2000-02-29T12:34:56Z", 951_827_696),
        ("2100-02-28T23:59:59Z", 4_107_542_399),
        ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("1600-02-29T00:00:00Z", -11_670_998_400),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("0000-01-01T00:00:00Z", -62_167_219_200),
        ("0000-02-29T00:00:00Z", -62_162_121_600),
        ("1994-11-06T08:49:37Z", 784_111_777),
    ]

    @Test("a second has one text, and the text is that second", arguments: bothCases)
    func both(text: String, seconds: Int64) throws {
        #expect(InternetDate.string(seconds) == text)
        #expect(try InternetDate.seconds(text) == seconds)
    }

    @Test(
        "a year that four digits cannot say is written as the nearest that they can",
        arguments: [
            (253_402_300_800, "9999-12-31T23:59:59Z"), (.max, "9999-12-31T23:59:59Z"),
            (-62_167_219_201, "0000-01-01T00:00:00Z"), (.min, "0000-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func farAway(seconds: Int64, text: String) {
        #expect(InternetDate.string(seconds) == text)
    }

    @Test("a day, a minute and both")
    func partsOfTexts() {
        #expect(InternetDate.day(784_111_777) == "1994-11-06")
        #expect(InternetDate.minute(784_111_777) == "08:49")
        #expect(InternetDate.dayAndMinute(-1) == "1969-12-31 23:59 UTC")
    }

    @Test("every day of a century follows the one before")
    func everyDay() throws {
        var previous = InternetDate.day(9_999 * 86_400)
        for day in Int64(10_000)...48_000 {
            let date = InternetDate.day(day * 86_400)
            #expect(previous.utf8.lexicographicallyPrecedes(date.utf8))
            #expect(try InternetDate.seconds(date + "T00:00:00Z") == day * 86_400)
            previous = date
        }
    }

    static let acceptedCases: [(String, Int64)] = [
        ("2026-11-21t00:00:00z", 1_795_219_200),
        ("2026-11-21 00:00:00Z", 1_795_219_200),
        ("2026-11-21T01:30:00+01:30", 1_795_219_200),
        ("2026-11-20T16:00:00-08:00", 1_795_219_200),
        ("2026-11-21T00:00:00-00:00", 1_795_219_200),
        ("2026-11-21T23:59:00+23:59", 1_795_219_200),
        ("2026-11-21T00:00:00.5Z", 1_795_219_200),
        ("2026-11-21T00:00:00.999999999999999999999999Z", 1_795_219_200),
        ("1969-12-31T23:59:59.9Z", -1),
        ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("2016-12-31T18:59:60.25-05:00", 1_483_228_800),
        ("2017-01-01T05:29:60+05:30", 1_483_228_800),
        ("0000-01-01T00:00:00+01:00", -62_167_222_800),
    ]

    @Test("offsets, small letters, a blank, fractions and leap seconds are read", arguments: acceptedCases)
    func accepted(text: String, seconds: Int64) throws {
        #expect(try InternetDate.seconds(text) == seconds)
    }

    static let refusedCases: [(String, InternetDate.ReadingError)] = [
        ("yesterday", .malformed),
        ("", .malformed),
        ("2026-11-21", .malformed),
        ("2026-11-21T00:00Z", .malformed),
        ("26-11-21T00:00:00Z", .malformed),
        ("+2026-11-21T00:00:00Z", .malformed),
        ("2026-11-21T00:00:00.Z", .malformed),
        ("2026-11-21T00:00:00+0100", .malformed),
        ("2026-11-21T00:00:00Z ", .malformed),
        ("２０２６-11-21T00:00:00Z", .malformed),
        ("2026-11-21T00:00:00", .noTimeZone),
        ("2026-02-30T00:00:00Z", .noSuchDay),
        ("2026-02-29T00:00:00Z", .noSuchDay),
        ("2100-02-29T00:00:00Z", .noSuchDay),
        ("2026-04-31T00:00:00Z", .noSuchDay),
        ("2026-00-10T00:00:00Z", .noSuchDay),
        ("2026-13-10T00:00:00Z", .noSuchDay),
        ("2026-11-00T00:00:00Z", .noSuchDay),
        ("2026-11-21T24:00:00Z", .noSuchTime),
        ("2026-11-21T00:60:00Z", .noSuchTime),
        ("2026-11-21T00:00:61Z", .noSuchTime),
        ("2026-11-21T00:00:00+24:00", .noSuchTime),
        ("2026-11-21T00:00:00+00:60", .noSuchTime),
        ("2026-11-21T23:59:60Z", .noSuchTime),
        ("2016-12-31T23:59:60+01:00", .noSuchTime),
    ]

    @Test("what is not a date and time says why", arguments: refusedCases)
    func refused(text: String, reason: InternetDate.ReadingError) {
        #expect(throws: reason) { try InternetDate.seconds(text) }
    }
}

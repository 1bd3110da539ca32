import PushCertificates
import Testing

@Suite("Dates and times")
struct TimestampTests {
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
    ]

    @Test("A second has one text, and the text is that second", arguments: bothCases)
    func both(text: String, seconds: Int64) throws {
        #expect(Timestamp(seconds: seconds).description == text)
        #expect(try Timestamp(rfc3339: text).seconds == seconds)
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

    @Test("Offsets, small letters, a blank, fractions and leap seconds are read", arguments: acceptedCases)
    func accepted(text: String, seconds: Int64) throws {
        #expect(try Timestamp(rfc3339: text).seconds == seconds)
    }

    static let refusedCases: [(String, String)] = [
        ("yesterday", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("2026-11-21", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("2026-11-21T00:00Z", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("26-11-21T00:00:00Z", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("+2026-11-21T00:00:00Z", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("2026-11-21T00:00:00.Z", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("2026-11-21T00:00:00+0100", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("2026-11-21T00:00:00Z ", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("２０２６-11-21T00:00:00Z", "is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z"),
        ("2026-11-21T00:00:00", "has no time zone; add Z for UTC, or an offset like +01:00"),
        ("2026-02-30T00:00:00Z", "is a day that does not exist"),
        ("2026-02-29T00:00:00Z", "is a day that does not exist"),
        ("2100-02-29T00:00:00Z", "is a day that does not exist"),
        ("2026-04-31T00:00:00Z", "is a day that does not exist"),
        ("2026-00-10T00:00:00Z", "is a day that does not exist"),
        ("2026-13-10T00:00:00Z", "is a day that does not exist"),
        ("2026-11-00T00:00:00Z", "is a day that does not exist"),
        ("2026-11-21T24:00:00Z", "is a time that does not exist"),
        ("2026-11-21T00:60:00Z", "is a time that does not exist"),
        ("2026-11-21T00:00:61Z", "is a time that does not exist"),
        ("2026-11-21T00:00:00+24:00", "is a time that does not exist"),
        ("2026-11-21T00:00:00+00:60", "is a time that does not exist"),
        ("2026-11-21T23:59:60Z", "is a time that does not exist"),
        ("2016-12-31T23:59:60+01:00", "is a time that does not exist"),
    ]

    @Test("What is not a date and time is refused with the reason", arguments: refusedCases)
    func refused(text: String, reason: String) {
        let error = #expect(throws: TimestampError.self) { try Timestamp(rfc3339: text) }
        #expect(error?.description.hasSuffix(" \(reason)") == true)
    }

    @Test("Years that RFC 3339 does not have are shown as well")
    func farAway() {
        #expect(Timestamp(seconds: 253_402_300_800).description == "10000-01-01T00:00:00Z")
        #expect(Timestamp(seconds: -62_167_219_201).description == "-0001-12-31T23:59:59Z")
        #expect(Timestamp(seconds: .max).description == "292277026596-12-04T15:30:07Z")
        #expect(Timestamp(seconds: .min).description == "-292277022657-01-27T08:29:52Z")
    }

    @Test("Every day of a century follows the one before")
    func everyDay() throws {
        var previous = Timestamp(seconds: 9_999 * 86_400).date
        for day in Int64(10_000)...48_000 {
            let date = Timestamp(seconds: day * 86_400).date
            #expect(previous.utf8.lexicographicallyPrecedes(date.utf8))
            #expect(try Timestamp(rfc3339: date + "T00:00:00Z").seconds == day * 86_400)
            previous = date
        }
    }
}

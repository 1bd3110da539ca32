import HTTP1
import Testing

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
}

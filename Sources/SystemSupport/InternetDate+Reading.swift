extension InternetDate {
    /// Why a text is not a date and time.
    package enum ReadingError: Error, Equatable, Sendable {
        case malformed
        /// It ends where the offset is due.
        case noTimeZone
        case noSuchDay
        case noSuchTime
    }

    /// Reads a date and time of RFC 3339, such as `2026-11-21T00:00:00Z` or `2026-11-21 01:00:00.5+01:00`.
    ///
    /// The letters may be lowercase, and a space may replace the `T`. Fractions are rounded down. Second 60 is taken
    /// where there can be a leap second, and is the first one of the next day.
    /// - Returns: Seconds since 1970, without leap seconds.
    package static func seconds(_ text: String) throws(ReadingError) -> Int64 {
        var reader = InternetDateReader(rest: text[...].utf8)
        return try reader.read()
    }
}

private struct InternetDateReader {
    var rest: Substring.UTF8View

    mutating func read() throws(InternetDate.ReadingError) -> Int64 {
        let year = try number(digits: 4)
        try expect("-")
        let month = try number(digits: 2)
        try expect("-")
        let day = try number(digits: 2)
        guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchDay }
        guard skip("T") || skip("t") || skip(" ") else { throw .malformed }
        let hour = try number(digits: 2)
        try expect(":")
        let minute = try number(digits: 2)
        try expect(":")
        let second = try number(digits: 2)
        guard hour < 24, minute < 60, second <= 60 else { throw .noSuchTime }
        try skipFraction()
        let offset = try offset()
        guard rest.isEmpty else { throw .malformed }
        let seconds = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
        if second == 60, !Self.followsLeapSecond(seconds) { throw .noSuchTime }
        return seconds
    }

    /// The seconds east of UTC.
    private mutating func offset() throws(InternetDate.ReadingError) -> Int {
        if skip("Z") || skip("z") { return 0 }
        guard !rest.isEmpty else { throw .noTimeZone }
        let isWest = skip("-")
        if !isWest { try expect("+") }
        let hour = try number(digits: 2)
        try expect(":")
        let minute = try number(digits: 2)
        guard hour < 24, minute < 60 else { throw .noSuchTime }
        return (hour * 3600 + minute * 60) * (isWest ? -1 : 1)
    }

    private mutating func skipFraction() throws(InternetDate.ReadingError) {
        guard skip(".") else { return }
        _ = try number(digits: 1)
        rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private mutating func number(digits: Int) throws(InternetDate.ReadingError) -> Int {
        var number = 0
        for _ in 0..<digits {
            guard let byte = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                throw .malformed
            }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(InternetDate.ReadingError) {
        guard skip(character) else { throw .malformed }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Leap seconds are put at the end of a month, in UTC.
    private static func followsLeapSecond(_ seconds: Int64) -> Bool {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest == 0 && CivilDate(daysSince1970: days).day == 1
    }
}

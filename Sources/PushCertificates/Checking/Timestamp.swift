internal import Diagnostics
internal import SystemSupport

/// A second in UTC, and its date.
package struct Timestamp: Sendable, Equatable {
    /// Since 1970, without leap seconds.
    package let seconds: Int64

    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Like `2026-11-21`; years outside of 0…9999, which RFC 3339 does not have, with a sign or more digits.
    package var date: String {
        let date = CivilDate(secondsSince1970: seconds)
        let year = Self.padded(Int64(date.year.magnitude), 4)
        return
            "\(date.year < 0 ? "-" : "")\(year)-\(Self.padded(Int64(date.month), 2))-\(Self.padded(Int64(date.day), 2))"
    }

    /// Like `2026-11-21 07:46 UTC`, for people.
    package var minute: String {
        let text = description
        guard text.utf8.count == 20 else { return text }
        return "\(date) \(text.dropFirst(11).prefix(5)) UTC"
    }

    fileprivate static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Timestamp: CustomStringConvertible {
    /// Like `2026-11-21T00:00:00Z` (RFC 3339).
    package var description: String {
        let rest = seconds % 86_400
        let second = rest < 0 ? rest + 86_400 : rest
        let parts = [second / 3600, second / 60 % 60, second % 60]
        return "\(date)T\(parts.map { Self.padded($0, 2) }.joined(separator: ":"))Z"
    }
}

/// Why a text is not a date and time.
package struct TimestampError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One clause without a full stop: what is wrong, and what to write.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Timestamp {
    /// Reads a date and time of RFC 3339, such as `2026-11-21T00:00:00Z` or `2026-11-21 01:00:00.5+01:00`.
    ///
    /// The letters may be lowercase, and a space may replace the `T`. Fractions are rounded down. Second 60 is taken
    /// where there can be a leap second, and is the first one of the next day.
    package init(rfc3339 text: String) throws(TimestampError) {
        do throws(InternetDate.ReadingError) {
            seconds = try InternetDate.seconds(text)
        } catch {
            throw switch error {
            case .malformed:
                TimestampError(
                    "\(quoted(text)) is not a date and time with an offset; expected one like 2026-11-21T00:00:00Z")
            case .noTimeZone:
                TimestampError("\(quoted(text)) has no time zone; add Z for UTC, or an offset like +01:00")
            case .noSuchDay: TimestampError("\(quoted(text)) is a day that does not exist")
            case .noSuchTime: TimestampError("\(quoted(text)) is a time that does not exist")
            }
        }
    }
}

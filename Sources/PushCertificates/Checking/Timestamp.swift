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

import ArgumentParser
import Glibc
import PushCertificates

/// When an end is close, and what time it is.
struct TimeOptions: ParsableArguments {
    private static let maximumDays = 100_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Warn this many days before expiry.", valueName: "days"))
    var warning = 30

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Report as critical this many days before expiry.", valueName: "days"))
    var critical = 14

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Check as of this time, e.g. 2026-11-21T00:00:00Z (default: now).",
            valueName: "time"))
    var now: String?

    func validate() throws {
        for (name, days) in [("warning", warning), ("critical", critical)] {
            guard days >= 0 else { throw ValidationError("'--\(name) \(days)' is negative; expected 0 days or more") }
            guard days <= Self.maximumDays else {
                throw ValidationError("'--\(name) \(days)' is too large; expected \(Self.maximumDays) days or less")
            }
        }
        guard critical <= warning else {
            throw ValidationError(
                "--critical \(critical) is greater than --warning \(warning); the warning has to come first, so raise --warning "
                    + "or lower --critical")
        }
        _ = try instant()
    }

    var thresholds: Thresholds { Thresholds(warning: warning, critical: critical) }

    /// Seconds since 1970.
    func instant() throws -> Int64 {
        guard let now else { return Int64(time(nil)) }
        do throws(TimestampError) {
            return try Timestamp(rfc3339: now).seconds
        } catch {
            throw ValidationError("--now: \(error)")
        }
    }
}

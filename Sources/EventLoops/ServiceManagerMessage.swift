/// What a service tells its manager (sd_notify(3)).
package struct ServiceManagerMessage: Equatable, Sendable {
    package let text: String

    private init(_ assignments: [String]) { text = assignments.joined(separator: "\n") }

    /// It serves, for the first time or again after a reload.
    package static func ready(status: String) -> ServiceManagerMessage { .init(["READY=1", Self.status(status)]) }

    /// It reads its files again; `ready` has to follow.
    ///
    /// - Parameter microseconds: of the monotonic clock. The manager compares it with the time of its own request, so that
    ///   it has to be as precise as that.
    package static func reloading(monotonicMicroseconds microseconds: Int64) -> ServiceManagerMessage {
        .init(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)", Self.status("reloading")])
    }

    /// It ends.
    package static func stopping(status: String) -> ServiceManagerMessage {
        .init(["STOPPING=1", Self.status(status)])
    }

    /// What it is doing, for people.
    package static func working(status: String) -> ServiceManagerMessage { .init([Self.status(status)]) }

    /// It is alive.
    package static let watchdog = ServiceManagerMessage(["WATCHDOG=1"])

    /// A status is one line: what follows a line feed would be an assignment of its own.
    private static func status(_ text: String) -> String {
        "STATUS=" + String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
}

internal import AssociationConsole

/// The counts of one minute, or of all before it.
package struct MinuteCounts: Equatable, Sendable, BitwiseCopyable {
    package var requests: UInt64 = 0
    package var appleFetches: UInt64 = 0
    package var handshakes: UInt64 = 0
    package var handshakeFailures: UInt64 = 0

    package init() {}

    static func + (one: MinuteCounts, other: MinuteCounts) -> MinuteCounts { one.combined(with: other, &+) }

    static func - (one: MinuteCounts, other: MinuteCounts) -> MinuteCounts { one.combined(with: other, &-) }

    private func combined(with other: MinuteCounts, _ operation: (UInt64, UInt64) -> UInt64) -> MinuteCounts {
        var result = MinuteCounts()
        result.requests = operation(requests, other.requests)
        result.appleFetches = operation(appleFetches, other.appleFetches)
        result.handshakes = operation(handshakes, other.handshakes)
        result.handshakeFailures = operation(handshakeFailures, other.handshakeFailures)
        return result
    }
}

/// The counts of one loop by minutes: plain memory, allocated once.
///
/// Nothing is counted twice for it. In the first batch of a minute the loop notes what it has counted up to then; a minute
/// in which it has slept has no note, and nothing was counted in it. So it needs no timer, and a request costs nothing.
struct MinuteHistory: ~Copyable {
    /// The minutes that are kept.
    static let minutes = MetricsHistory.minutes

    private struct Note: BitwiseCopyable {
        /// Minutes since 1970.
        let minute: Int64
        /// Everything that was counted before it.
        let counts: MinuteCounts
    }

    /// A ring: one note more than there are minutes, as a clock that is set back can begin a minute twice.
    private let notes = UnsafeMutablePointer<Note>.allocate(capacity: MinuteHistory.minutes + 1)
    private var first = 0
    private var count = 0

    deinit { notes.deallocate() }

    private func index(_ offset: Int) -> Int { (first + offset) % (Self.minutes + 1) }

    /// - Parameters:
    ///   - minute: since 1970.
    ///   - counts: everything up to now.
    mutating func begin(_ minute: Int64, _ counts: MinuteCounts) {
        guard count == 0 || notes[index(count - 1)].minute != minute else { return }
        (notes + index(count)).initialize(to: Note(minute: minute, counts: counts))
        if count > Self.minutes { first = index(1) } else { count += 1 }
    }

    /// The counts by minute since 1970; minutes in which the loop has slept are left out.
    ///
    /// - Parameter now: everything up to now.
    func counts(upTo now: MinuteCounts) -> [Int64: MinuteCounts] {
        var result: [Int64: MinuteCounts] = [:]
        for offset in 0..<count {
            let note = notes[index(offset)]
            let end = offset + 1 < count ? notes[index(offset + 1)].counts : now
            result[note.minute] = (result[note.minute] ?? MinuteCounts()) + (end - note.counts)
        }
        return result
    }
}

internal import SystemSupport

/// What loops that have ended had counted, so that no number goes back while the others still run.
final class EndedLoops: Sendable {
    private let sum = Locked(LoopReport())

    func add(_ report: LoopReport) { sum.withLock { $0.add(report) } }

    var report: LoopReport { sum.withLock { $0 } }
}

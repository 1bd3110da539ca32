internal import Dispatch
internal import EventLoops
internal import SystemSupport

/// Asks all loops what they have counted, which also shows that they are alive.
enum LoopQuestion {
    /// - Returns: a report of each loop that has not ended; `nil` if one of them does not answer in time.
    static func ask(_ workers: [Worker], milliseconds: Int) -> [LoopReport]? {
        let group = DispatchGroup()
        let answers = Answers()
        for worker in workers {
            let token = DispatchGroupToken(group)
            worker.loop.post { withExtendedLifetime(token) { answers.add(worker.report()) } }
        }
        guard group.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return answers.all
    }

    private final class Answers: Sendable {
        private let reports = Locked<[LoopReport]>([])

        func add(_ report: LoopReport) { reports.withLock { $0.append(report) } }

        var all: [LoopReport] { reports.withLock { $0 } }
    }
}

/// Which pairs are incomplete, and when they are tried again (server.md, section 6).
///
/// A certificate and its key come at different instants. So a pair that does not fit is tried again, at growing intervals,
/// before it is called a failure.
package struct PairRetries: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The other half may come yet.
        case wait
        /// It has not come in time.
        case givenUp
        case failure
    }

    private struct Failure: Equatable {
        let problem: PairProblem
        let verdict: Verdict
    }

    private struct Trial: Equatable {
        /// When it was seen first.
        let begin: Int64
        /// When it was tried last.
        var last: Int64
        /// Whether the mismatch is already reported.
        let isReported: Bool
    }

    /// The time for which a pair is retried.
    package static let seconds: Int64 = 60

    /// When a pair is tried again, in milliseconds after it was seen first.
    private static let instants: [Int64] = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, seconds * 1_000]

    /// By folder.
    private var trials: [String: Trial] = [:]
    /// The pairs that cannot be used and are not waited for, or no more, by folder.
    private var failures: [String: Failure] = [:]

    package init() {}

    /// When to try again; `nil` if nothing is waited for.
    package var due: Int64? { trials.values.compactMap(Self.next).min() }

    /// Takes over what was found at start, where nobody waits: it is tried again all the same.
    package mutating func begin(_ problems: [PairProblem], at now: Int64) {
        for problem in problems where problem.isHalf {
            trials[problem.folder] = Trial(begin: now, last: now, isReported: true)
        }
    }

    /// Judges the pairs that cannot be used as they are now, and forgets all others.
    ///
    /// - Parameter now: milliseconds on a clock that never goes back.
    /// - Returns: a verdict for each.
    package mutating func judge(_ problems: [PairProblem], at now: Int64) -> [Verdict] {
        let (oldTrials, oldFailures) = (trials, failures)
        trials = [:]
        failures = [:]
        return problems.map { problem in
            if let failure = oldFailures[problem.folder], failure.problem == problem {
                failures[problem.folder] = failure
                return failure.verdict
            }
            guard problem.isHalf else { return fail(problem, .failure) }
            var trial = oldTrials[problem.folder] ?? Trial(begin: now, last: now, isReported: false)
            trial.last = now
            guard Self.next(trial) != nil else {
                // What was reported at the start is not reported again.
                return fail(problem, trial.isReported ? .failure : .givenUp)
            }
            trials[problem.folder] = trial
            return trial.isReported ? .failure : .wait
        }
    }

    private mutating func fail(_ problem: PairProblem, _ verdict: Verdict) -> Verdict {
        failures[problem.folder] = Failure(problem: problem, verdict: verdict)
        return verdict
    }

    /// They are about to be tried.
    package mutating func tried(at now: Int64) {
        for folder in trials.keys { trials[folder]?.last = now }
    }

    private static func next(_ trial: Trial) -> Int64? {
        instants.first { $0 > trial.last - trial.begin }.map { trial.begin + $0 }
    }
}

import Foundation
import SystemSupport

/// The time that tests wait for what has to come.
public enum Patience {
    /// Longer than all tests together take on a busy machine, in seconds: what has not come by then does not come.
    static let longest = 600
    private static let isUsedUp = Locked(false)

    /// The time that a test waits for a state, in seconds.
    ///
    /// Once a test has waited in vain, the others wait for a shorter time: something is broken, and a run that waits ten
    /// minutes in each of a hundred tests tells nobody.
    public static var seconds: Int { isUsedUp.withLock { $0 } ? 30 : longest }

    /// Says that a state did not come within ``seconds``.
    static func waitedInVain() { isUsedUp.withLock { $0 = true } }

    /// Time limits, in seconds, for what has to run out of time while all beside it has to end within it: the first that
    /// the machine is quick enough for shows it.
    public static let limits = [1.0, 4, 16, 64, 256]

    /// The result of a body with the first of the ``limits`` with which it gives what is wanted, or else with the last.
    public static func withLimit<Result>(
        _ body: (Double) async throws -> Result, until isWanted: (Result) -> Bool
    ) async rethrows -> Result {
        for limit in limits.dropLast() {
            let result = try await body(limit)
            if isWanted(result) { return result }
        }
        return try await body(limits[limits.count - 1])
    }

    /// Whether the programs are built with a sanitizer, which judges a process when it ends by itself.
    public static let isSanitizing = ProcessInfo.processInfo.environment["AASA_TEST_SANITIZER"] != nil

    /// The factor by which measured work may take longer: several times as long with a sanitizer.
    public static let slowness = isSanitizing ? 10 : 1

    /// Whether a limit of the size of files leaves programs alone that write none: ThreadSanitizer's memory is under it,
    /// too.
    public static let allowsFileLimits = ProcessInfo.processInfo.environment["AASA_TEST_SANITIZER"] != "thread"
}

internal import Foundation
public import Testing

/// Runs the tests of a suite that wait for programs and sockets on threads of their own.
///
/// Tests share as many threads as there are cores; one that waits for a program keeps its thread from all others, and half of the
/// machine would stand idle. The whole suite begins on these threads, and not behind all tests that only compute.
public struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
    /// The tests whose threads a test shares.
    fileprivate enum Group {
        case programs, suspensions, seconds
    }

    fileprivate var group = Group.programs

    /// Once for a suite, whose tests inherit it, or else for each run of a test that has it alone.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? self : nil
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            try await withTaskExecutorPreference(WaitingExecutor.of(group)) { try await function() }
        } else {
            try await function()
        }
    }
}

extension Trait where Self == WaitingTests {
    /// For suites whose tests spend their time waiting for programs and sockets.
    public static var waiting: Self { Self() }

    /// For suites whose tests are suspended again and again: each time they go on behind all others that wait for the same
    /// threads, so they have threads of their own.
    public static var waitingApart: Self { Self(group: .suspensions) }

    /// For suites whose tests wait for seconds, until an authority has validated or a time limit is over: beside others they
    /// cost next to nothing, behind them they would be all that the machine does.
    public static var waitingForSeconds: Self { Self(group: .seconds) }
}

/// A task that goes on while tests block the threads that tasks share, for a test that waits for what it does.
public enum Aside {
    public static func task<Success: Sendable>(
        _ body: @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            Task(executorPreference: WaitingExecutor.aside, operation: body)
        } else {
            Task(operation: body)
        }
    }
}

/// Threads that may be blocked.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class WaitingExecutor: TaskExecutor {
    /// Enough threads for the cores to have work while others wait, and not so many that time-outs bite.
    static let shared = WaitingExecutor(width: 6)
    static let apart = WaitingExecutor(width: 6)
    static let seconds = WaitingExecutor(width: 6)
    static let aside = WaitingExecutor(width: 6)

    static func of(_ group: WaitingTests.Group) -> WaitingExecutor {
        switch group {
        case .programs: shared
        case .suspensions: apart
        case .seconds: seconds
        }
    }

    private let threads: OperationQueue

    private init(width: Int) {
        threads = OperationQueue()
        threads.maxConcurrentOperationCount = width
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

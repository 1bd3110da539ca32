internal import Foundation
public import Testing

/// Runs tests that wait for programs and sockets on threads of their own.
///
/// Tests share as many threads as there are cores; one that waits for a program keeps its thread from all others, and half of the
/// machine would stand idle.
public struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            try await withTaskExecutorPreference(WaitingExecutor.shared) { try await function() }
        } else {
            try await function()
        }
    }
}

extension Trait where Self == WaitingTests {
    /// For suites whose tests spend their time waiting for programs and sockets.
    public static var waiting: Self { Self() }
}

/// Threads that may be blocked.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class WaitingExecutor: TaskExecutor {
    static let shared = WaitingExecutor()

    /// Enough for the cores to have work while others wait, and not so many that time-outs bite.
    private static let width = 4

    private let threads: OperationQueue

    private init() {
        threads = OperationQueue()
        threads.maxConcurrentOperationCount = Self.width
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

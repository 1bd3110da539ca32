import LinkDelivery
import Testing

/// A handler whose answers a test gives.
@MainActor
final class Probe {
    /// The numbers of the activities with which it was called, in order.
    private(set) var begun: [Int] = []
    /// Those that were cancelled while it was at work.
    private(set) var cancelled: [Int] = []
    private var waiting: [Int: CheckedContinuation<Handling, any Error>] = [:]

    /// Those that it is at work on.
    var atWork: [Int] { waiting.keys.sorted() }

    func handle(_ match: RouteMatch) async throws -> Handling {
        let number = match.received.number
        begun.append(number)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled {
                    cancelled.append(number)
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiting[number] = continuation
                }
            }
        } onCancel: {
            Task { @MainActor in self.cancel(number) }
        }
    }

    private func cancel(_ number: Int) {
        guard let continuation = waiting.removeValue(forKey: number) else { return }
        cancelled.append(number)
        continuation.resume(throwing: CancellationError())
    }

    func answer(_ number: Int, _ handling: Handling) {
        waiting.removeValue(forKey: number)?.resume(returning: handling)
    }

    func fail(_ number: Int, _ error: any Error) {
        waiting.removeValue(forKey: number)?.resume(throwing: error)
    }

    func waitUntilBegun(_ numbers: [Int], _ place: SourceLocation = #_sourceLocation) async {
        await wait(place) { self.begun == numbers }
        #expect(begun == numbers, sourceLocation: place)
    }
}

/// Lets everything else go on until something has happened, which takes long only where many other tests run.
@MainActor
func wait(_ place: SourceLocation = #_sourceLocation, until hasHappened: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(600)
    while !hasHappened(), ContinuousClock.now < end { await Task.yield() }
    #expect(hasHappened(), sourceLocation: place)
}

/// An error of a handler.
struct HandlerError: Error, Equatable {}

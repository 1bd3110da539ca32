import Foundation
import TestSupport

/// Something that runs on another thread.
final class Background<Value: Sendable>: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var outcome: Result<Value, any Error>?

    init(_ work: @escaping @Sendable () throws -> Value) {
        Thread { [self] in
            outcome = Result { try work() }
            done.signal()
        }.start()
    }

    func result() throws -> Value {
        done.wait()
        done.signal()
        return try outcome?.get() ?? { throw TestFailure("nothing came of it") }()
    }
}

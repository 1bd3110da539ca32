import Foundation
import SystemSupport
import TestSupport

/// Requests for the file of a site, one after the other on a thread of their own, until they are ended.
final class SteadyRequests: Sendable {
    private struct State {
        var isEnding = false
        var count = 0
        var failures: [String] = []
    }

    private let state = Locked(State())
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - port: of a plain listener.
    ///   - bodies: those that are right at some time.
    init(port: Int, domain: String, bodies: [String]) {
        Thread { [self] in
            while !state.withLock({ $0.isEnding }) {
                let failure = Self.failure(port, domain, bodies)
                state.withLock { state in
                    state.count += 1
                    if let failure { state.failures.append(failure) }
                }
                // Some hundred a second.
                Waiting.idle(milliseconds: 2)
            }
            ended.signal()
        }.start()
    }

    private static func failure(_ port: Int, _ domain: String, _ bodies: [String]) -> String? {
        do {
            let socket = try RawSocket(port: port)
            let path = "/.well-known/\(StoreRig.name)"
            socket.send("GET \(path) HTTP/1.1\r\nHost: \(domain)\r\nConnection: close\r\n\r\n")
            let answer = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
            let isRight = answer.hasPrefix("HTTP/1.1 200 ") && bodies.contains { answer.hasSuffix("\r\n\r\n\($0)") }
            return isRight ? nil : answer
        } catch {
            return "\(error)"
        }
    }

    /// Ends them.
    ///
    /// - Returns: how many there were, and the answers that were not right.
    func end() -> (count: Int, failures: [String]) {
        state.withLock { $0.isEnding = true }
        ended.wait()
        return state.withLock { ($0.count, $0.failures) }
    }
}

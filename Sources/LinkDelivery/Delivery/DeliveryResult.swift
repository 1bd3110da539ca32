internal import Diagnostics

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The result of an activity.
public struct DeliveryResult: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// The handler of this route, as it was written, handled it.
        case handled(by: String)
        /// The handler of this route failed (``DeliveryFailure``).
        case failed(at: String)
        /// No route handled it, or a handler said so: its link was opened in the browser.
        case openedInBrowser
        /// No route handled it, and it has no web link or the center has no browser.
        case unhandled
        /// A newer activity for the same route arrived: the one with this number.
        case superseded(by: Int)
        /// It waited for too long.
        case expired
        /// Too many activities waited.
        case dropped
    }

    public let received: ReceivedActivity
    public let outcome: Outcome
}

/// An error of a handler, or of a sequence that a gate follows.
public struct DeliveryFailure: Sendable, CustomStringConvertible {
    public enum Source: Hashable, Sendable {
        /// The handler of a route, as it was written.
        case route(String)
        /// The sequence that a gate follows.
        case gate(String)
    }

    public let source: Source
    /// The activity; nil for the error of a gate.
    public let received: ReceivedActivity?
    public let error: any Error

    public var description: String {
        switch source {
        case .gate(let name): return "the gate \(quoted(name)) is closed, because its sequence failed: \(error)"
        case .route(let route):
            let activity = received?.activity
            let link = activity.map { $0.webpageURL?.absoluteString ?? $0.activityType } ?? ""
            return "the handler of \(quoted(route)) failed for \(quoted(link)): \(error)"
        }
    }
}

/// Sends values to all listeners, each with a sequence of its own.
@MainActor
final class Broadcast<Element: Sendable> {
    private var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    private var next = 0

    /// A sequence of the values from now on, with others before them, that ends with the center.
    func stream(
        _ first: [Element] = [], buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Element> {
        let (stream, listener) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        let number = next
        next += 1
        listeners[number] = listener
        listener.onTermination = { [weak self] _ in
            Task { @MainActor in self?.listeners[number] = nil }
        }
        for element in first { listener.yield(element) }
        return stream
    }

    func send(_ element: Element) {
        for (number, listener) in listeners {
            if case .terminated = listener.yield(element) { listeners[number] = nil }
        }
    }

    /// The number of listeners.
    var count: Int { listeners.count }

    deinit { for listener in listeners.values { listener.finish() } }
}

/// Values for everybody who listens, as a sequence for each.
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

    /// How many listen.
    var count: Int { listeners.count }

    deinit { for listener in listeners.values { listener.finish() } }
}

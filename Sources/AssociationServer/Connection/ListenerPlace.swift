internal import EventLoops

/// A listener in the set of one loop.
final class ListenerPlace {
    /// `nil` once the worker takes no more connections.
    private(set) var listener: Listener?
    private unowned(unsafe) let worker: Worker
    private let handler: UnsafeMutablePointer<EventHandler>
    private var isWatched = false

    init(_ listener: Listener, worker: Worker) {
        self.listener = listener
        self.worker = worker
        handler = .allocate(capacity: 1)
        handler.initialize(
            to: EventHandler(owner: Unmanaged.passUnretained(self).toOpaque()) { handler, _ in
                let owner = handler.assumingMemoryBound(to: EventHandler.self).pointee.owner
                Unmanaged<ListenerPlace>.fromOpaque(owner)._withUnsafeGuaranteedRef { $0.isReady() }
            })
    }

    deinit { handler.deallocate() }

    /// Whether it should be watched, and is not.
    var isPaused: Bool { listener != nil && !isWatched }

    private func isReady() {
        if let listener { worker.accept(from: listener) }
    }

    /// Of the loops that watch a listener, one is woken for a connection.
    func resume() {
        guard !isWatched, let listener else { return }
        isWatched = worker.loop.add(listener.descriptor, .accepting, handler)
    }

    func pause() {
        guard isWatched, let listener else { return }
        worker.loop.remove(listener.descriptor)
        isWatched = false
    }

    /// The listener's socket is closed when the last loop has let go of it.
    func end() {
        pause()
        listener = nil
    }
}

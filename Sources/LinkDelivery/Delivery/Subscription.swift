/// What a module has asked of a ``UserActivityCenter``. It ends with ``cancel()`` or when it is released.
///
/// Keep it in what the handlers belong to. From then on nothing is delivered any more, and a handler at work is cancelled;
/// what it has not handled goes to the others.
@MainActor
public final class Subscription {
    private let id: Int
    private weak var center: UserActivityCenter?

    init(_ id: Int, _ center: UserActivityCenter) {
        self.id = id
        self.center = center
    }

    deinit {
        // Nothing is delivered from now on, because the center sees that this is gone; here it is told to tidy up.
        Task { @MainActor [weak center = self.center, id = self.id] in center?.end(id) }
    }

    public func cancel() {
        center?.end(id)
        center = nil
    }
}

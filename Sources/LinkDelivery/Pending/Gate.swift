/// Something an app has to be ready with before activities are delivered: that it is active, that its interface is there,
/// that somebody is logged in.
///
/// Activities wait while a gate of their scene, or of the app, is closed (``UserActivityCenter/addGate(_:scene:isOpen:)``).
@MainActor
public final class Gate {
    /// For messages: `logged in`.
    public nonisolated let name: String
    /// The identifier of the scene for whose activities it counts; nil if it counts for all.
    public nonisolated let scene: String?
    private weak var center: UserActivityCenter?
    private var following: Task<Void, Never>?

    public var isOpen: Bool {
        didSet { if isOpen, !oldValue { center?.advance() } }
    }

    init(_ name: String, scene: String?, isOpen: Bool, center: UserActivityCenter) {
        self.name = name
        self.scene = scene
        self.isOpen = isOpen
        self.center = center
    }

    deinit { following?.cancel() }

    /// Opens and closes with the elements of a sequence, and stays as it is when that ends. When it fails the gate closes.
    func follow<States: AsyncSequence & Sendable>(_ states: States) where States.Element == Bool {
        following = Task { [weak self] in
            do {
                for try await isOpen in states {
                    guard let self, self.center != nil else { return }
                    self.isOpen = isOpen
                }
            } catch {
                guard let self, !Task.isCancelled else { return }
                self.isOpen = false
                self.center?.failed(at: self, error)
            }
        }
    }

    /// From now on it follows nothing.
    func end() { following?.cancel() }

    /// Removes it, so that nothing waits for it any more.
    public func remove() {
        end()
        center?.remove(self)
    }
}

/// An activity that the system delivered to the app.
public struct ReceivedActivity: Hashable, Sendable {
    /// The first is 1; each later one has the next number.
    public let number: Int
    public let activity: UserActivity
    /// The identifier of the scene that it is for; nil if it is for any.
    public let scene: String?
    /// When it came, by the clock of the center, from the center's beginning on.
    public let time: Duration

    package init(number: Int, activity: UserActivity, scene: String?, time: Duration) {
        self.number = number
        self.activity = activity
        self.scene = scene
        self.time = time
    }

    /// Whether somebody who is there for a scene (nil: for all) is to be asked.
    func isFor(_ other: String?) -> Bool { scene == nil || other == nil || scene == other }
}

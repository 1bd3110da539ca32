#if canImport(Darwin)
public import Foundation

extension UserActivity {
    /// The value of an activity that the system delivered.
    public init(_ activity: NSUserActivity) {
        self.init(
            activityType: activity.activityType, webpageURL: activity.webpageURL, referrerURL: activity.referrerURL)
    }
}

extension NSUserActivity {
    /// An activity as the system would deliver it, for tests and for handing one on.
    public convenience init(_ activity: UserActivity) {
        self.init(activityType: activity.activityType)
        // Of another scheme it would raise an exception.
        if activity.isOfWebLink { webpageURL = activity.webpageURL }
        referrerURL = activity.referrerURL
    }
}
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The activity that an app gets when a link opens it, as a value: `NSUserActivity`, without the class.
///
/// See matching.md, section 6, and Apple's "Supporting universal links in your app".
public struct UserActivity: Hashable, Sendable {
    /// The type of the activities that web links make: `NSUserActivityTypeBrowsingWeb`.
    public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

    public var activityType: String
    /// The link that was opened. Never nil in an activity of the type ``browsingWeb``.
    public var webpageURL: URL?
    /// The page that the link was on, from iOS 11 on, if the system tells.
    public var referrerURL: URL?

    public init(activityType: String, webpageURL: URL? = nil, referrerURL: URL? = nil) {
        self.activityType = activityType
        self.webpageURL = webpageURL
        self.referrerURL = referrerURL
    }

    /// Whether it has a link that a browser opens.
    var isOfWebLink: Bool { ["http", "https"].contains(webpageURL?.scheme?.lowercased()) }

    /// The activity with which a web link opens an app.
    public init(browsing webpageURL: URL, referrer referrerURL: URL? = nil) {
        self.init(activityType: Self.browsingWeb, webpageURL: webpageURL, referrerURL: referrerURL)
    }
}

/// An activity that the system delivered to the app.
public struct ReceivedActivity: Hashable, Sendable {
    /// The first is 1; each later one has the next number.
    public let number: Int
    public let activity: UserActivity
    /// The identifier of the scene that it is for; nil if it is for any.
    public let scene: String?
    /// When it arrived, measured from the creation of the center.
    public let time: Duration

    package init(number: Int, activity: UserActivity, scene: String?, time: Duration) {
        self.number = number
        self.activity = activity
        self.scene = scene
        self.time = time
    }

    /// Whether a subscriber for a scene (nil: for all scenes) is asked about it.
    func isFor(_ other: String?) -> Bool { scene == nil || other == nil || scene == other }
}

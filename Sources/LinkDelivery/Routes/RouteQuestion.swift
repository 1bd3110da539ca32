internal import AppSiteAssociation

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An activity about which routes are asked, taken apart once for all of them.
struct RouteQuestion {
    let received: ReceivedActivity
    /// Nil if it is no activity of a web link.
    let link: WebURL?

    init(_ received: ReceivedActivity) {
        self.received = received
        let activity = received.activity
        let url = activity.activityType == UserActivity.browsingWeb ? activity.webpageURL : nil
        link = url.flatMap { WebURL($0.absoluteString.utf8) }
    }

    init(_ activity: UserActivity) {
        self.init(ReceivedActivity(number: 0, activity: activity, scene: nil, time: .zero))
    }
}

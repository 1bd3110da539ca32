import Foundation
import LinkDelivery
import Testing

@Suite("user activity")
struct UserActivityTests {
    @Test("a web link makes an activity with its URL, and with the page it was on if that is known")
    func browsing() throws {
        let link = try #require(URL(string: "https://example.com/buy/7"))
        let page = try #require(URL(string: "https://search.example/"))
        let activity = UserActivity(browsing: link)
        #expect(activity.activityType == "NSUserActivityTypeBrowsingWeb")
        #expect(activity.activityType == UserActivity.browsingWeb)
        #expect(activity.webpageURL == link)
        #expect(activity.referrerURL == nil)
        #expect(UserActivity(browsing: link, referrer: page).referrerURL == page)
        #expect(activity == UserActivity(activityType: UserActivity.browsingWeb, webpageURL: link))
    }

    #if canImport(Darwin)
    @Test("an activity goes through the system's class and comes back the same")
    func roundTrip() throws {
        let link = try #require(URL(string: "https://example.com/buy/7"))
        let activity = UserActivity(browsing: link, referrer: URL(string: "https://search.example/"))
        #expect(UserActivity(NSUserActivity(activity)) == activity)
    }
    #endif
}

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

#if canImport(UIKit) && !os(watchOS)
public import UIKit

// Each is to be called from the delegate's method of the same name, which goes on to do whatever else it does.
extension UserActivityCenter {
    /// Takes what a scene is started with: `scene(_:willConnectTo:options:)`.
    ///
    /// - Parameter types: The types that are wanted, the most important first, such as those of Handoff that modules ask for
    ///   which are not there yet.
    @discardableResult
    public func scene(
        _ scene: UIScene, willConnectWith options: UIScene.ConnectionOptions,
        types: [String] = [UserActivity.browsingWeb]
    ) -> Bool {
        receive(
            oneOf: options.userActivities.map { UserActivity($0) }, types: types,
            scene: scene.session.persistentIdentifier)
    }

    /// Takes an activity for a scene that is there: `scene(_:continue:)`.
    @discardableResult
    public func scene(_ scene: UIScene, continue activity: NSUserActivity) -> Bool {
        receive(UserActivity(activity), scene: scene.session.persistentIdentifier)
    }

    /// Forgets a scene: `sceneDidDisconnect(_:)`.
    public func sceneDidDisconnect(_ scene: UIScene) {
        endScene(scene.session.persistentIdentifier)
    }

    /// Takes an activity for an app without scenes: `application(_:continue:restorationHandler:)`.
    @discardableResult
    public func application(continue activity: NSUserActivity) -> Bool {
        receive(UserActivity(activity))
    }

    /// Opens links in the browser (`UserActivityCenter(openInBrowser: UserActivityCenter.systemBrowser)`).
    ///
    /// The system does not send an app's own link back to it.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public static func systemBrowser(_ activity: UserActivity) async {
        guard let url = activity.webpageURL, activity.isOfWebLink else { return }
        _ = await UIApplication.shared.open(url, options: [:])
    }
}
#endif

#if canImport(SwiftUI)
public import SwiftUI

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension View {
    /// Hands the web links that open the app to a center: to be used once, at the root of a scene.
    ///
    /// URLs of other schemes are left to other code that asks for them with `onOpenURL`.
    ///
    /// - Parameter scene: The identifier of the scene; nil if the app has only one.
    public func deliversLinks(to center: UserActivityCenter, scene: String? = nil) -> some View {
        onOpenURL { url in
            let activity = UserActivity(browsing: url)
            if activity.isOfWebLink { center.receive(activity, scene: scene) }
        }
    }

    /// Adds routes to a center as long as the view is there: best at one that stays, as others that cover it may end its task.
    public func handlesLinks(of center: UserActivityCenter, scene: String? = nil, _ routes: RouteTable) -> some View {
        task { await center.handle(routes, scene: scene) }
    }
}
#endif

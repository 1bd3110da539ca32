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

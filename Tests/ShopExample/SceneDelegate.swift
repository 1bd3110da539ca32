#if canImport(UIKit) && !os(watchOS)
import UIKit
import LinkDelivery

/// The one delegate, which tells the center and keeps whatever else it does.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    static let links = AppLinks(openInBrowser: { await UserActivityCenter.systemBrowser($0) })

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        // A cold start: nobody is ready yet, and nothing is lost.
        Self.links.center.scene(scene, willConnectWith: options)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Self.links.center.scene(scene, continue: userActivity)
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        Self.links.interface.isOpen = true
    }

    func sceneDidDisconnect(_ scene: UIScene) {
        Self.links.center.sceneDidDisconnect(scene)
    }
}
#endif

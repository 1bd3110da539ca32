#if canImport(SwiftUI)
public import SwiftUI

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension View {
    /// Hands the web links that open the app to a center: to be used once, at the root of a scene.
    ///
    /// URLs of other schemes are left to whoever else asks for them with `onOpenURL`.
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

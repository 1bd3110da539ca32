#if canImport(SwiftUI)
import Foundation
import SwiftUI
import LinkDelivery

/// The root of an app of views.
struct ShopView: View {
    let links: AppLinks
    let account: RouteTable

    var body: some View {
        Text("Shop")
            .deliversLinks(to: links.center)
            // Present as long as the view is.
            .handlesLinks(of: links.center, account)
            .task { links.interface.isOpen = true }
    }
}
#endif

import LinkDelivery

/// Another module, whose handler decides.
@MainActor
public final class Account {
    public enum Section: String, RouteParameter, CaseIterable { case orders, addresses }

    public var isOpen = true
    public private(set) var section: Section?
    private var subscription: Subscription?

    public init(_ links: UserActivityCenter) throws {
        subscription = links.add(
            try RouteTable {
                Route("/account/{section}", Section.self, owner: self, policy: .oneAfterAnother) { account, section in
                    guard account.isOpen else { return .openInBrowser }
                    account.section = section
                    return .handled
                }
                Route("/account", owner: self) { account in account.section = .orders }
            })
    }
}

import LinkDelivery

/// A module: it knows its links, and nothing of the app's delegates.
@MainActor
public final class Shop {
    public private(set) var screen = "start"
    private var subscription: Subscription?

    public init(_ links: UserActivityCenter) throws {
        subscription = links.add(
            try RouteTable {
                Route("/buy/{product}", Int.self, owner: self) { shop, product in
                    shop.screen = "product \(product)"
                }
                Route("/search ?q={term}&page={page:*}", String.self, Int?.self, owner: self) { shop, term, page in
                    try await shop.search(for: term, page: page ?? 1)
                }
            })
    }

    private func search(for term: String, page: Int) async throws {
        screen = "results for \(term), page \(page)"
    }
}

/// The subject of a page: everything that its writer needs, with captures inserted and URLs made.
package struct PageSubject: Sendable {
    /// The purposes of a page.
    package enum Kind: Equatable, Sendable {
        /// A link, a page of the file, or the fallback's page.
        case found(LinkMatch)
        /// The 404 page, which has nothing of the request in it.
        case notFound
    }

    package let kind: Kind
    package let variant: LinkVariant
    /// The app; nil only for a file that has none, whose 404 page is bare.
    package let app: LinkApp?
    /// The title in the language of the request; nil if there is none.
    package let title: PageText?
    package let description: PageText?
    /// The host asked for, as it is in the page's URL.
    package let host: [UInt8]
    /// The page's own URL, with the query that was asked for. Empty for `notFound`, as are the other URLs nil.
    package let url: [UInt8]
    /// The same without the query.
    package let urlWithoutQuery: [UInt8]
    /// The web page of the link.
    package let to: [UInt8]?
    /// The URL for the app: that of the file, or the page's own. Its scheme is `https` or ``LinkApp/scheme``.
    package let appURL: [UInt8]
    /// The image for previews as an absolute URL.
    package let image: [UInt8]?
    /// The captures of a page's route, decoded, in the order of the route.
    package let captures: [Capture]
    /// Whether search engines may list the page.
    package let isIndexed: Bool
    /// The seconds for which the answer may be cached.
    package let maxAge: Int

    /// A capture and what it took.
    package struct Capture: Equatable, Sendable {
        package let name: String
        /// Decoded; what is not UTF-8 stays escaped.
        package let value: [UInt8]
    }

    /// The URL that `canonical` names: the web page of the link, or the page's own without query.
    package var canonical: [UInt8] { to ?? urlWithoutQuery }
}

/// A text of a page, in pieces: what the file says, and what was inserted from the request.
package struct PageText: Equatable, Sendable {
    /// A piece of a text in UTF-8, not escaped for any context yet.
    package enum Piece: Equatable, Sendable {
        case literal([UInt8])
        /// From the request: decoded, and at most 100 characters.
        case inserted([UInt8])

        package var bytes: [UInt8] {
            switch self {
            case .literal(let bytes), .inserted(let bytes): bytes
            }
        }
    }

    package let pieces: [Piece]

    package init(_ pieces: [Piece]) { self.pieces = pieces }

    /// The whole text.
    package var bytes: [UInt8] { pieces.flatMap(\.bytes) }
}

package import AppSiteAssociation
package import Diagnostics

/// The content of a `links.json` without errors.
package struct LinksContent: Sendable {
    package var app: LinkApp?
    /// The languages that are offered, the one to use where nothing matches first.
    package var languages = PageLanguage.allCases
    /// Whether search engines may list pages.
    package var isIndexed = false
    /// The seconds for which pages, redirects and 404 may be cached.
    package var cacheMaxAge = 300
    package var links = LinkList()
    package var pages: [LinkPage] = []
    package var fallback = LinkFallback.notFound
    /// The images for previews that are served, each once.
    package var images: [LinkImage] = []
}

/// The app that pages lead to.
package struct LinkApp: Sendable {
    package var name: [UInt8]
    package var icon: LinkImage?
    /// Digits.
    package var appStoreID: [UInt8]?
    /// Two letters in lower case.
    package var appStoreCountry: [UInt8]?
    package var playPackage: [UInt8]?
    /// The stores after the two big ones.
    package var stores: [LinkStore]
    /// A host in ASCII and lower case whose association file opens the same paths.
    package var openHost: [UInt8]?
    /// The app's own URL scheme, in lower case.
    package var scheme: [UInt8]?
}

/// A store besides the two big ones.
package struct LinkStore: Equatable, Sendable {
    package var name: [UInt8]
    /// An absolute `https` URL.
    package var url: [UInt8]
}

/// The kind of answer that a link or a page of the file gives.
package enum LinkKind: Equatable, Sendable, BitwiseCopyable {
    case page
    case redirect(RedirectStatus)
}

/// A page of the file: a route, and what its URLs get.
package struct LinkPage: Sendable {
    package var route: RoutePattern
    /// The value of `route` in the file, with its quotes.
    package var range: SourceRange
    package var kind: LinkKind
    package var title: LocalizedTemplate?
    package var description: LocalizedTemplate?
    package var image: LinkImageReference?
    package var to: TargetTemplate?
    package var appURL: TargetTemplate?
    package var keepsQuery: Bool
}

/// The answer for every path that is neither a link nor a page.
package enum LinkFallback: Sendable {
    case notFound
    case page
    /// To an absolute `https` URL without query and fragment, with the path and the query of the request where they are kept.
    case redirect(to: [UInt8], keepsPath: Bool, keepsQuery: Bool, status: RedirectStatus)
}

/// The image of a link for previews.
package enum LinkImageReference: Equatable, Sendable {
    /// An absolute `https` URL.
    case url([UInt8])
    /// An image that is served, by its index in ``LinksContent/images``.
    case served(Int)
}

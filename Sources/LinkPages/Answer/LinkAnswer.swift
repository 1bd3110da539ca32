/// The answer to a request for a path that is neither an association file nor anything else below `/.well-known/`.
///
/// Only this type has redirects: the responses of association files have no status for one.
package enum LinkAnswer: Sendable {
    /// 200 with a page, or with a document for programs; ``PageSubject/variant`` says which.
    case page(PageSubject)
    case redirect(LinkRedirect)
    /// 200 with an image, which never changes at its path.
    case image(LinkImage)
    /// 404 with a page, or with a document for programs; ``PageSubject/variant`` says which.
    case notFound(PageSubject)
    /// 404 as plain text: a path below `/_links/` without an image, or one that links never have.
    case nothing
}

/// A redirect, whose target begins with a scheme and a host that are in the file literally.
package struct LinkRedirect: Equatable, Sendable {
    package let status: RedirectStatus
    /// Where the value of `Location` is in the buffer that was given.
    package let location: Range<Int>
    /// The seconds for which it may be cached.
    package let maxAge: Int
    package let match: LinkMatch
}

/// The statuses of redirects; browsers would keep 301 and 308 for good.
package enum RedirectStatus: UInt16, Equatable, Sendable, BitwiseCopyable {
    case found = 302
    case temporary = 307
}

/// The entry of the file that answers.
package enum LinkMatch: Equatable, Sendable, BitwiseCopyable {
    /// A link, by its index in ``LinksContent/links``.
    case link(Int)
    /// A page, by its index in ``LinksContent/pages``.
    case page(Int)
    case fallback
}

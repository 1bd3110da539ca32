package import AppSiteAssociation

/// A text of a page of the file, in which captures are inserted, in one or more languages.
package struct LocalizedTemplate: Sendable {
    /// The text in a language, or what there is instead, with the captures of a URL.
    package func text(in language: PageLanguage, _ captures: RouteCaptures) -> PageText { PageText([]) }
}

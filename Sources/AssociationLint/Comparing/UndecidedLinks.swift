package import AppSiteAssociation

/// Rules about which nothing is known, because the search for changes became too large.
package struct UndecidedLinks: Sendable {
    /// The rule; nil if it is of the other file.
    package let old: Rule?
    package let new: Rule?
}

package import AppSiteAssociation

/// Which links change when a file replaces another.
///
/// It compares meaning: for every URL the outcome and the set of apps. The URLs are cut into regions by the patterns of
/// both files; of each region in which the answers differ a shortest URL is found by walking the automata of the patterns,
/// and both matchers have to confirm it before it counts.
package struct LinkComparison: Sendable {
    /// One for each pair of rules, in the order of the rules of the new file, those without such a rule at the end.
    package let changes: [LinkChange]
    /// What the limits leave open, in the same order.
    package let undecided: [UndecidedLinks]
    /// Changes of the services that have no URLs, which are no changes of links.
    package let services: [ServiceChange]
    /// How much of the work that the limits allow it has taken.
    package let work: Int

    /// - Parameter host: The host of the witnesses.
    package init(
        old: AssociationDocument, new: AssociationDocument, host: String = "example.com",
        limits: ComparisonLimits = ComparisonLimits()
    ) {
        var search = ChangeSearch(old: old, new: new, host: host, limits: limits)
        search.run()
        changes = search.sortedChanges
        undecided = search.sortedUndecided
        work = search.work
        services = ServiceChange.changes(from: old, to: new)
    }

    /// Whether every link is known to do what it did.
    package var isWithoutChange: Bool { changes.isEmpty && undecided.isEmpty }
}

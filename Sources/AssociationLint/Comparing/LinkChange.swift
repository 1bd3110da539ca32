package import AppSiteAssociation

/// A change of what links do when one file replaces another: what becomes of the URLs for which a pair of rules decides.
package struct LinkChange: Sendable {
    /// What becomes of the URLs.
    ///
    /// Where a file opens URLs and the other does not, the new outcome names the change; `excluded` and `noMatch` both leave
    /// a link in the browser, but only the first keeps later rules of the app away from it.
    package enum Kind: String, Sendable, CaseIterable {
        /// No app opened them, now one does.
        case opens
        /// An app opened them, now no rule matches.
        case noLongerOpens = "no longer opens"
        /// Apps open them before and after, but not the same.
        case otherApps = "other apps"
        /// An app opened them or no rule matched, now they are excluded.
        case nowExcluded = "now excluded"
        /// They were excluded, now no rule matches.
        case noLongerExcluded = "no longer excluded"

        /// Nil if nothing changes.
        init?(old: Outcome, new: Outcome, isSameApps: Bool) {
            switch (old, new) {
            case (.open, .open):
                if isSameApps { return nil }
                self = .otherApps
            case (.excluded, .excluded), (.noMatch, .noMatch): return nil
            case (_, .open): self = .opens
            case (_, .excluded): self = .nowExcluded
            case (.open, .noMatch): self = .noLongerOpens
            case (.excluded, .noMatch): self = .noLongerExcluded
            }
        }
    }

    /// What one of the files does with the witness.
    package struct Answer: Sendable {
        package let outcome: Outcome
        /// The apps that open it, in file order.
        package let appIDs: [String]
        /// The rule for the first app whose answer differs; if it has none, the one that decides for the file's first app.
        package let rule: Rule?
    }

    package let kind: Kind
    /// A shortest URL for which the pair of rules decides.
    package let witness: String
    package let old: Answer
    package let new: Answer
}

package import SiteStore

/// A change of a store, and what it has done to its files.
package enum ConsoleChange: Sendable {
    /// The store does not answer.
    case unavailable
    /// There is no such generation, or it was a challenge of a CA.
    case unknown
    case change(StoredChange, [File])

    /// A file of it, as `aasa diff` shows what changes.
    package struct File: Sendable {
        /// `example.com/apple-app-site-association`
        package let name: String
        /// The version, whether that is a new file or its end, and the words of the publisher.
        package let summary: String
        /// The differences; nil where the files cannot be compared, or not within the limits of a page.
        package let differences: [Difference]?
        /// Further lines of text, such as those about services without links.
        package let notes: [String]

        package init(name: String, summary: String, _ differences: [Difference]?, notes: [String]) {
            (self.name, self.summary, self.differences, self.notes) = (name, summary, differences, notes)
        }
    }

    /// A link that does something else, with the rules of both versions.
    package struct Difference: Sendable {
        /// Such as `no longer opens`.
        package let kind: String
        /// The URL that shows it.
        package let subject: String
        package let details: [String]

        package init(kind: String, subject: String, details: [String]) {
            (self.kind, self.subject, self.details) = (kind, subject, details)
        }
    }
}

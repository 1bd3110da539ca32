/// A change of a store: a row of `aasa.changes`.
package struct StoredChange: Equatable, Sendable {
    package let generation: Int64
    /// Microseconds since 1970, by the clock of the database.
    package let at: Int64
    /// The role that has made it.
    package let by: String
    /// `publish`, `remove`, `certificate`, `confirm` or `init`.
    package let action: String
    /// The domain of all its files; nil for several, or none.
    package let domain: String?
    /// The name of its only file.
    package let name: String?
    /// The number of files or certificates; nil where there are none.
    package let count: Int64?
    /// The words of the publisher about the only file.
    package let message: String?

    package init(
        generation: Int64, at: Int64, by: String, action: String, domain: String? = nil, name: String? = nil,
        count: Int64? = nil, message: String? = nil
    ) {
        (self.generation, self.at, self.by, self.action) = (generation, at, by, action)
        (self.domain, self.name, self.count, self.message) = (domain, name, count, message)
    }
}

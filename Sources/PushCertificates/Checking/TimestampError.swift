/// Why a text is no date and time.
package struct TimestampError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence without a final full stop: what is the matter, and what to write.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What a service manager handed over cannot be used.
package struct ServiceManagerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is the matter, and what to do; without a full stop.
    package let description: String

    init(_ description: String) { self.description = description }
}

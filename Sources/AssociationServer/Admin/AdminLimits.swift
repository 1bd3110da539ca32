/// What clients of the admin listener can use up.
package struct AdminLimits: Equatable, Sendable {
    /// More than these are closed at once.
    package var connections = 64
    /// Once so many bytes wait for clients to take them, no answer is made that can be large.
    package var unsentBytes = 64 << 20

    package init() {}
}

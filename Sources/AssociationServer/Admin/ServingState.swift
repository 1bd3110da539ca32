/// Whether clients can be sent to the server, in the words of `/readyz`.
package enum ServingState: String, CaseIterable, Sendable {
    case starting
    case ready
    /// No site has a good file.
    case nothingPublished = "nothing published"
    case draining
}

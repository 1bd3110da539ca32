internal import EventLoops
internal import OpenSSL

/// What all TLS contexts of a server share, as long as it runs.
final class ServerTLS: Sendable {
    let ticketKeys: TicketKeys
    let budget: ContextBudget

    /// - Parameter mostContexts: may be made between two looks at those that nobody asks for any more.
    /// - Throws: `ServerError.Code.setUp`.
    init(mostContexts: Int) throws(ServerError) {
        budget = ContextBudget(most: mostContexts)
        do throws(OpenSSLError) {
            ticketKeys = try TicketKeys { Clock.monotonicMilliseconds() / 1_000 }
        } catch {
            throw ServerError(.setUp, error.description)
        }
    }
}

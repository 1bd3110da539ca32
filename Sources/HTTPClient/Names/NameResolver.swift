package import ProxySupport

package enum AddressFamily: Sendable, CaseIterable {
    case ipv4, ipv6
}

/// Why there are no addresses for a name.
package enum ResolutionFailure: Error, Equatable, Sendable {
    /// The name does not exist.
    case noSuchName
    /// The name exists, and has no address of this family.
    case noAddress
    /// No answer within the time limit.
    case timedOut
    case cancelled
    /// The resolver failed, with what the system says: nothing is known about the name.
    case failed(String)
}

/// Looks up the addresses of names.
package protocol NameResolver: Sendable {
    /// - Parameters:
    ///   - name: in ASCII; not an address.
    ///   - completion: is called once.
    func start(
        _ name: String, _ family: AddressFamily, timeLimit: Duration,
        completion: @escaping @Sendable (Result<[IPAddress], ResolutionFailure>) -> Void
    ) -> Cancellation
}

extension NameResolver {
    /// Looks a name up and waits for its addresses. It is cancelled together with its task.
    package func addresses(
        of name: String, _ family: AddressFamily, timeLimit: Duration
    ) async throws(ResolutionFailure) -> [IPAddress] {
        try await Cancellation.result { start(name, family, timeLimit: timeLimit, completion: $0) }.get()
    }
}

extension ResolutionFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSuchName: "the name does not exist"
        case .noAddress: "the name has no address of this kind"
        case .timedOut: "the name service did not answer in time"
        case .cancelled: "cancelled"
        case .failed(let reason): reason
        }
    }
}

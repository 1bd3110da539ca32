package import DomainNames

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
    ) async -> Result<[IPAddress], ResolutionFailure> {
        await Cancellation.result { start(name, family, timeLimit: timeLimit, completion: $0) }
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

/// Addresses that are used for a host and a port instead of what a resolver says, as `--resolve` of curl.
package struct ResolveOverrides: Equatable, Sendable {
    /// Why a text is not `HOST:PORT:ADDRESS[,ADDRESS…]`.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        case form, host
        case port(String)
        case address(String)

        /// A clause that says what was expected.
        package var description: String {
            switch self {
            case .form: "expected HOST:PORT:ADDRESS, with more addresses after commas"
            case .host: "its host is not a host name"
            case .port(let text): "'\(text)' is not a port, expected a number from 1 to 65535"
            case .address(let text): "'\(text)' is not an address, expected one like 192.0.2.1 or [2001:db8::1]"
            }
        }
    }

    private struct Key: Hashable {
        let host: String
        let port: Int
    }

    private var addresses: [Key: [IPAddress]] = [:]

    package init() {}

    /// Adds what `HOST:PORT:ADDRESS[,ADDRESS…]` says; a later one for the same host and port replaces an earlier one.
    ///
    /// - Parameter host: turns the host, as it was given, into the form that is looked up; nil if it is not a host name.
    package mutating func add(_ text: String, host canonical: (String) -> String?) throws(Problem) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .form }
        guard let host = canonical(String(parts[0])) else { throw .host }
        guard 1...5 ~= parts[1].utf8.count, parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = Int(parts[1]),
            1...65_535 ~= port
        else { throw .port(String(parts[1])) }
        var list: [IPAddress] = []
        for part in parts[2].split(separator: ",", omittingEmptySubsequences: false) {
            let isBracketed = part.hasPrefix("[") && part.hasSuffix("]") && part.count > 2
            guard let address = IPAddress(String(isBracketed ? part.dropFirst().dropLast() : part)),
                !isBracketed || part.contains(":")
            else { throw .address(String(part)) }
            if !list.contains(address) { list.append(address) }
        }
        addresses[Key(host: host, port: port)] = list
    }

    /// The addresses for a host and a port; nil if the resolver is to be asked.
    package func addresses(of host: String, port: Int) -> [IPAddress]? { addresses[Key(host: host, port: port)] }
}

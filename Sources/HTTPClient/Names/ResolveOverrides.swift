package import ProxySupport

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

    package var isEmpty: Bool { addresses.isEmpty }

    /// Adds what `HOST:PORT:ADDRESS[,ADDRESS…]` says; a later one for the same host and port replaces an earlier one.
    ///
    /// - Parameter host: turns the host, as it was given, into the form that is looked up; nil if it is no host name.
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

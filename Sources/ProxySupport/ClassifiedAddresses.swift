/// The addresses of a name: those that are contacted, and those that must not be.
package struct ClassifiedAddresses: Equatable, Sendable {
    /// So many of each family are contacted.
    package static let mostPerFamily = 4

    /// In the order in which they are tried, IPv4 first.
    package let permitted: [IPAddress]
    package let refused: [IPAddress]

    /// - Parameters:
    ///   - found: what a resolver says.
    ///   - allowsPrivate: whether addresses that are not public are contacted.
    package init(_ found: [IPAddress], allowsPrivate: Bool) {
        var known: Set<IPAddress> = []
        let distinct = found.filter { known.insert($0).inserted }
        refused = allowsPrivate ? [] : distinct.filter { !$0.isPublic }
        let usable = allowsPrivate ? distinct : distinct.filter(\.isPublic)
        permitted = [false, true].flatMap { isIPv6 in
            usable.filter { $0.isIPv6 == isIPv6 }.prefix(Self.mostPerFamily)
        }
    }
}

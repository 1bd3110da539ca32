internal import Locking

/// A number for each domain, the same as long as the server runs: what loops count belongs to numbers.
///
/// One that was given to a domain is never another's, and the domain has it again when it comes back.
package final class SiteNumbers: @unchecked Sendable {
    private struct Given {
        var numbers: [String: Int] = [:]
        var names: [UnsafeBufferPointer<UInt8>] = []
    }

    private let given = Locked(Given())

    package init() {}

    deinit { given.withLock { for name in $0.names { name.deallocate() } } }

    /// How many were given: all are below it.
    package var count: Int { given.withLock { $0.names.count } }

    package func number(of domain: String) -> Int {
        given.withLock { given in
            if let number = given.numbers[domain] { return number }
            let number = given.names.count
            given.numbers[domain] = number
            let name = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: domain.utf8.count)
            _ = name.initialize(from: domain.utf8)
            given.names.append(UnsafeBufferPointer(name))
            return number
        }
    }

    /// The domains by their numbers, as text that stays where it is as long as this object is there.
    var names: [UnsafeBufferPointer<UInt8>] { given.withLock { $0.names } }
}

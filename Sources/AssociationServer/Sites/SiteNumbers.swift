internal import Locking

/// A number for each domain, the same as long as the server runs: what loops count belongs to numbers.
///
/// One that was given to a domain is never another's, and the domain has it again when it comes back.
package final class SiteNumbers: Sendable {
    private let numbers = Locked<[String: Int]>([:])

    package init() {}

    /// How many were given: all are below it.
    package var count: Int { numbers.withLock { $0.count } }

    package func number(of domain: String) -> Int {
        numbers.withLock { numbers in
            if let number = numbers[domain] { return number }
            let number = numbers.count
            numbers[domain] = number
            return number
        }
    }
}

internal import SystemSupport

/// A number for each domain, the same as long as the site is there: what loops count belongs to numbers.
///
/// The number of a site that is gone is given to another one, so that what is kept for numbers does not grow with the sites
/// that there have ever been.
package final class SiteNumbers: Sendable {
    private struct Given {
        var numbers: [String: Int] = [:]
        /// The free ones below `end`.
        var free: Set<Int> = []
        /// All that were given are below it.
        var end = 0
    }

    private let given = Locked(Given())

    package init() {}

    package func number(of domain: String) -> Int {
        given.withLock { given in
            if let number = given.numbers[domain] { return number }
            let number = given.free.min() ?? given.end
            if given.free.remove(number) == nil { given.end += 1 }
            given.numbers[domain] = number
            return number
        }
    }

    /// Takes the numbers of all other domains back: no loop counts anything under them any more, and what was counted is
    /// forgotten.
    package func retire(allBut domains: [String]) {
        let domains = Set(domains)
        given.withLock { given in
            guard given.numbers.count != domains.count || given.numbers.keys.contains(where: { !domains.contains($0) })
            else { return }
            for (domain, number) in given.numbers where !domains.contains(domain) {
                given.numbers[domain] = nil
                given.free.insert(number)
            }
            while given.free.remove(given.end - 1) != nil { given.end -= 1 }
        }
    }
}

/// The domains of sites by their numbers, as text that stays where it is. It never changes after it was made.
final class SiteNames: @unchecked Sendable {
    /// Empty for a number that no site has.
    let names: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>
    private let text: UnsafeMutablePointer<UInt8>

    init(_ sites: [LoadedSite]) {
        let count = sites.reduce(0) { max($0, $1.number + 1) }
        names = .allocate(capacity: count)
        names.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0))
        text = .allocate(capacity: max(1, sites.reduce(0) { $0 + $1.domain.utf8.count }))
        var end = text
        for site in sites {
            let bytes = Array(site.domain.utf8)
            end.initialize(from: bytes, count: bytes.count)
            names[site.number] = UnsafeBufferPointer(start: end, count: bytes.count)
            end += bytes.count
        }
    }

    deinit {
        names.deallocate()
        text.deallocate()
    }
}

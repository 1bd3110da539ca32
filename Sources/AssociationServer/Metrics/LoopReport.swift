package import HTTP1

/// What was counted up to a moment, by one loop or by several together.
package struct LoopReport: Equatable, Sendable {
    /// Those that are open.
    package private(set) var connections = 0
    private var numbers = [UInt64](repeating: 0, count: Counter.count)
    /// `SiteStatus.count` numbers for each site, by the numbers of the sites.
    private var sites: [UInt64] = []
    private var fetches: [Int: AppleFetches] = [:]

    /// Nothing was counted.
    package init() {}

    init(connections: Int, numbers: [UInt64], sites: [UInt64], fetches: [Int: AppleFetches]) {
        self.connections = connections
        self.numbers = numbers
        self.sites = sites
        self.fetches = fetches
    }

    package subscript(counter: Counter) -> UInt64 { numbers[counter.place] }

    /// How often a site gave an answer.
    ///
    /// - Parameter site: its number, see `LoadedSite`.
    package func count(site: Int, _ status: Status) -> UInt64 {
        guard let place = SiteStatus.place(status), case let index = site * SiteStatus.count + place,
            sites.indices.contains(index)
        else { return 0 }
        return sites[index]
    }

    package func fetches(site: Int) -> AppleFetches { fetches[site] ?? AppleFetches() }

    /// Adds what another loop has counted.
    package mutating func add(_ other: LoopReport) {
        connections += other.connections
        for place in numbers.indices { numbers[place] &+= other.numbers[place] }
        if sites.count < other.sites.count {
            sites += [UInt64](repeating: 0, count: other.sites.count - sites.count)
        }
        for place in other.sites.indices { sites[place] &+= other.sites[place] }
        fetches.merge(other.fetches) { mine, others in
            var sum = mine
            sum.add(others)
            return sum
        }
    }
}

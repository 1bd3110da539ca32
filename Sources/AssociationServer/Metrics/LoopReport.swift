internal import Dispatch
internal import EventLoops
package import HTTP1
internal import SystemSupport

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

    package subscript(counter: Counter) -> UInt64 { numbers[counter.index] }

    /// How often a site gave an answer.
    ///
    /// - Parameter site: its number, see `LoadedSite`.
    package func count(site: Int, _ status: Status) -> UInt64 {
        SiteStatus.index(status).map { number(site, $0) } ?? 0
    }

    /// How often a site has redirected to HTTPS.
    package func redirects(site: Int) -> UInt64 { number(site, SiteStatus.redirects) }

    private func number(_ site: Int, _ offset: Int) -> UInt64 {
        let index = site * SiteStatus.count + offset
        return sites.indices.contains(index) ? sites[index] : 0
    }

    package func fetches(site: Int) -> AppleFetches { fetches[site] ?? AppleFetches() }

    /// Adds what another loop has counted.
    package mutating func add(_ other: LoopReport) {
        connections += other.connections
        for index in numbers.indices { numbers[index] &+= other.numbers[index] }
        if sites.count < other.sites.count {
            sites += [UInt64](repeating: 0, count: other.sites.count - sites.count)
        }
        for index in other.sites.indices { sites[index] &+= other.sites[index] }
        fetches.merge(other.fetches) { mine, others in
            var sum = mine
            sum.add(others)
            return sum
        }
    }
}

/// Asks all loops what they have counted, which also shows that they are alive.
enum LoopQuestion {
    /// - Returns: a report of each loop that has not ended; `nil` if one of them does not answer in time.
    static func ask(_ workers: [Worker], milliseconds: Int) -> [LoopReport]? {
        let group = DispatchGroup()
        let answers = Answers()
        for worker in workers {
            let token = DispatchGroupToken(group)
            worker.loop.post { withExtendedLifetime(token) { answers.add(worker.report()) } }
        }
        guard group.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return answers.all
    }

    /// - Returns: whether all of them answer in time, those that have ended excepted.
    static func ping(_ workers: [Worker], milliseconds: Int) -> Bool {
        let group = DispatchGroup()
        for worker in workers {
            let token = DispatchGroupToken(group)
            worker.loop.post { withExtendedLifetime(token) {} }
        }
        return group.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }

    private final class Answers: Sendable {
        private let reports = Locked<[LoopReport]>([])

        func add(_ report: LoopReport) { reports.withLock { $0.append(report) } }

        var all: [LoopReport] { reports.withLock { $0 } }
    }
}

/// What loops that have ended had counted, so that no number goes back while the others still run.
final class EndedLoops: Sendable {
    private let sum = Locked(LoopReport())

    func add(_ report: LoopReport) { sum.withLock { $0.add(report) } }

    var report: LoopReport { sum.withLock { $0 } }
}

/// Leaves a group when it is forgotten: a loop that ends forgets its work without doing it.
final class DispatchGroupToken: Sendable {
    private let group: DispatchGroup

    init(_ group: DispatchGroup) {
        self.group = group
        group.enter()
    }

    deinit { group.leave() }
}

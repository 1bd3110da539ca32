internal import Dispatch
internal import EventLoops
package import HTTP1
internal import Synchronization
internal import SystemSupport

/// The counts up to a moment, of one loop or of several together.
package struct LoopReport: Equatable, Sendable {
    /// Those that are open.
    package internal(set) var connections = 0
    /// Those of them that speak HTTP/2.
    package internal(set) var http2Connections = 0
    var numbers = [UInt64](repeating: 0, count: Counter.count)
    /// `SiteStatus.count` numbers for each site, by the numbers of the sites.
    var sites: [UInt64] = []
    var fetches: [Int: AppleFetches] = [:]
    /// The counts of the last hour, by minutes since 1970; minutes in which nothing happened may be missing.
    package internal(set) var minutes: [Int64: MinuteCounts] = [:]

    /// Nothing was counted.
    package init() {}

    package subscript(counter: Counter) -> UInt64 { numbers[counter.index] }

    /// The number of times that a site gave an answer.
    ///
    /// - Parameter site: its number, see `LoadedSite`.
    package func count(site: Int, _ status: Status) -> UInt64 {
        SiteStatus.index(status).map { number(site, $0) } ?? 0
    }

    /// The number of times that a site has redirected to HTTPS.
    package func redirects(site: Int) -> UInt64 { number(site, SiteStatus.redirects) }

    /// The number of times that links and pages of a site gave an answer of that status, or of that kind.
    func count(site: Int, _ status: LinkStatus) -> UInt64 { number(site, SiteStatus.index(status)) }
    func count(site: Int, _ kind: LinkAnswerKind) -> UInt64 { number(site, SiteStatus.index(kind)) }

    private func number(_ site: Int, _ offset: Int) -> UInt64 {
        let index = site * SiteStatus.count + offset
        return sites.indices.contains(index) ? sites[index] : 0
    }

    package func fetches(site: Int) -> AppleFetches { fetches[site] ?? AppleFetches() }

    /// Adds what another loop has counted.
    package mutating func add(_ other: LoopReport) {
        connections += other.connections
        http2Connections += other.http2Connections
        for index in numbers.indices { numbers[index] &+= other.numbers[index] }
        if sites.isEmpty { sites = other.sites } else { other.sites.withUnsafeBufferPointer { add(sites: $0) } }
        minutes.merge(other.minutes, uniquingKeysWith: +)
        fetches.merge(other.fetches) { mine, others in
            var sum = mine
            sum.add(others)
            return sum
        }
    }

    /// - Parameter others: `SiteStatus.count` numbers for each site.
    mutating func add(sites others: UnsafeBufferPointer<UInt64>) {
        if sites.isEmpty {
            sites = Array(others)
        } else {
            if sites.count < others.count { sites += [UInt64](repeating: 0, count: others.count - sites.count) }
            for index in others.indices { sites[index] &+= others[index] }
        }
    }
}

/// Asks all loops what they have counted, which also shows that they are alive.
enum LoopQuery {
    /// One after the other, each of which adds to the same numbers: of very many sites they are megabytes.
    ///
    /// - Returns: what the loops that have not ended have counted together; `nil` if one of them does not answer in time.
    static func ask(_ workers: [Worker], milliseconds: Int) -> LoopReport? {
        let sum = Locked(LoopReport())
        let end = DispatchTime.now() + .milliseconds(milliseconds)
        for worker in workers {
            guard post(to: [worker], until: end, { worker in sum.withLock { worker.add(to: &$0) } }) else { return nil }
        }
        return sum.withLock { $0 }
    }

    /// - Returns: whether all of them answer in time, those that have ended excepted.
    static func ping(_ workers: [Worker], milliseconds: Int) -> Bool {
        post(to: workers, until: .now() + .milliseconds(milliseconds)) { _ in }
    }

    private static func post(
        to workers: [Worker], until end: DispatchTime, _ body: @escaping @Sendable (Worker) -> Void
    ) -> Bool {
        let group = DispatchGroup()
        for worker in workers {
            let token = DispatchGroupToken(group)
            worker.loop.post { withExtendedLifetime(token) { body(worker) } }
        }
        return group.wait(timeout: end) == .success
    }
}

/// The counters of loops that have ended, so that no number goes back while the others still run.
final class RetiredLoopCounters: Sendable {
    private let sum = Locked(LoopReport())

    func add(_ worker: Worker) { sum.withLock { worker.add(to: &$0) } }

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

/// Whether all loops answer, for questions that come in on a loop, which cannot wait for the others.
///
/// A question is answered at once from the last check, and has another one begun on another thread if that is a second
/// old. So a question every few seconds sees a loop that hangs one question late.
final class LoopHealth: Sendable {
    private static let milliseconds: Int64 = 1_000

    private let isGood = Atomic<Bool>(true)
    private let checkedAt = Atomic<Int64>(.min / 2)
    private let check = Locked<(@Sendable (_ milliseconds: Int) -> Bool)?>(nil)

    /// - Parameter check: asks all loops, and waits for so long.
    func use(_ check: @escaping @Sendable (_ milliseconds: Int) -> Bool) { self.check.withLock { $0 = check } }

    /// - Parameter now: milliseconds on a clock that never goes back.
    func isAlive(now: Int64) -> Bool {
        let last = checkedAt.load(ordering: .relaxed)
        let isMine =
            now &- last >= Self.milliseconds
            && checkedAt.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        if isMine {
            DispatchQueue.global(qos: .utility).async { [self] in
                let check = check.withLock { $0 }
                isGood.store(check?(Int(Self.milliseconds)) ?? true, ordering: .relaxed)
            }
        }
        return isGood.load(ordering: .relaxed)
    }
}

package import HTTP1

/// What one loop counts. Nobody else touches it: others ask the loop for a report.
package final class LoopCounters {
    private let numbers = UnsafeMutablePointer<UInt64>.allocate(capacity: Counter.count)
    private var sites = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    private var siteCapacity = 0
    private var fetches = FetchTable()

    package init() { numbers.initialize(repeating: 0, count: Counter.count) }

    deinit {
        numbers.deallocate()
        sites.deallocate()
    }

    @inline(__always)
    package func count(_ counter: Counter, _ amount: Int = 1) {
        numbers[counter.index] &+= UInt64(truncatingIfNeeded: amount)
    }

    /// - Parameter site: its number, below the count given to `keep`.
    @inline(__always)
    package func count(site: Int, _ status: Status) {
        guard site < siteCapacity, let index = SiteStatus.index(status) else { return }
        sites[site &* SiteStatus.count &+ index] &+= 1
    }

    /// - Parameter site: that was asked for what is not an association file, and has redirected to HTTPS.
    package func countRedirect(site: Int) {
        count(.redirects)
        guard site < siteCapacity, site >= 0 else { return }
        sites[site &* SiteStatus.count &+ SiteStatus.redirects] &+= 1
    }

    /// - Parameters:
    ///   - userAgent: no more than its first 256 bytes are kept.
    ///   - at: seconds since 1970.
    package func countFetch(
        site: Int, _ agent: AppleAgent, _ userAgent: UnsafeBufferPointer<UInt8>, _ status: Status, at: Int64
    ) {
        fetches.count(site: site, agent, userAgent, status, at: at)
    }

    /// Counts a request of `aasa doctor` in the name of one of Apple's programs.
    package func countDoctorFetch(site: Int, _ status: Status) { fetches.countDoctor(site: site, status) }

    /// Has room for sites with numbers below `count`; what was counted for those that stay stays.
    ///
    /// - Parameter isInUse: whether a site has the number.
    package func keep(sites count: Int, isInUse: (Int) -> Bool = { _ in true }) {
        fetches.keep(sites: count, isInUse: isInUse)
        if count != siteCapacity {
            let kept = min(count, siteCapacity) * SiteStatus.count
            let new = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, count * SiteStatus.count))
            new.initialize(repeating: 0, count: count * SiteStatus.count)
            new.update(from: sites, count: kept)
            sites.deallocate()
            sites = new
            siteCapacity = count
        }
        for site in 0..<count where !isInUse(site) {
            (sites + site * SiteStatus.count).update(repeating: 0, count: SiteStatus.count)
        }
    }

    /// - Parameter connections: those that are open.
    package func report(connections: Int) -> LoopReport {
        LoopReport(
            connections: connections, numbers: Array(UnsafeBufferPointer(start: numbers, count: Counter.count)),
            sites: Array(UnsafeBufferPointer(start: sites, count: siteCapacity * SiteStatus.count)),
            fetches: fetches.fetches)
    }
}

internal import HTTP1

/// What Apple's programs have asked the sites for, counted by one loop: plain memory, allocated once for a site.
struct FetchTable: ~Copyable {
    private struct Cell {
        static let longestAgent = 256

        /// By agent and status.
        let counts: UnsafeMutablePointer<UInt64>
        let userAgent: UnsafeMutablePointer<UInt8>
        var userAgentCount = 0
        var at: Int64 = 0
        var status = Status.ok

        init() {
            counts = .allocate(capacity: AppleAgent.count * SiteStatus.count)
            counts.initialize(repeating: 0, count: AppleAgent.count * SiteStatus.count)
            userAgent = .allocate(capacity: Self.longestAgent)
        }
    }

    private var cells: UnsafeMutablePointer<UnsafeMutablePointer<Cell>?> = .allocate(capacity: 1)
    private var capacity = 0

    deinit {
        for site in 0..<capacity { Self.free(cells[site]) }
        cells.deallocate()
    }

    private static func free(_ cell: UnsafeMutablePointer<Cell>?) {
        guard let cell else { return }
        cell.pointee.counts.deallocate()
        cell.pointee.userAgent.deallocate()
        cell.deallocate()
    }

    /// Has room for sites with numbers below `count`, and forgets those that are not in use.
    mutating func keep(sites count: Int, isInUse: (Int) -> Bool) {
        for site in 0..<capacity where site >= count || !isInUse(site) {
            Self.free(cells[site])
            cells[site] = nil
        }
        guard count != capacity else { return }
        let new = UnsafeMutablePointer<UnsafeMutablePointer<Cell>?>.allocate(capacity: max(1, count))
        new.initialize(repeating: nil, count: count)
        new.update(from: cells, count: min(count, capacity))
        cells.deallocate()
        cells = new
        capacity = count
    }

    /// - Parameter at: seconds since 1970.
    mutating func count(
        site: Int, _ agent: AppleAgent, _ userAgent: UnsafeBufferPointer<UInt8>, _ status: Status, at: Int64
    ) {
        guard site < capacity, let place = SiteStatus.place(status) else { return }
        let cell = cells[site] ?? make(site)
        cell.pointee.counts[agent.place &* SiteStatus.count &+ place] &+= 1
        cell.pointee.at = at
        cell.pointee.status = status
        let count = min(userAgent.count, Cell.longestAgent)
        if let start = userAgent.baseAddress { cell.pointee.userAgent.update(from: start, count: count) }
        cell.pointee.userAgentCount = count
    }

    @inline(never)
    private mutating func make(_ site: Int) -> UnsafeMutablePointer<Cell> {
        let cell = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
        cell.initialize(to: Cell())
        cells[site] = cell
        return cell
    }

    /// By the numbers of the sites.
    var fetches: [Int: AppleFetches] {
        var all: [Int: AppleFetches] = [:]
        for site in 0..<capacity {
            if let cell = cells[site] { all[site] = Self.fetches(cell) }
        }
        return all
    }

    private static func fetches(_ cell: UnsafeMutablePointer<Cell>) -> AppleFetches {
        var counts: [AppleFetches.Kind: UInt64] = [:]
        for agent in AppleAgent.allCases {
            for status in SiteStatus.all {
                guard let place = SiteStatus.place(status) else { continue }
                let count = cell.pointee.counts[agent.place * SiteStatus.count + place]
                if count > 0 { counts[AppleFetches.Kind(agent: agent, status: status)] = count }
            }
        }
        let userAgent = UnsafeBufferPointer(start: cell.pointee.userAgent, count: cell.pointee.userAgentCount)
        return AppleFetches(
            last: AppleFetches.Fetch(
                at: cell.pointee.at, userAgent: String(decoding: userAgent, as: UTF8.self), status: cell.pointee.status),
            counts: counts)
    }
}

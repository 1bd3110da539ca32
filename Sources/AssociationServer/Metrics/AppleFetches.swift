internal import BoundedText
package import HTTP1
package import ServiceHealth

/// Apple's programs that fetch association files, by what their user agents contain (server.md, section 9).
package enum AppleAgent: String, CaseIterable, Sendable, BitwiseCopyable {
    /// Apple's content delivery network.
    case bot = "AASA-Bot"
    /// The daemon on devices, in developer mode or before the network was used for it.
    case daemon = "swcd"
    case network = "CFNetwork"

    /// - Returns: `nil` for another client.
    @inline(__always)
    package init?(userAgent: UnsafeBufferPointer<UInt8>) {
        var found: AppleAgent?
        for index in 0..<userAgent.count {
            switch userAgent[index] {
            case UInt8(ascii: "A") where Self.matches("AASA-Bot", userAgent, at: index):
                self = .bot
                return
            case UInt8(ascii: "s") where Self.matches("swcd", userAgent, at: index): found = .daemon
            case UInt8(ascii: "C") where found == nil && Self.matches("CFNetwork", userAgent, at: index):
                found = .network
            default: continue
            }
        }
        guard let found else { return nil }
        self = found
    }

    static let count = 3

    /// The index in `allCases`.
    var index: Int {
        switch self {
        case .bot: 0
        case .daemon: 1
        case .network: 2
        }
    }

    private static func matches(_ name: StaticString, _ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard text.count &- start >= name.utf8CodeUnitCount else { return false }
        for offset in 0..<name.utf8CodeUnitCount where text[start &+ offset] != name.utf8Start[offset] { return false }
        return true
    }
}

/// The fetches of Apple's programs from a site.
package struct AppleFetches: Equatable, Sendable {
    package struct Kind: Hashable, Sendable {
        package let agent: AppleAgent
        package let status: Status
    }

    package internal(set) var last: AppleFetch?
    package internal(set) var counts: [Kind: UInt64] = [:]
    /// The requests of `aasa doctor` in the name of Apple's programs, by the status of the answer. They are not among
    /// the others.
    package internal(set) var doctorCounts: [Status: UInt64] = [:]

    /// Adds what another loop has seen.
    mutating func add(_ other: AppleFetches) {
        counts.merge(other.counts, uniquingKeysWith: +)
        doctorCounts.merge(other.doctorCounts, uniquingKeysWith: +)
        if let fetch = other.last, last.map({ $0.at < fetch.at }) ?? true { last = fetch }
    }
}

/// The fetches of Apple's programs by site, counted by one loop: plain memory, allocated once for a site.
struct FetchTable: ~Copyable {
    private struct Cell {
        static let longestAgent = 256

        /// The counts by agent and status; after the agents comes `aasa doctor`.
        let counts: UnsafeMutablePointer<UInt64>
        let userAgent: UnsafeMutablePointer<UInt8>
        var userAgentCount = 0
        /// Whether one of Apple's programs has asked; the members after it are about its last request.
        var hasLast = false
        var at: Int64 = 0
        var status = Status.ok

        static var size: Int { (AppleAgent.count + 1) * SiteStatus.count }

        init() {
            counts = .allocate(capacity: Self.size)
            counts.initialize(repeating: 0, count: Self.size)
            userAgent = .allocate(capacity: Self.longestAgent)
        }
    }

    private var cells: UnsafeMutablePointer<UnsafeMutablePointer<Cell>?> = .allocate(capacity: 1)
    private var siteCount = 0
    private var capacity = 0

    deinit {
        for site in 0..<siteCount { Self.free(cells[site]) }
        cells.deallocate()
    }

    private static func free(_ cell: UnsafeMutablePointer<Cell>?) {
        guard let cell else { return }
        cell.pointee.counts.deallocate()
        cell.pointee.userAgent.deallocate()
        cell.deallocate()
    }

    /// Has room for sites with numbers below `count`, and forgets others.
    mutating func keep(sites count: Int) {
        if count < siteCount { for site in count..<siteCount { Self.free(cells[site]) } }
        if let capacity = GrowingCapacity.next(capacity, for: count) {
            let new = UnsafeMutablePointer<UnsafeMutablePointer<Cell>?>.allocate(capacity: max(1, capacity))
            new.initialize(from: cells, count: min(count, siteCount))
            cells.deallocate()
            cells = new
            self.capacity = capacity
        }
        if count > siteCount { (cells + siteCount).initialize(repeating: nil, count: count - siteCount) }
        siteCount = count
    }

    mutating func forget(site: Int) {
        guard site < siteCount else { return }
        Self.free(cells[site])
        cells[site] = nil
    }

    /// - Parameter at: seconds since 1970.
    mutating func count(
        site: Int, _ agent: AppleAgent, _ userAgent: UnsafeBufferPointer<UInt8>, _ status: Status, at: Int64
    ) {
        guard site < siteCount, let index = SiteStatus.index(status) else { return }
        let cell = cells[site] ?? make(site)
        cell.pointee.counts[agent.index &* SiteStatus.count &+ index] &+= 1
        cell.pointee.hasLast = true
        cell.pointee.at = at
        cell.pointee.status = status
        let count = min(userAgent.count, Cell.longestAgent)
        if let start = userAgent.baseAddress { cell.pointee.userAgent.update(from: start, count: count) }
        cell.pointee.userAgentCount = count
    }

    mutating func countDoctor(site: Int, _ status: Status) {
        guard site < siteCount, let index = SiteStatus.index(status) else { return }
        let cell = cells[site] ?? make(site)
        cell.pointee.counts[AppleAgent.count &* SiteStatus.count &+ index] &+= 1
    }

    @inline(never)
    private mutating func make(_ site: Int) -> UnsafeMutablePointer<Cell> {
        let cell = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
        cell.initialize(to: Cell())
        cells[site] = cell
        return cell
    }

    /// The fetches by the numbers of the sites.
    var fetches: [Int: AppleFetches] {
        var all: [Int: AppleFetches] = [:]
        for site in 0..<siteCount {
            if let cell = cells[site] { all[site] = Self.fetches(cell) }
        }
        return all
    }

    private static func fetches(_ cell: UnsafeMutablePointer<Cell>) -> AppleFetches {
        var counts: [AppleFetches.Kind: UInt64] = [:]
        for agent in AppleAgent.allCases {
            for status in SiteStatus.all {
                guard let index = SiteStatus.index(status) else { continue }
                let count = cell.pointee.counts[agent.index * SiteStatus.count + index]
                if count > 0 { counts[AppleFetches.Kind(agent: agent, status: status)] = count }
            }
        }
        var doctorCounts: [Status: UInt64] = [:]
        for status in SiteStatus.all {
            guard let index = SiteStatus.index(status) else { continue }
            let count = cell.pointee.counts[AppleAgent.count * SiteStatus.count + index]
            if count > 0 { doctorCounts[status] = count }
        }
        return AppleFetches(last: last(cell), counts: counts, doctorCounts: doctorCounts)
    }

    private static func last(_ cell: UnsafeMutablePointer<Cell>) -> AppleFetch? {
        guard cell.pointee.hasLast else { return nil }
        let userAgent = UnsafeBufferPointer(start: cell.pointee.userAgent, count: cell.pointee.userAgentCount)
        return AppleFetch(
            at: cell.pointee.at, userAgent: String(text: userAgent), status: Int(cell.pointee.status.rawValue))
    }
}

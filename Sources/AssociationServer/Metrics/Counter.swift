package import HTTP1
package import HTTP2
package import OpenSSL

/// Why a connection was not taken, in the words of metrics.
package enum ConnectionRefusal: String, CaseIterable, Sendable, BitwiseCopyable {
    /// `limits.connections` were open.
    case connections
    /// `limits.perAddress` were open from one address.
    case perAddress = "per_address"
    /// Descriptors or memory have run out.
    case exhausted
    /// The peer is not one of `trustedProxies`, and the listener expects a PROXY header.
    case untrustedProxy = "untrusted_proxy"
    /// The PROXY header was missing, malformed or late.
    case proxyHeader = "proxy_header"
    /// Connections held `limits.bufferedBytes`, and this one had waited longest.
    case bufferedBytes = "buffered_bytes"
}

/// The phases that a time-out can end, in the words of metrics.
package enum TimeoutPhase: String, CaseIterable, Sendable, BitwiseCopyable {
    case handshake, header, idle, write
}

/// The versions of HTTP that requests come in.
package enum HTTPVersion: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case http10, http11, http2

    /// The number alone, as in logs and metrics.
    package var text: StaticString {
        switch self {
        case .http10: "1.0"
        case .http11: "1.1"
        case .http2: "2"
        }
    }
}

/// The types of challenges that listeners answer, in the words of metrics.
package enum AnsweredChallenge: String, CaseIterable, Sendable, BitwiseCopyable {
    case tlsALPN01 = "tls-alpn-01"
    case http01 = "http-01"
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    /// The index in `allCases`, for what is counted seldom.
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The index of a number among those that each loop counts.
package struct Counter: BitwiseCopyable, Sendable {
    let index: Int

    private static let refusals = 18
    private static let handshakes = refusals + 6
    private static let failures = handshakes + 4
    private static let timeouts = failures + 10
    private static let others = timeouts + 4
    private static let challenges = others + 3
    private static let versions = challenges + 4
    private static let faults = versions + 3
    private static let linkRedirects = faults + 12
    private static let fetches = linkRedirects + 2
    static let count = fetches + AppleAgent.count * SiteStatus.redirects

    /// Answers of that status.
    package static func request(_ status: Status) -> Counter { Counter(index: status.index) }

    package static func refused(_ reason: ConnectionRefusal) -> Counter { Counter(index: refusals + reason.index) }

    package static func handshake(isTLS13: Bool, isResumed: Bool) -> Counter {
        Counter(index: handshakes + (isTLS13 ? 2 : 0) + (isResumed ? 1 : 0))
    }

    package static func handshakeFailed(_ reason: HandshakeFailure) -> Counter {
        Counter(index: failures + reason.index)
    }

    static var allHandshakes: Range<Int> { handshakes..<failures }
    static var allHandshakeFailures: Range<Int> { failures..<timeouts }

    package static func timeout(_ phase: TimeoutPhase) -> Counter { Counter(index: timeouts + phase.index) }

    /// Answers to requests of that version.
    @inline(__always)
    package static func request(_ version: HTTPVersion) -> Counter {
        Counter(index: versions + Int(version.rawValue))
    }

    /// HTTP/2 connections that were ended, or streams reset, for a reason.
    package static func http2Error(_ fault: StreamFault) -> Counter { Counter(index: faults + fault.index) }

    /// Challenges that a CA has asked for, by the two types that listeners answer.
    package static func challenge(_ type: AnsweredChallenge, isAnswered: Bool) -> Counter {
        Counter(index: challenges + type.index * 2 + (isAnswered ? 1 : 0))
    }

    /// Answers by links and pages of that status.
    static func request(_ status: LinkStatus) -> Counter {
        switch status {
        case .ok: request(Status.ok)
        case .found: Counter(index: linkRedirects)
        case .notModified: request(Status.notModified)
        case .temporaryRedirect: Counter(index: linkRedirects + 1)
        case .notFound: request(Status.notFound)
        case .preconditionFailed: request(Status.preconditionFailed)
        }
    }

    /// Connections that were taken.
    package static let connections = Counter(index: others)
    /// Bytes that sockets took, TLS included.
    package static let sentBytes = Counter(index: others + 1)
    /// Redirects to HTTPS, whose status is not a `Status`.
    package static let redirects = Counter(index: others + 2)

    /// Fetches of association files by one of Apple's programs, of all sites; nil for an answer that no site gives.
    package static func appleFetch(_ agent: AppleAgent, _ status: Status) -> Counter? {
        SiteStatus.index(status).map { Counter(index: fetches + agent.index * SiteStatus.redirects + $0) }
    }

    static var allAppleFetches: Range<Int> { fetches..<count }
}

/// The answers that are counted for a site: those that the host of a request can get.
enum SiteStatus {
    static let all: [Status] = [
        .ok, .notModified, .notFound, .methodNotAllowed, .preconditionFailed, .expectationFailed, .serviceUnavailable,
    ]
    /// Where redirects are counted, which have a status that is none of those.
    static let redirects = 7
    /// Where the redirects of links are counted.
    private static let linkRedirects = 8
    /// Where answers by links and pages are counted by their kinds.
    private static let kinds = 10
    /// The number of counters for a site.
    static let count = 15

    static func index(_ status: LinkStatus) -> Int {
        switch status {
        case .ok: 0
        case .found: linkRedirects
        case .notModified: 1
        case .temporaryRedirect: linkRedirects + 1
        case .notFound: 2
        case .preconditionFailed: 4
        }
    }

    static func index(_ kind: LinkAnswerKind) -> Int { kinds + kind.index }

    /// `nil` for an answer that no site gives.
    @inline(__always)
    static func index(_ status: Status) -> Int? {
        switch status {
        case .ok: 0
        case .notModified: 1
        case .notFound: 2
        case .methodNotAllowed: 3
        case .preconditionFailed: 4
        case .expectationFailed: 5
        case .serviceUnavailable: 6
        default: nil
        }
    }
}

/// The counters of one loop. Nobody else touches them: others ask the loop for a report.
package final class LoopCounters {
    private let numbers = UnsafeMutablePointer<UInt64>.allocate(capacity: Counter.count)
    private var sites = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    /// The number of sites that are counted.
    private var siteCount = 0
    /// The number of sites that there is memory for.
    private var siteCapacity = 0
    private var fetches = FetchTable()
    private var history = MinuteHistory()

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
        guard site < siteCount, let index = SiteStatus.index(status) else { return }
        sites[site &* SiteStatus.count &+ index] &+= 1
    }

    /// - Parameter site: that was asked for what is not an association file, and has redirected to HTTPS.
    package func countRedirect(site: Int) {
        count(.redirects)
        guard site < siteCount, site >= 0 else { return }
        sites[site &* SiteStatus.count &+ SiteStatus.redirects] &+= 1
    }

    /// Counts an answer by the links and pages of a site.
    func count(site: Int, _ status: LinkStatus, _ kind: LinkAnswerKind) {
        count(.request(status))
        guard site < siteCount, site >= 0 else { return }
        sites[site &* SiteStatus.count &+ SiteStatus.index(status)] &+= 1
        sites[site &* SiteStatus.count &+ SiteStatus.index(kind)] &+= 1
    }

    /// - Parameters:
    ///   - userAgent: no more than its first 256 bytes are kept.
    ///   - at: seconds since 1970.
    package func countFetch(
        site: Int, _ agent: AppleAgent, _ userAgent: UnsafeBufferPointer<UInt8>, _ status: Status, at: Int64
    ) {
        if let counter = Counter.appleFetch(agent, status) { count(counter) }
        fetches.count(site: site, agent, userAgent, status, at: at)
    }

    /// Counts a request of `aasa doctor` in the name of one of Apple's programs.
    package func countDoctorFetch(site: Int, _ status: Status) { fetches.countDoctor(site: site, status) }

    /// Has room for sites with numbers below `count`; what was counted for those stays, and for others is forgotten.
    package func keep(sites count: Int) {
        fetches.keep(sites: count)
        if let capacity = GrowingCapacity.next(siteCapacity, for: count) {
            let new = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, capacity * SiteStatus.count))
            new.initialize(from: sites, count: min(count, siteCount) * SiteStatus.count)
            sites.deallocate()
            sites = new
            siteCapacity = capacity
        }
        if count > siteCount {
            (sites + siteCount * SiteStatus.count).initialize(
                repeating: 0, count: (count - siteCount) * SiteStatus.count)
        }
        siteCount = count
    }

    /// Forgets what was counted for a site that is gone.
    package func forget(site: Int) {
        fetches.forget(site: site)
        guard site < siteCount else { return }
        (sites + site * SiteStatus.count).update(repeating: 0, count: SiteStatus.count)
    }

    /// Begins a minute: call it before anything of the minute is counted.
    ///
    /// - Parameter minute: since 1970.
    package func begin(minute: Int64) { history.begin(minute, totals) }

    /// The counts from the start up to now of all that is kept by minutes.
    private var totals: MinuteCounts {
        var counts = MinuteCounts()
        for status in Status.allCases { counts.requests &+= numbers[Counter.request(status).index] }
        for counter in [.redirects] + LinkStatus.redirects.map(Counter.request) {
            counts.requests &+= numbers[counter.index]
        }
        for index in Counter.allAppleFetches { counts.appleFetches &+= numbers[index] }
        for index in Counter.allHandshakes { counts.handshakes &+= numbers[index] }
        for index in Counter.allHandshakeFailures { counts.handshakeFailures &+= numbers[index] }
        return counts
    }

    /// Takes a number that is counted elsewhere.
    func set(_ counter: Counter, to number: UInt64) { numbers[counter.index] = number }

    /// - Parameters:
    ///   - connections: those that are open.
    ///   - http2Connections: those of them that speak HTTP/2.
    package func report(connections: Int, http2Connections: Int = 0) -> LoopReport {
        var report = LoopReport()
        add(to: &report, connections: connections, http2Connections: http2Connections)
        return report
    }

    /// Adds the counts to those of other loops, without a copy of those of sites: of very many that is megabytes.
    func add(to sum: inout LoopReport, connections: Int, http2Connections: Int) {
        var report = LoopReport()
        (report.connections, report.http2Connections) = (connections, http2Connections)
        report.numbers = Array(UnsafeBufferPointer(start: numbers, count: Counter.count))
        (report.fetches, report.minutes) = (fetches.fetches, history.counts(upTo: totals))
        sum.add(report)
        sum.add(sites: UnsafeBufferPointer(start: sites, count: siteCount * SiteStatus.count))
    }
}

/// The memory for things that are numbered: a little more than is needed, so that one more seldom needs other memory.
enum GrowingCapacity {
    /// The capacity that takes the place of another; nil if that can stay.
    static func next(_ capacity: Int, for count: Int) -> Int? {
        if count > capacity { return capacity == 0 ? count : count + count / 8 + 8 }
        return count < capacity / 2 ? count : nil
    }
}

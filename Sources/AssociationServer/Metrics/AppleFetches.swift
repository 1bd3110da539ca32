package import HTTP1

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

    /// The place among `allCases`.
    var place: Int {
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

/// What Apple's programs have asked a site for, and were told.
package struct AppleFetches: Equatable, Sendable {
    package struct Fetch: Equatable, Sendable {
        /// Seconds since 1970.
        package let at: Int64
        /// As it was sent; no more than its first 256 bytes.
        package let userAgent: String
        package let status: Status

        package init(at: Int64, userAgent: String, status: Status) {
            self.at = at
            self.userAgent = userAgent
            self.status = status
        }
    }

    package struct Kind: Hashable, Sendable {
        package let agent: AppleAgent
        package let status: Status
    }

    package private(set) var last: Fetch?
    package private(set) var counts: [Kind: UInt64] = [:]

    /// No fetch was seen.
    init() {}

    init(last: Fetch, counts: [Kind: UInt64]) {
        self.last = last
        self.counts = counts
    }

    /// Adds what another loop has seen.
    mutating func add(_ other: AppleFetches) {
        counts.merge(other.counts, uniquingKeysWith: +)
        if let fetch = other.last, last.map({ $0.at < fetch.at }) ?? true { last = fetch }
    }
}

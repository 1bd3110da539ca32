/// A block of addresses in CIDR notation, such as `10.0.0.0/8`, or a single address.
package struct CIDRBlock: Hashable, Sendable, BitwiseCopyable {
    /// The first address of the block.
    package let first: IPAddress
    /// The last.
    package let last: IPAddress

    /// Why a text is not a block.
    package enum Problem: Error, Equatable, Sendable {
        case notAnAddress
        /// The part after the slash is not a number.
        case notAPrefixLength
        /// The prefix is longer than the address, which has `limit` bits.
        case prefixTooLong(limit: Int)
        /// Bits after the prefix are set; the block that was probably meant.
        case hostBitsSet(block: String)
    }

    /// Reads `10.0.0.0/8`, `2001:db8::/32` or an address, which is a block of one.
    package init(_ text: String) throws(Problem) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { throw .notAnAddress }
        guard parts.count == 2 else {
            (first, last) = (address, address)
            return
        }
        // An IPv4 address in its IPv6 spelling has a prefix of IPv6.
        let isWrittenAsIPv6 = parts[0].contains(":")
        let limit = isWrittenAsIPv6 ? 128 : 32
        let digits = parts[1].utf8
        guard 1...3 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }), let length = Int(parts[1]) else {
            throw .notAPrefixLength
        }
        guard length <= limit else { throw .prefixTooLong(limit: limit) }
        let mask = Self.mask(isWrittenAsIPv6 ? length : length + 96)
        let network = IPAddress(high: address.high & mask.high, low: address.low & mask.low)
        guard network == address else { throw .hostBitsSet(block: "\(network)/\(length)") }
        first = network
        last = IPAddress(high: network.high | ~mask.high, low: network.low | ~mask.low)
    }

    private static func mask(_ length: Int) -> (high: UInt64, low: UInt64) {
        (ones(min(length, 64)), ones(max(length - 64, 0)))
    }

    private static func ones(_ count: Int) -> UInt64 { count == 0 ? 0 : ~0 << UInt64(64 - count) }

    package func contains(_ address: IPAddress) -> Bool { first <= address && address <= last }

    /// Whether it is all of IPv4, or all of IPv6.
    package var isEverything: Bool {
        self == Self.allIPv4 || first == IPAddress(high: 0, low: 0) && last == IPAddress(high: ~0, low: ~0)
    }

    /// The addresses that an IPv4 address has as a number.
    fileprivate static let allIPv4 = CIDRBlock(first: IPAddress(ipv4: 0), last: IPAddress(ipv4: ~0))

    fileprivate init(first: IPAddress, last: IPAddress) {
        self.first = first
        self.last = last
    }
}

extension CIDRBlock {
    /// 127.0.0.0/8 and ::1.
    package static let loopback = blocks(["127.0.0.0/8", "::1"])

    /// The blocks that are not routed on the Internet: RFC 1918, RFC 3927, RFC 6598, RFC 4193 and link-local IPv6.
    package static let `private` = blocks([
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10",
    ])

    private static func blocks(_ texts: [String]) -> [CIDRBlock] { texts.compactMap { try? CIDRBlock($0) } }
}

/// A set of addresses that is made of blocks, and asked in logarithmic time.
package struct CIDRSet: Equatable, Sendable {
    /// The ranges by their first addresses; they do not overlap.
    private let ranges: [CIDRBlock]

    package init(_ blocks: [CIDRBlock] = []) {
        // A block of IPv6 has no IPv4 address in it, although those have numbers among the IPv6 ones.
        let sorted = blocks.flatMap(Self.withoutIPv4).sorted { $0.first < $1.first }
        var merged: [CIDRBlock] = []
        for block in sorted {
            if let previous = merged.last, block.first <= previous.last {
                merged[merged.count - 1] = CIDRBlock(first: previous.first, last: max(previous.last, block.last))
            } else {
                merged.append(block)
            }
        }
        ranges = merged
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ address: IPAddress) -> Bool { withView { $0.contains(address) } }

    /// Calls `body` with a view that is valid until it returns.
    package func withView<Result>(_ body: (View) -> Result) -> Result {
        ranges.withUnsafeBufferPointer { body(View(ranges: $0)) }
    }

    /// Makes a view that is valid until it is deallocated, whatever becomes of the set.
    package func allocateView() -> View {
        let copy = UnsafeMutableBufferPointer<CIDRBlock>.allocate(capacity: ranges.count)
        _ = copy.initialize(from: ranges)
        return View(ranges: UnsafeBufferPointer(copy))
    }

    /// A view of the set for the path of a request: no reference, no count.
    package struct View: BitwiseCopyable {
        fileprivate let ranges: UnsafeBufferPointer<CIDRBlock>

        package func contains(_ address: IPAddress) -> Bool {
            var low = 0
            var high = ranges.count
            while low < high {
                let middle = (low &+ high) / 2
                if ranges[middle].last < address { low = middle &+ 1 } else { high = middle }
            }
            return low < ranges.count && ranges[low].first <= address
        }

        /// Frees a view that was made by `allocateView`.
        package func deallocate() { ranges.deallocate() }
    }

    private static func withoutIPv4(_ block: CIDRBlock) -> [CIDRBlock] {
        let ipv4 = CIDRBlock.allIPv4
        guard block.first < ipv4.first, block.last > ipv4.last else { return [block] }
        return [
            CIDRBlock(first: block.first, last: IPAddress(high: 0, low: ipv4.first.low - 1)),
            CIDRBlock(first: IPAddress(high: 0, low: ipv4.last.low + 1), last: block.last),
        ]
    }
}

extension IPAddress: Comparable {
    package static func < (left: IPAddress, right: IPAddress) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

/// The addresses of a name: those that are contacted, and those that must not be.
package struct ClassifiedAddresses: Equatable, Sendable {
    /// Maximum number of addresses of each family that are contacted.
    package static let maxPerFamily = 4

    /// The permitted addresses in the order in which they are tried, IPv4 first.
    package let permitted: [IPAddress]
    package let refused: [IPAddress]

    /// - Parameters:
    ///   - found: what a resolver says.
    ///   - allowsPrivate: whether addresses that are not public are contacted.
    package init(_ found: [IPAddress], allowsPrivate: Bool) {
        var known: Set<IPAddress> = []
        let distinct = found.filter { known.insert($0).inserted }
        refused = allowsPrivate ? [] : distinct.filter { !$0.isPublic }
        let usable = allowsPrivate ? distinct : distinct.filter(\.isPublic)
        permitted = [false, true].flatMap { isIPv6 in
            usable.filter { $0.isIPv6 == isIPv6 }.prefix(Self.maxPerFamily)
        }
    }
}

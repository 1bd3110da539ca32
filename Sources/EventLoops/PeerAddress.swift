internal import CLinux
internal import Glibc

/// The address of a peer, without its port.
///
/// An IPv4 address is one also where the system gives it as an IPv6 address (`::ffff:192.0.2.1`), as a socket does that
/// takes both.
package struct PeerAddress: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The length of the longest text.
    @inlinable package static var longestText: Int { 39 }

    // The sixteen bytes as numbers. Of an IPv4 address those of its IPv6 form (RFC 4291, section 2.5.5.2).
    private let high: UInt64
    private let low: UInt64

    /// - Parameters:
    ///   - high: the first eight bytes of an IPv6 address, as a number.
    ///   - low: the last eight.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter ipv4: the four bytes as a number.
    package init(ipv4: UInt32) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(ipv4)) }

    /// Any other family, which no listener has, counts as `0.0.0.0`.
    init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET6:
                PeerAddress(
                    high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
            case AF_INET:
                PeerAddress(ipv4: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            default: PeerAddress(ipv4: 0)
            }
        }
    }

    package var isIPv6: Bool { high != 0 || low >> 32 != 0xFFFF }

    /// What limits count it under.
    package var key: PeerKey {
        isIPv6
            ? PeerKey(isIPv6: true, value: high)
            : PeerKey(isIPv6: false, value: UInt64(UInt32(truncatingIfNeeded: low)))
    }

    /// Writes `192.0.2.1`, or an IPv6 address as RFC 5952 wants it: `2001:db8::1`.
    ///
    /// - Parameter output: has room for `longestText` bytes.
    /// - Returns: how many were written.
    package func write(to output: UnsafeMutablePointer<UInt8>) -> Int {
        isIPv6 ? writeIPv6(to: output) : writeIPv4(to: output)
    }

    package var description: String {
        String(unsafeUninitializedCapacity: Self.longestText) { buffer in
            buffer.baseAddress.map(write) ?? 0
        }
    }

    private func writeIPv4(to output: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        var shift: UInt64 = 24
        while true {
            let value = UInt8(truncatingIfNeeded: low >> shift)
            if value >= 100 { output.put(UInt8(ascii: "0") &+ value / 100, &count) }
            if value >= 10 { output.put(UInt8(ascii: "0") &+ value / 10 % 10, &count) }
            output.put(UInt8(ascii: "0") &+ value % 10, &count)
            if shift == 0 { return count }
            output.put(UInt8(ascii: "."), &count)
            shift &-= 8
        }
    }

    private func writeIPv6(to output: UnsafeMutablePointer<UInt8>) -> Int {
        let zeros = longestZeros
        var count = 0
        var index = 0
        while index < 8 {
            if index == zeros.lowerBound {
                output.put(UInt8(ascii: ":"), &count)
                output.put(UInt8(ascii: ":"), &count)
                index = zeros.upperBound
                continue
            }
            if index > 0, index != zeros.upperBound { output.put(UInt8(ascii: ":"), &count) }
            let group = group(index)
            var shift = group >= 0x1000 ? 12 : group >= 0x100 ? 8 : group >= 0x10 ? 4 : 0
            while shift >= 0 {
                let digit = UInt8(truncatingIfNeeded: group >> shift) & 0xF
                output.put(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10), &count)
                shift &-= 4
            }
            index &+= 1
        }
        return count
    }

    /// The groups that `::` stands for: the longest run of zeros, of two at least; of equal ones the first. Outside of
    /// 0…7 if there is none.
    private var longestZeros: Range<Int> {
        var longest = 8..<8
        var start = 0
        for index in 0..<8 {
            if group(index) != 0 {
                start = index &+ 1
            } else if index &+ 1 &- start > max(longest.count, 1) {
                longest = start..<index &+ 1
            }
        }
        return longest
    }

    private func group(_ index: Int) -> UInt64 {
        (index < 4 ? high : low) >> UInt64(truncatingIfNeeded: 48 &- 16 &* (index & 3)) & 0xFFFF
    }
}

extension UnsafeMutablePointer<UInt8> {
    @inline(__always)
    fileprivate func put(_ byte: UInt8, _ count: inout Int) {
        self[count] = byte
        count &+= 1
    }
}

/// Whose connection it is: an IPv4 address or an IPv6 /64.
package struct PeerKey: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline let isIPv6: Bool
    @usableFromInline let value: UInt64

    package init(isIPv6: Bool, value: UInt64) {
        self.isIPv6 = isIPv6
        self.value = value
    }

    /// For tables that nobody can prepare collisions for, as long as the seed is random.
    @inlinable
    package func hash(seed: UInt64) -> UInt64 {
        var hash = (value ^ (isIPv6 ? ~seed : seed)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 32 ^ seed) &* 0xD6E8_FEB8_6659_FD93
        return hash ^ hash >> 32
    }
}

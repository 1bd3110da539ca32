internal import CLinux
internal import Glibc
package import ProxySupport

extension IPAddress {
    /// The address of a socket's peer; `nil` for that of a Unix socket, which has none.
    init?(_ storage: sockaddr_storage) {
        let address: IPAddress? = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET6:
                IPAddress(
                    high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
            case AF_INET:
                IPAddress(ipv4: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            default: nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    /// What limits count it under.
    package var key: PeerKey {
        isIPv6
            ? PeerKey(isIPv6: true, value: high)
            : PeerKey(isIPv6: false, value: UInt64(UInt32(truncatingIfNeeded: low)))
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

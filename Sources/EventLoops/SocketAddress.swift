internal import BoundedText
internal import CLinux
package import DomainNames
internal import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Equatable, Sendable, CustomStringConvertible {
    /// Four or sixteen bytes, in network order.
    package let bytes: [UInt8]
    package let port: UInt16

    package var isIPv6: Bool { bytes.count == 16 }

    /// Whether only this machine can reach it: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isIPv6 ? bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 } : bytes.first == 127
    }

    /// Reads `192.0.2.1:443` or `[2001:db8::1]:443`; `nil` if the text is neither.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let portText = text[text.index(after: colon)...]
        guard portText.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(portText) else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        // The system reads up to a NUL; nothing may follow it.
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: isBracketed ? 16 : 4)
        guard inet_pton(isBracketed ? AF_INET6 : AF_INET, String(host), &bytes) == 1 else { return nil }
        self.bytes = bytes
        self.port = port
    }

    /// The address that a socket is bound to.
    init?(boundTo descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        self.init(storage)
    }

    private init?(_ storage: sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET:
            (bytes, port) = withUnsafeBytes(of: storage) {
                let address = $0.loadUnaligned(as: sockaddr_in.self)
                return (withUnsafeBytes(of: address.sin_addr, Array.init), UInt16(bigEndian: address.sin_port))
            }
        case AF_INET6:
            (bytes, port) = withUnsafeBytes(of: storage) {
                let address = $0.loadUnaligned(as: sockaddr_in6.self)
                return (withUnsafeBytes(of: address.sin6_addr, Array.init), UInt16(bigEndian: address.sin6_port))
            }
        default: return nil
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count))
        let host = String(text: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Calls `body` with the address as the system wants it.
    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

/// An address to listen on, as people write it: an address with a port, or less.
package struct ListenAddress: Equatable, Sendable {
    /// The accepted forms, for messages.
    package static let expected =
        "a port, or an address and a port: '443', ':8443', 'localhost:8443', '127.0.0.1:8443', '[::1]:8443'"

    /// The addresses: IPv4 and IPv6 where the text leaves it open; then IPv6 need not be there.
    package let addresses: [SocketAddress]

    /// Reads `443` and `:443` (every address of this machine), `localhost:8443`, `192.0.2.1:443` or `[2001:db8::1]:443`;
    /// `nil` if the text is none of them.
    package init?(_ text: String) {
        let hosts: [String]
        let port: Substring
        if let colon = text.lastIndex(of: ":") {
            port = text[text.index(after: colon)...]
            switch text[..<colon].lowercased() {
            case "", "*": hosts = ["0.0.0.0", "[::]"]
            case "localhost": hosts = ["127.0.0.1", "[::1]"]
            default: hosts = [String(text[..<colon])]
            }
        } else {
            port = text[...]
            hosts = ["0.0.0.0", "[::]"]
        }
        addresses = hosts.compactMap { SocketAddress("\($0):\(port)") }
        if addresses.count != hosts.count { return nil }
    }
}

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

    /// The key under which limits count the address.
    package var key: PeerKey {
        isIPv6
            ? PeerKey(isIPv6: true, value: high)
            : PeerKey(isIPv6: false, value: UInt64(UInt32(truncatingIfNeeded: low)))
    }
}

/// The client of a connection for limits: an IPv4 address or an IPv6 /64.
package struct PeerKey: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline let isIPv6: Bool
    @usableFromInline let value: UInt64

    package init(isIPv6: Bool, value: UInt64) {
        self.isIPv6 = isIPv6
        self.value = value
    }

    /// A hash for tables for which collisions cannot be prepared, as long as the seed is random.
    @inlinable
    package func hash(seed: UInt64) -> UInt64 {
        var hash = (value ^ (isIPv6 ? ~seed : seed)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 32 ^ seed) &* 0xD6E8_FEB8_6659_FD93
        return hash ^ hash >> 32
    }
}

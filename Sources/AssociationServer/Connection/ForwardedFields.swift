package import DomainNames

/// The fields of a request that say who the client is that a proxy speaks for.
///
/// Only those of a proxy that is trusted are read. All functions work on the bytes of the request's head, and allocate
/// nothing.
package enum ForwardedFields {
    /// Which fields a server reads; exactly one family, because a proxy that sets one passes the other through as the
    /// client wrote it.
    package enum Family: UInt8, Sendable, BitwiseCopyable, CaseIterable {
        /// `X-Forwarded-For` and `X-Forwarded-Proto`.
        case xForwarded
        /// `Forwarded` (RFC 7239).
        case forwarded
        case none
    }

    package enum Scheme: UInt8, Sendable, BitwiseCopyable {
        case http, https
    }

    /// Maximum number of elements that are read, from the last one back.
    package static let maxElements = 32

    /// Follows the chain of proxies back to the first address that is not trusted.
    ///
    /// If all are trusted, that is the leftmost; an element that is not an address ends the chain at the last good one.
    /// - Parameters:
    ///   - peer: The address so far, which is trusted; nil for a peer on a Unix socket.
    ///   - fields: The values of all fields of the family, in the order of the request.
    package static func client(
        from peer: IPAddress?, in bytes: Span<UInt8>, _ fields: UnsafeBufferPointer<Range<Int>>, _ family: Family,
        trusted: CIDRSet.View
    ) -> IPAddress? {
        var chain = Chain(address: peer)
        for field in fields.reversed() where !chain.hasEnded {
            switch family {
            case .xForwarded: follow(&chain, list: field, in: bytes, trusted)
            case .forwarded: follow(&chain, forwarded: field, in: bytes, trusted)
            case .none: return peer
            }
        }
        return chain.address
    }

    /// The scheme that the client used, as `X-Forwarded-Proto` or `Forwarded` says; nil if they do not.
    package static func scheme(
        in bytes: Span<UInt8>, _ fields: UnsafeBufferPointer<Range<Int>>, _ family: Family
    ) -> Scheme? {
        switch family {
        case .xForwarded: schemeOfList(in: bytes, fields)
        case .forwarded: schemeOfForwarded(in: bytes, fields)
        case .none: nil
        }
    }

    /// The walk from right to left.
    private struct Chain {
        var address: IPAddress?
        var count = 0
        var hasEnded = false

        /// - Parameter element: nil for what is not an address.
        mutating func take(_ element: IPAddress?, _ trusted: CIDRSet.View) {
            guard let element else {
                hasEnded = true
                return
            }
            address = element
            count &+= 1
            hasEnded = count == maxElements || !trusted.contains(element)
        }
    }
}

extension ForwardedFields {
    private static func follow(
        _ chain: inout Chain, list field: Range<Int>, in bytes: Span<UInt8>, _ trusted: CIDRSet.View
    ) {
        var end = field.upperBound
        while end >= field.lowerBound, !chain.hasEnded {
            var start = end
            while start > field.lowerBound, bytes[start &- 1] != UInt8(ascii: ",") { start &-= 1 }
            let element = trimmed(bytes, start..<end)
            // A list may have empty elements (RFC 9110, section 5.6.1.2).
            if !element.isEmpty { chain.take(node(bytes, element), trusted) }
            end = start &- 1
        }
    }

    private static func schemeOfList(
        in bytes: Span<UInt8>, _ fields: UnsafeBufferPointer<Range<Int>>
    ) -> Scheme? {
        var scheme: Scheme?
        for field in fields {
            var start = field.lowerBound
            while start < field.upperBound {
                var end = start
                while end < field.upperBound, bytes[end] != UInt8(ascii: ",") { end &+= 1 }
                let element = trimmed(bytes, start..<end)
                if isWord(bytes, element, "https") { return .https }
                if isWord(bytes, element, "http") { scheme = .http }
                start = end &+ 1
            }
        }
        return scheme
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static func node(_ bytes: Span<UInt8>, _ range: Range<Int>) -> IPAddress? {
        guard !range.isEmpty else { return nil }
        if bytes[range.lowerBound] == UInt8(ascii: "[") {
            var end = range.lowerBound &+ 1
            while end < range.upperBound, bytes[end] != UInt8(ascii: "]") { end &+= 1 }
            guard end < range.upperBound, isEndOfNode(bytes, end &+ 1..<range.upperBound) else { return nil }
            return IPAddress.ipv6(bytes, range.lowerBound &+ 1..<end)
        }
        var colon = range.lowerBound
        while colon < range.upperBound, bytes[colon] != UInt8(ascii: ":") { colon &+= 1 }
        if let address = IPAddress.ipv4(bytes, range.lowerBound..<colon) {
            return isEndOfNode(bytes, colon..<range.upperBound) ? address : nil
        }
        return IPAddress.ipv6(bytes, range)
    }

    /// Nothing, or a colon and a port, which may be obfuscated (RFC 7239, section 6).
    private static func isEndOfNode(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        guard bytes[range.lowerBound] == UInt8(ascii: ":"), range.count > 1 else { return false }
        let port = range.lowerBound &+ 1..<range.upperBound
        if bytes[port.lowerBound] == UInt8(ascii: "_") {
            guard port.count > 1 else { return false }
            for index in port where !isObfuscated(bytes[index]) { return false }
            return true
        }
        guard port.count <= 5 else { return false }
        for index in port where !(0x30...0x39 ~= bytes[index]) { return false }
        return true
    }

    private static func isObfuscated(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isBlank(bytes[start]) { start &+= 1 }
        while end > start, isBlank(bytes[end &- 1]) { end &-= 1 }
        return start..<end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether the bytes are a word of lower-case letters, in any case.
    private static func isWord(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where bytes[range.lowerBound &+ index] | 0x20 != word.utf8Start[index] {
            return false
        }
        return true
    }
}

extension ForwardedFields {
    /// The parameters of an element of `Forwarded`.
    private struct Element: BitwiseCopyable {
        var hasNode = false
        /// Nil for `unknown`, an obfuscated name and whatever else is not an address.
        var address: IPAddress?
        var hasScheme = false
        var scheme: Scheme?
    }

    private static func follow(
        _ chain: inout Chain, forwarded field: Range<Int>, in bytes: Span<UInt8>, _ trusted: CIDRSet.View
    ) {
        // The field must be read from its beginning, since a quoted string can have a comma; the last elements are kept.
        withUnsafeTemporaryAllocation(of: IPAddress?.self, capacity: maxElements) { last in
            var reader = ForwardedReader(field: field)
            var count = 0
            while let element = reader.next(in: bytes) {
                last.initializeElement(at: count % maxElements, to: element.address)
                count &+= 1
            }
            guard !reader.isMalformed else { return }
            var index = count
            while index > max(0, count &- maxElements), !chain.hasEnded {
                index &-= 1
                chain.take(last[index % maxElements], trusted)
            }
        }
    }

    private static func schemeOfForwarded(
        in bytes: Span<UInt8>, _ fields: UnsafeBufferPointer<Range<Int>>
    ) -> Scheme? {
        for field in fields.reversed() {
            var reader = ForwardedReader(field: field)
            var found: Element?
            while let element = reader.next(in: bytes) {
                if element.hasScheme { found = element }
            }
            if !reader.isMalformed, let found { return found.scheme }
        }
        return nil
    }

    /// Reads the elements of one `Forwarded` field (RFC 7239, section 4).
    private struct ForwardedReader {
        private let end: Int
        private var index: Int
        private(set) var isMalformed = false

        init(field: Range<Int>) {
            index = field.lowerBound
            end = field.upperBound
        }

        /// The next element; nil at the end, and where the field does not parse.
        mutating func next(in bytes: Span<UInt8>) -> Element? {
            skipEmptyElements(in: bytes)
            guard index < end else { return nil }
            var element = Element()
            while true {
                // A parameter may be missing between two semicolons.
                if index < end, bytes[index] != UInt8(ascii: ";"), bytes[index] != UInt8(ascii: ",") {
                    guard readParameter(into: &element, in: bytes) else {
                        isMalformed = true
                        return nil
                    }
                }
                skipBlanks(in: bytes)
                guard index < end else { return element }
                let byte = bytes[index]
                index &+= 1
                if byte == UInt8(ascii: ",") { return element }
                guard byte == UInt8(ascii: ";") else {
                    isMalformed = true
                    return nil
                }
                skipBlanks(in: bytes)
            }
        }

        private mutating func readParameter(into element: inout Element, in bytes: Span<UInt8>) -> Bool {
            let name = token(in: bytes)
            guard !name.isEmpty, index < end, bytes[index] == UInt8(ascii: "=") else { return false }
            index &+= 1
            guard let value = value(in: bytes) else { return false }
            if isWord(bytes, name, "for") {
                guard !element.hasNode else { return false }
                element.hasNode = true
                element.address = node(bytes, value)
            } else if isWord(bytes, name, "proto") {
                guard !element.hasScheme else { return false }
                element.hasScheme = true
                element.scheme = isWord(bytes, value, "https") ? .https : isWord(bytes, value, "http") ? .http : nil
            }
            return true
        }

        /// A token, or what is between the quotes of a quoted string; nil if it is neither.
        private mutating func value(in bytes: Span<UInt8>) -> Range<Int>? {
            guard index < end, bytes[index] == UInt8(ascii: "\"") else {
                let token = token(in: bytes)
                return token.isEmpty ? nil : token
            }
            index &+= 1
            let start = index
            while index < end, bytes[index] != UInt8(ascii: "\"") {
                // What is quoted once more is not an address, and need not be put together.
                index &+= bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard index < end else { return nil }
            defer { index &+= 1 }
            return start..<index
        }

        private mutating func token(in bytes: Span<UInt8>) -> Range<Int> {
            let start = index
            while index < end, isToken(bytes[index]) { index &+= 1 }
            return start..<index
        }

        private mutating func skipEmptyElements(in bytes: Span<UInt8>) {
            while index < end, isBlank(bytes[index]) || bytes[index] == UInt8(ascii: ",") { index &+= 1 }
        }

        private mutating func skipBlanks(in bytes: Span<UInt8>) {
            while index < end, isBlank(bytes[index]) { index &+= 1 }
        }
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E:
            true
        default: false
        }
    }
}

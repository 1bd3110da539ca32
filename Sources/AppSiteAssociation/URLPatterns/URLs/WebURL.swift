/// A web URL, cut into its parts: bytes as given, nothing decoded and nothing normalized.
package struct WebURL: Sendable {
    package let host: [UInt8]
    /// The path as written; `/` if it is empty.
    package let path: [UInt8]
    package let query: [UInt8]
    package let fragment: [UInt8]

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ text: some Sequence<UInt8>) {
        let bytes = Array(text)
        guard let parts = bytes.withUnsafeBytes({ URLParts($0) }) else { return nil }
        host = Array(bytes[parts.host])
        path = parts.path.isEmpty ? [UInt8(ascii: "/")] : Array(bytes[parts.path])
        query = Array(bytes[parts.query])
        fragment = Array(bytes[parts.fragment])
    }

    /// Whether the host is a domain, without regard to case, each in its ASCII form.
    package func isHost(_ domain: String) -> Bool {
        guard let domain = Punycode.ascii(domain) else { return false }
        guard let host = Punycode.ascii(String(decoding: host, as: UTF8.self)) else { return false }
        return host.utf8.elementsEqual(domain.utf8)
    }
}

/// Where the parts of a URL are in its bytes (RFC 3986, section 3), nothing decoded and nothing normalized.
package struct URLParts: Equatable, Sendable {
    package var scheme: Range<Int>
    /// Without user information and port; an IP literal keeps its brackets.
    package var host: Range<Int>
    package var path: Range<Int>
    /// After the first `?`; empty if there is none.
    package var query: Range<Int>
    /// After the first `#`; empty if there is none.
    package var fragment: Range<Int>

    /// Splits a URL; nil if it is not an `http` or `https` URL with a host.
    package init?(_ url: UnsafeRawBufferPointer) {
        guard let colon = url.firstIndex(of: 0x3A), Self.isWebScheme(url[..<colon]) else { return nil }
        guard colon + 3 <= url.count, url[colon + 1] == 0x2F, url[colon + 2] == 0x2F else { return nil }
        let authority = colon + 3
        var end = authority
        while end < url.count, url[end] != 0x2F, url[end] != 0x3F, url[end] != 0x23 { end += 1 }
        guard let host = Self.host(url, authority..<end), !host.isEmpty else { return nil }
        guard OpenDecisions.portAndUserInformationAreIgnored || host == authority..<end else { return nil }

        let fragmentMark = url[end...].firstIndex(of: 0x23) ?? url.count
        let queryMark = url[end..<fragmentMark].firstIndex(of: 0x3F) ?? fragmentMark
        scheme = 0..<colon
        self.host = host
        path = end..<queryMark
        query = min(queryMark + 1, fragmentMark)..<fragmentMark
        fragment = min(fragmentMark + 1, url.count)..<url.count
    }

    private static func isWebScheme(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        isEqual(text, "http") || isEqual(text, "https")
    }

    /// Without regard to the case of ASCII letters.
    private static func isEqual(_ text: Slice<UnsafeRawBufferPointer>, _ scheme: StaticString) -> Bool {
        guard text.count == scheme.utf8CodeUnitCount else { return false }
        for (offset, byte) in text.enumerated() where CaseFolding.ascii(byte) != scheme.utf8Start[offset] {
            return false
        }
        return true
    }

    /// The host in an authority: after the last `@`, before the port.
    private static func host(_ url: UnsafeRawBufferPointer, _ authority: Range<Int>) -> Range<Int>? {
        let start = url[authority].lastIndex(of: 0x40).map { $0 + 1 } ?? authority.lowerBound
        let rest = url[start..<authority.upperBound]
        if rest.first == 0x5B {
            // An address in brackets, which are not empty, and after it nothing but a port.
            guard let end = rest.firstIndex(of: 0x5D), end > start + 1 else { return nil }
            return end + 1 == rest.endIndex || rest[end + 1] == 0x3A ? start..<(end + 1) : nil
        }
        return start..<(rest.firstIndex(of: 0x3A) ?? authority.upperBound)
    }
}

/// The items of a query: cut at `&`, name and value at the first `=`; an item without `=` has an empty value.
package enum QueryItems {
    package static func split(_ query: some Collection<UInt8>) -> [(name: [UInt8], value: [UInt8])] {
        Array(query).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            return (Array(item[..<mark]), Array(item[mark...].dropFirst()))
        }
    }
}

internal import BoundedText
internal import DomainNames

/// A web URL, cut into its parts: bytes as given, nothing decoded and nothing normalized.
package struct WebURL: Sendable {
    package let host: [UInt8]
    /// The path as written; `/` if it is empty.
    package let path: [UInt8]
    package let query: [UInt8]
    package let fragment: [UInt8]

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ text: some Sequence<UInt8>) {
        guard let url = PartedURL(text) else { return nil }
        let (bytes, parts) = (url.bytes, url.parts)
        host = Array(bytes[parts.host])
        path = parts.path.isEmpty ? [UInt8(ascii: "/")] : Array(bytes[parts.path])
        query = Array(bytes[parts.query])
        fragment = Array(bytes[parts.fragment])
    }

    /// Whether the host is a domain, without regard to case, each in its ASCII form.
    package func isHost(_ domain: String) -> Bool {
        guard let domain = Punycode.ascii(domain) else { return false }
        guard let host = Punycode.ascii(String(text: host)) else { return false }
        return host.utf8.elementsEqual(domain.utf8)
    }
}

/// Where the parts of a URL are in its bytes (RFC 3986, section 3), nothing decoded and nothing normalized.
package struct URLParts: Equatable, Sendable {
    package var scheme: Range<Int>
    /// The host without user information and port; an IP literal keeps its brackets.
    package var host: Range<Int>
    package var path: Range<Int>
    /// After the first `?`; empty if there is none.
    package var query: Range<Int>
    /// After the first `#`; empty if there is none.
    package var fragment: Range<Int>

    /// Splits a URL; nil if it is not an `http` or `https` URL with a host.
    ///
    /// Every byte is looked at once, with the least that a decision needs to know of it.
    package init?(_ url: UnsafeRawBufferPointer) {
        guard let base = url.baseAddress else { return nil }
        let bytes = base.assumingMemoryBound(to: UInt8.self)
        let count = url.count
        let colon = Self.webScheme(bytes, count)
        guard colon > 0, colon &+ 3 <= count, bytes[colon &+ 1] == 0x2F, bytes[colon &+ 2] == 0x2F else { return nil }
        let authority = colon &+ 3
        var end = authority
        // Whether the authority is nothing but a name.
        var isPlain = authority < count && bytes[authority] != 0x5B
        while end &+ 8 <= count {
            let stops = Self.nameStops(base.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            end &+= stops.trailingZeroBitCount &>> 3
            if stops != 0 { break }
        }
        while end < count {
            let byte = bytes[end]
            if byte == 0x2F || byte == 0x3F || byte == 0x23 { break }
            if byte == 0x3A || byte == 0x40 { isPlain = false }
            end &+= 1
        }
        guard let host = isPlain ? authority..<end : Self.host(url, authority..<end), !host.isEmpty else { return nil }
        guard OpenDecisions.portAndUserInformationAreIgnored || host == authority..<end else { return nil }

        var queryMark = end
        // Eight bytes at once, as long as no mark is among them.
        while queryMark &+ 8 <= count {
            let word = base.loadUnaligned(fromByteOffset: queryMark, as: UInt64.self)
            guard !Self.hasMark(word) else { break }
            queryMark &+= 8
        }
        if queryMark &+ 8 > count, queryMark < count {
            // The last ones, with those before them shifted out.
            let last = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            let before = UInt64(truncatingIfNeeded: 8 &* (queryMark &+ 8 &- count))
            if !Self.hasMark(last &>> before) { queryMark = count }
        }
        while queryMark < count, bytes[queryMark] != 0x3F, bytes[queryMark] != 0x23 { queryMark &+= 1 }
        var fragmentMark = queryMark
        while fragmentMark < count, bytes[fragmentMark] != 0x23 { fragmentMark &+= 1 }
        scheme = 0..<colon
        self.host = host
        path = end..<queryMark
        query = min(queryMark &+ 1, fragmentMark)..<fragmentMark
        fragment = min(fragmentMark &+ 1, count)..<count
    }

    /// A bit in the first of eight bytes that is not a letter, a digit, `-`, `.`, or beyond `@` in ASCII; those above it are
    /// undefined.
    @inline(__always)
    private static func nameStops(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let word = UInt64(littleEndian: word)
        let low = word & (ones &* 0x7F)
        let fromHyphen = low &+ ones &* (0x80 - 0x2D)
        let afterNine = low &+ ones &* (0x7F - 0x39)
        let afterAt = low &+ ones &* (0x7F - 0x40)
        let slash = word ^ ones &* 0x2F
        return (~fromHyphen | (afterNine & ~afterAt) | word | ((slash &- ones) & ~slash)) & (ones &* 0x80)
    }

    /// Whether one of eight bytes is a `?` or a `#`, or perhaps: a byte beyond ASCII is taken for one, too.
    @inline(__always)
    private static func hasMark(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (question, hash) = (word ^ ones &* 0x3F, word ^ ones &* 0x23)
        return ((question &- ones) | (hash &- ones) | word) & (ones &* 0x80) != 0
    }

    /// The length of `http` or `https`, in any case, before a colon; 0 for anything else.
    @inline(__always)
    private static func webScheme(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        guard count > 5 else { return 0 }
        let isHTTP =
            bytes[0] | 0x20 == 0x68 && bytes[1] | 0x20 == 0x74 && bytes[2] | 0x20 == 0x74 && bytes[3] | 0x20 == 0x70
        guard isHTTP else { return 0 }
        if bytes[4] == 0x3A { return 4 }
        return bytes[4] | 0x20 == 0x73 && bytes[5] == 0x3A ? 5 : 0
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

/// A URL as the system has it, which percent-encodes what no URL may have before rules are asked (matching.md, section 2).
package enum EncodedURL {
    /// The URL with such characters after its host encoded; nil if there are none, or if it is not a URL with a host.
    package static func bytes(of url: UnsafeRawBufferPointer) -> [UInt8]? {
        guard url.contains(where: mustBeEncoded), let parts = URLParts(url) else { return nil }
        let tail = url[parts.path.lowerBound...]
        return tail.contains(where: mustBeEncoded) ? Array(url[..<parts.path.lowerBound]) + encoded(tail) : nil
    }

    /// The same for text.
    package static func text(of url: String) -> String? {
        Array(url.utf8).withUnsafeBytes { bytes(of: $0) }.map { String(text: $0) }
    }

    /// The text with what no URL may have (RFC 3986, section 2) encoded.
    package static func encoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text {
            if mustBeEncoded(byte) {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// A `%` is left as it is, also where no escape follows.
    private static func mustBeEncoded(_ byte: UInt8) -> Bool {
        switch byte {
        case ...0x20, 0x7F...: true
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }
}

extension WebURL {
    /// The URL that a text without a scheme, or with another one, was meant to be; nil if nothing tells.
    package static func meant(by text: String) -> String? {
        let text = text.prefix(2_000)
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { return nil }
        var rest = text
        if let scheme = text.firstRange(of: "://") {
            rest = text[scheme.upperBound...]
        } else if text.hasPrefix("//") {
            rest = text.dropFirst(2)
        } else if let colon = text.firstIndex(of: ":"), text[..<colon].lowercased().hasPrefix("http") {
            // 'https:example.com' and 'https:/example.com'.
            rest = text[text.index(after: colon)...].drop { $0 == "/" }
        }
        let host = rest.prefix { !"/?#:".contains($0) }
        guard host.contains("."), !host.hasPrefix("."), !host.hasSuffix("."), !host.contains("@"), !host.contains("..")
        else { return nil }
        let url = "https://\(rest)"
        guard HostName(String(host)) != nil, WebURL(url.utf8) != nil else { return nil }
        return url
    }

    /// The sentence that says why a text is not a URL, and what to write.
    package static func refusal(of text: String) -> String {
        "not an http or https URL with a host; write it as \(meant(by: text) ?? "https://example.com/path")"
    }
}

/// Bytes with their escapes decoded, and where each of them was.
package struct DecodedText {
    package private(set) var bytes: [UInt8] = []
    /// For each byte the offset in the text where it, or its escape, begins; then the length of the text.
    package private(set) var starts: [Int] = []

    package init(_ text: [UInt8]) {
        bytes.reserveCapacity(text.count)
        starts.reserveCapacity(text.count + 1)
        var offset = 0
        while offset < text.count {
            starts.append(offset)
            if text[offset] == UInt8(ascii: "%"), offset + 2 < text.count,
                let byte = OpenDecisions.decodedEscape(text[offset + 1], text[offset + 2])
            {
                bytes.append(byte)
                offset += 3
            } else {
                bytes.append(text[offset])
                offset += 1
            }
        }
        starts.append(text.count)
    }

    /// A decoded text in UTF-16 units, as Android sees it: bytes that are no UTF-8 become U+FFFD.
    package static func units(of text: some Collection<UInt8>) -> [UInt16] {
        let bytes = Array(text)
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 >= 0x80 }) else { return bytes.map(UInt16.init) }
        return BoundedText.utf16(of: DecodedText(bytes).bytes)
    }
}

/// Text with escapes (RFC 3986, section 2.1).
package enum EscapedText {
    /// The text without its escapes, as far as that is text: what would be no UTF-8 stays escaped.
    package static func decoded(_ text: [UInt8]) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return String(text: text) }
        let decoded = DecodedText(text)
        var result: [UInt8] = []
        result.reserveCapacity(decoded.bytes.count)
        decoded.bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let length = UTF8Scalars.length(bytes, at: offset)
                if length == 1, bytes[offset] >= 0x80 {
                    result += text[decoded.starts[offset]..<decoded.starts[offset + 1]]
                } else {
                    result += bytes[offset..<(offset + length)]
                }
                offset += length
            }
        }
        return String(text: result)
    }
}

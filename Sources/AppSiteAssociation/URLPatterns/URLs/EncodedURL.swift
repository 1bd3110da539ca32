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
        Array(url.utf8).withUnsafeBytes { bytes(of: $0) }.map { String(decoding: $0, as: UTF8.self) }
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

    /// What is wrong with a text that is not a URL, and what to write.
    package static func refusal(of text: String) -> String {
        "not an http or https URL with a host; write it as \(meant(by: text) ?? "https://example.com/path")"
    }
}

internal import BoundedText

/// An absolute `https` URL of at most 2,048 bytes: the only kind that is taken from a CA, or sent a request.
package struct SecureURL: Hashable, Sendable, CustomStringConvertible {
    package static let maximumBytes = 2_048

    package let description: String
    /// Offsets in the text, of host and port without what is before and after.
    private let authority: Range<Int>

    /// Nil for another scheme, a text that is too long, user information, a fragment, or characters that a URL cannot
    /// have.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.maximumBytes + 1))
        let scheme = Array("https://".utf8)
        guard bytes.count <= Self.maximumBytes, bytes.count > scheme.count,
            zip(bytes, scheme).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && 0x41...0x5A ~= $0 }),
            bytes.allSatisfy(Self.isOfURL)
        else { return nil }
        let end = bytes[scheme.count...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        authority = scheme.count..<(end ?? bytes.count)
        description = text
        guard !bytes[authority].contains(UInt8(ascii: "@")), Self.isHostAndPort(bytes[authority]) else { return nil }
    }

    private static func isOfURL(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !"\"<>\\^`{|}#".utf8.contains(byte)
    }

    private static func isHostAndPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        var host = bytes
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), bytes.last != UInt8(ascii: "]") {
            let digits = bytes[(colon + 1)...]
            guard digits.count <= 5, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
            host = bytes[..<colon]
        }
        if host.first == UInt8(ascii: "[") { return host.last == UInt8(ascii: "]") && host.count > 3 }
        guard let first = host.first, first != UInt8(ascii: ".") else { return false }
        return host.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
    }

    /// The host, and the port if there is one: `acme-v02.api.letsencrypt.org`, `localhost:14000`.
    package var host: String { String(text: Array(description.utf8)[authority]) }

    /// The name of the account's folder of the CA with this directory: host, `_` and port unless it is 443, `_` and
    /// each segment of the path but a last one `directory`; other characters than `A–Z a–z 0–9 . -` are `_`.
    package var folderName: String {
        let bytes = Array(description.utf8)
        var name = Array(bytes[authority])
        for port in [":443", ":"] where name.suffix(port.utf8.count).elementsEqual(port.utf8) {
            name.removeLast(port.utf8.count)
            break
        }
        var segments = bytes[authority.upperBound...].split(separator: UInt8(ascii: "/"))
        if let last = segments.last, last.elementsEqual("directory".utf8) { segments.removeLast() }
        for segment in segments { name += [UInt8(ascii: "_")] + segment }
        let replaced = name.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): byte
            default: UInt8(ascii: "_")
            }
        }
        // As long as the name of a file can be.
        return String(text: replaced.prefix(255))
    }
}

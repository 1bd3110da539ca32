internal import AppSiteAssociation

/// A web link as Android's filters see it.
package struct AndroidLink: Hashable, Sendable {
    /// As it was given.
    package let url: String
    /// In lower case.
    package let scheme: String
    /// In lower case, in Punycode.
    package let host: String
    /// As it is written; nil if it is not.
    package let port: String?
    /// Decoded.
    package let path: String

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ url: String) {
        let bytes = Array(url.utf8)
        guard let parts = bytes.withUnsafeBytes({ URLParts($0) }),
            let host = HostName(String(decoding: bytes[parts.host], as: UTF8.self))
        else { return nil }
        self.url = url
        scheme = String(decoding: bytes[parts.scheme], as: UTF8.self).lowercased()
        self.host = host.ascii
        let port = bytes[parts.host.upperBound..<parts.path.lowerBound].dropFirst()
        self.port = port.isEmpty ? nil : String(decoding: port, as: UTF8.self)
        // A browser asks for the root where no path is written.
        path = parts.path.isEmpty ? "/" : Self.decoded(bytes[parts.path])
    }

    private static func decoded(_ path: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(path.count)
        var rest = path
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = rest[rest.startIndex].hexadecimalDigit, let low = rest[rest.startIndex + 1].hexadecimalDigit
            {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

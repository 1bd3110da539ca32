internal import BoundedText
package import URLPatterns

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
    let path: [UInt16]
    /// The decoded query, cut into its items; nil without a `?`.
    let queryItems: [[UInt16]]?
    /// Decoded; nil without a `#`.
    let fragment: [UInt16]?
    /// All between the scheme and the fragment, decoded.
    let schemeSpecificPart: [UInt16]

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ url: String) {
        guard let parted = PartedURL(url.utf8), let host = parted.host else { return nil }
        self.init(parted, host: host)
    }

    /// A URL that was cut into its parts, with its host.
    package init(_ parted: PartedURL, host: HostName) {
        let (bytes, parts) = (parted.bytes, parted.parts)
        url = String(text: bytes)
        scheme = String(text: bytes[parts.scheme]).lowercased()
        self.host = host.ascii
        let port = bytes[parts.host.upperBound..<parts.path.lowerBound].dropFirst()
        self.port = port.isEmpty ? nil : String(text: port)
        path =
            parts.path.isEmpty && ManifestDecisions.emptyPathIsRoot
            ? [UInt16(ascii: "/")] : DecodedText.units(of: bytes[parts.path])
        // The parts are empty also where their marks are missing.
        fragment = parted.hasFragment ? DecodedText.units(of: bytes[parts.fragment]) : nil
        queryItems = parted.hasQuery ? Self.items(DecodedText.units(of: bytes[parts.query])) : nil
        let end = parted.hasFragment ? parts.fragment.lowerBound - 1 : bytes.count
        schemeSpecificPart = DecodedText.units(of: bytes[parts.scheme.upperBound + 1..<end])
    }

    /// The pieces between `&`, or between `;` where there is only one, as Android cuts a query: nothing empty is left at
    /// the end.
    private static func items(_ query: [UInt16]) -> [[UInt16]] {
        func pieces(_ separator: Unicode.Scalar) -> [[UInt16]] {
            var pieces = query.split(separator: UInt16(ascii: separator), omittingEmptySubsequences: false).map(
                Array.init)
            guard pieces.count > 1 else { return pieces }
            while pieces.last?.isEmpty == true { pieces.removeLast() }
            return pieces
        }
        let items = pieces("&")
        return items.count == 1 ? pieces(";") : items
    }
}

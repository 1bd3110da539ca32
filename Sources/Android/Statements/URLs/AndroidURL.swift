internal import BoundedText
package import URLPatterns

/// A web URL as Android's dynamic rules see it: its parts decoded, in UTF-16 units (android.md, section 2).
package struct AndroidURL: Sendable {
    /// The decoded path; `/` if it is empty.
    package let path: [UInt16]
    /// The whole decoded query; empty if there is none.
    package let query: [UInt16]
    /// The items of the decoded query, `name=value` each; none if the URL has no `?`.
    package let items: [ArraySlice<UInt16>]
    /// The decoded fragment; nil if the URL has no `#`.
    package let fragment: [UInt16]?

    package init(_ url: PartedURL) {
        let (bytes, parts) = (url.bytes, url.parts)
        path = DecodedText.units(of: parts.path.isEmpty ? AndroidDecisions.emptyPath[...] : bytes[parts.path])
        query = DecodedText.units(of: bytes[parts.query])
        items = url.hasQuery ? AndroidDecisions.items(ofDecodedQuery: query) : []
        fragment =
            url.hasFragment || !AndroidDecisions.absentFragmentMatchesNothing
            ? DecodedText.units(of: bytes[parts.fragment]) : nil
    }

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ text: some Sequence<UInt8>) {
        guard let url = PartedURL(text) else { return nil }
        self.init(url)
    }

    /// The same for text.
    package init?(_ text: String) {
        self.init(text.utf8)
    }
}

extension [UInt16] {
    /// The units as text; a half of a surrogate pair becomes U+FFFD.
    package var text: String { String(units: self) }
}

internal import BoundedText
internal import URLPatterns

/// A web URL as Android's dynamic rules see it: its parts decoded, in UTF-16 units (android.md, section 2).
package struct AndroidURL: Sendable {
    package let host: [UInt8]
    /// The decoded path; `/` if it is empty.
    package let path: [UInt16]
    /// The whole decoded query; empty if there is none.
    package let query: [UInt16]
    /// The items of the decoded query, `name=value` each; none if the URL has no `?`.
    package let items: [ArraySlice<UInt16>]
    /// The decoded fragment; nil if the URL has no `#`.
    package let fragment: [UInt16]?

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ text: some Sequence<UInt8>) {
        let bytes = Array(text)
        guard let parts = bytes.withUnsafeBytes({ URLParts($0) }) else { return nil }
        host = Array(bytes[parts.host])
        path = AndroidDecisions.decoded(parts.path.isEmpty ? AndroidDecisions.emptyPath : Array(bytes[parts.path]))
        query = AndroidDecisions.decoded(bytes[parts.query])
        items = parts.path.upperBound < parts.query.lowerBound ? AndroidDecisions.items(ofDecodedQuery: query) : []
        let hasFragment = parts.query.upperBound < bytes.count
        fragment =
            hasFragment || !AndroidDecisions.absentFragmentMatchesNothing
            ? AndroidDecisions.decoded(bytes[parts.fragment]) : nil
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

/// The points of Android's dynamic rules that its documentation leaves open, or where documentation and source differ
/// (android.md, sections 1 and 2).
///
/// Each is a constant or a function of its own, so that an observation on a device can overturn it here.
package enum AndroidDecisions {
    /// An empty path of a URL is compared as `/`.
    package static let emptyPath: [UInt8] = [UInt8(ascii: "/")]

    /// A `*` does not give back what it took: the source and its tests do so, and the documentation says "up until the
    /// character after the wildcard".
    package static let reading = WildcardReading.android

    /// Directly before another wildcard a `*` looks for a literal `.`: only the source says so, and calls it likely a bug.
    package static let characterSoughtBeforeWildcard = UInt16(UInt8(ascii: "."))

    /// The second `*` of `**` is compared as a literal `*`: only the source says so.
    package static let secondStarIsLiteral = true

    /// A query is decoded before it is split, at `&`, and at `;` where that gives one piece: only the source says so.
    package static func items(ofDecodedQuery query: [UInt16]) -> [ArraySlice<UInt16>] {
        let items = query.split(separator: UInt16(UInt8(ascii: "&")), omittingEmptySubsequences: false)
        guard items.count == 1 else { return items }
        return query.split(separator: UInt16(UInt8(ascii: ";")), omittingEmptySubsequences: false)
    }

    /// The entry `name: value` of `?` is one pattern over a whole item, so an item without `=` never matches.
    package static func itemPattern(name: String, value: String) -> String { "\(name)=\(value)" }

    /// A URL without `#` matches no fragment pattern; with nothing behind the `#` the fragment is empty: only the source
    /// says so.
    package static let absentFragmentMatchesNothing = true

    /// A component without `/`, `?` and `#` matches no URL, which only the source says; it does not discard the list.
    package static let emptyComponentMatchesNothing = true

    /// An empty list of components is as if there were none: only the source says so.
    package static let emptyListIsNoList = true

    /// The first usable list of an app counts if there are two, and no answer is certain: the documentation does not
    /// say which is used.
    package static let firstUsableListCounts = true
}

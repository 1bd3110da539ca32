/// The items of a query: cut at `&`, name and value at the first `=`; an item without `=` has an empty value.
package enum QueryItems {
    package static func split(_ query: some Collection<UInt8>) -> [(name: [UInt8], value: [UInt8])] {
        Array(query).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            return (Array(item[..<mark]), Array(item[mark...].dropFirst()))
        }
    }
}

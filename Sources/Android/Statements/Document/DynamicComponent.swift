package import Diagnostics
package import JSONSyntax

/// A dynamic rule: patterns for parts of a URL, and whether the URLs that match are not opened.
package struct DynamicComponent: Sendable {
    /// The index of its statement in the file, counted from 0.
    package let statement: Int
    /// The index in the list, counted from 0.
    package let component: Int
    package let range: SourceRange
    /// Where it begins in the file.
    package let position: SourcePosition
    package let path: AndroidPattern?
    package let query: [QueryItem]
    package let fragment: AndroidPattern?
    package let excludes: Bool
    let list: JSONPointer

    /// An item that a URL must have.
    package struct QueryItem: Sendable {
        package let name: String
        package let value: String
        /// The pattern for the whole item, with its name.
        package let pattern: AndroidPattern

        package init(name: String, value: String) {
            self.name = name
            self.value = value
            pattern = AndroidPattern(AndroidDecisions.itemPattern(name: name, value: value))
        }
    }
}

extension DynamicComponent {
    /// A component that is in no file.
    package init(
        path: String? = nil, query: [(name: String, value: String)] = [], fragment: String? = nil,
        excludes: Bool = false, index: Int
    ) {
        self.init(
            statement: 0, component: index, range: SourceRange(start: 0, end: 0),
            position: SourcePosition(line: 1, column: 1, offset: 0), path: path.map(AndroidPattern.init),
            query: query.map { QueryItem(name: $0.name, value: $0.value) }, fragment: fragment.map(AndroidPattern.init),
            excludes: excludes, list: JSONPointer())
    }

    /// Where it is in the file.
    package var pointer: JSONPointer { list.element(component) }

    /// Whether it has no pattern, so that it matches no URL.
    package var isEmpty: Bool { path == nil && query.isEmpty && fragment == nil }

    /// Whether it has a pattern on which the two readings of `*` differ.
    package var readingsDiffer: Bool {
        path?.readingsDiffer == true || fragment?.readingsDiffer == true
            || query.contains { $0.pattern.readingsDiffer }
    }
}

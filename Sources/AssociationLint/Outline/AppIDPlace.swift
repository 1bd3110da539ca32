package import Diagnostics
package import JSONSyntax

/// An app ID in the file: in `appID`, `appIDs` or a service's `apps`, or a key of a details dictionary.
package struct AppIDPlace: Sendable {
    package let string: JSONString
    /// The whole string, quotes included.
    package let range: SourceRange
    /// The entry of `details`; nil in a service.
    package let entry: Int?
    /// Which list it stands in; places of one list have equal ones.
    package let list: JSONPointer
    /// The place in that list; nil if it is none.
    let index: Int?
    /// Whether it is a key of a details dictionary.
    package var isKey = false

    package var pointer: JSONPointer { index.map { list.element($0) } ?? list }

    package var text: String { string.text }
}

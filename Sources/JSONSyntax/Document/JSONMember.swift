package import Diagnostics

/// A key of an object and its value.
package struct JSONMember: Sendable {
    package var key: JSONString
    /// The key with its quotes.
    package var keyRange: SourceRange
    package var value: JSONNode

    package init(key: JSONString, keyRange: SourceRange, value: JSONNode) {
        self.key = key
        self.keyRange = keyRange
        self.value = value
    }
}

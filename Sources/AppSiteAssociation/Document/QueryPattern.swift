internal import JSONSyntax

/// What `?` asks of the query.
public enum QueryPattern: Equatable, Sendable {
    /// A pattern for the whole text of the query.
    case text(String)
    /// Patterns for the items of some names, in file order; the other items do not matter.
    case items([QueryItemPattern])
    /// No pattern: there is no `?`, or it is a dictionary with a value that is not a string (matching.md, section 3).
    case void

    init?(_ node: JSONNode) {
        if let text = node.string {
            self = .text(text.text)
        } else if let object = node.object {
            let members = object.distinctMembers
            let items = members.compactMap { member in
                member.value.string.map { QueryItemPattern(name: member.key.text, value: $0.text) }
            }
            self = items.count == members.count ? .items(items) : .void
        } else {
            return nil
        }
    }
}

/// A pattern for the values of all query items of a name; an item that is missing counts as empty.
public struct QueryItemPattern: Equatable, Sendable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

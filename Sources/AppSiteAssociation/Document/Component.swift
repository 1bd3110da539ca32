public import Diagnostics
internal import JSONSyntax

/// A component dictionary as written in the file, or `defaults`, which have the same keys.
///
/// A key that is absent, or whose value is of a type that the system does not take, is nil.
public struct Component: Sendable {
    public let range: SourceRange
    /// Where it is, as an RFC 6901 pointer.
    public var pointer: String { listPointer.pointer }
    /// `/`: the pattern for the path.
    public let path: Located<String>?
    /// `?`: the pattern for the query, or patterns for items of it.
    public let query: Located<QueryPattern>?
    /// `#`: the pattern for the fragment.
    public let fragment: Located<String>?
    /// `exclude`: whether the URLs that match are not opened.
    public let excludes: Located<Bool>?
    public let caseSensitive: Located<Bool>?
    public let percentEncoded: Located<Bool>?
    public let comment: String?

    let listPointer: ListPointer
    /// The length of all patterns of `query`, in bytes.
    let queryLength: Int

    init?(_ node: JSONNode, _ listPointer: ListPointer) {
        guard let object = node.object else { return nil }
        func text(_ key: String) -> Located<String>? {
            object[key].flatMap { node in node.string.map { Located($0.text, at: node.range) } }
        }
        func flag(_ key: String) -> Located<Bool>? {
            object[key].flatMap { node in node.boolean.map { Located($0, at: node.range) } }
        }
        range = node.range
        self.listPointer = listPointer
        path = text("/")
        query = object["?"].flatMap { node in QueryPattern(node).map { Located($0, at: node.range) } }
        fragment = text("#")
        excludes = flag("exclude")
        caseSensitive = flag("caseSensitive")
        percentEncoded = flag("percentEncoded")
        comment = text("comment")?.value
        queryLength = query?.value.length ?? 0
    }
}

/// What `?` asks of the query.
public enum QueryPattern: Equatable, Sendable {
    /// A pattern for the whole text of the query.
    case text(String)
    /// Patterns for the items of some names, in file order; the other items do not matter.
    case items([QueryItemPattern])
    /// No pattern: there is no `?`, or it is a dictionary with a value that is not a string (matching.md, section 3).
    case void

    /// The length of all patterns, in bytes.
    var length: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .items(let items): items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 }
        case .void: 0
        }
    }

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

/// A value of a file and where it is.
public struct Located<Value: Sendable>: Sendable {
    public var value: Value
    /// The whole JSON value, quotes and brackets included.
    public var range: SourceRange

    public init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }
}

extension Located: Equatable where Value: Equatable {}

public import Diagnostics
internal import JSONSyntax

/// A rule that decides about URLs: a component with its defaults filled in, or a legacy path.
///
/// Per key the component wins over the defaults of its entry, and those over the defaults of `applinks` (matching.md,
/// section 4).
public struct Rule: Sendable {
    /// The index of the entry in `details`, counted from 0.
    public let detail: Int
    /// The index in `components` or `paths`, counted from 0.
    public let component: Int
    /// The component or the path string.
    public private(set) var range = SourceRange(start: 0, end: 0)
    /// Where it begins in the file.
    public private(set) var position = SourcePosition(line: 1, column: 1, offset: 0)
    /// Where it is, as an RFC 6901 pointer.
    public var pointer: String { listPointer.pointer }
    /// The pattern for the path.
    public let path: String
    public let query: QueryPattern
    /// The pattern for the fragment.
    public let fragment: String
    /// Whether the URLs that match are not opened.
    public let excludes: Bool
    public let caseSensitive: Bool
    /// Whether the URL is compared as written, or else decoded.
    public let percentEncoded: Bool
    public private(set) var comment: String?
    /// Whether it is one of the legacy `paths`.
    public private(set) var isLegacyPath = false
    /// The length of all its patterns, in bytes.
    package private(set) var patternLength: Int
    private var listPointer: ListPointer

    init(_ component: Component, index: Int, detail: Int, defaults: [Component], source: SourceText) {
        func value<Value>(_ key: (Component) -> Located<Value>?) -> Value? {
            if let own = key(component) { return own.value }
            for level in defaults {
                if let found = key(level) { return found.value }
            }
            return nil
        }
        self.detail = detail
        self.component = index
        range = component.range
        position = source.position(at: component.range.start)
        listPointer = component.listPointer
        path = value { $0.path } ?? "*"
        query = value { $0.query } ?? .void
        fragment = value { $0.fragment } ?? "*"
        excludes = value { $0.excludes } ?? false
        caseSensitive = value { $0.caseSensitive } ?? true
        percentEncoded = value { $0.percentEncoded } ?? true
        comment = component.comment
        let queryLength = ([component] + defaults).first { $0.query != nil }?.queryLength ?? 0
        patternLength = path.utf8.count + fragment.utf8.count + queryLength
    }

    /// A rule that is in no file.
    package init(
        path: String, query: QueryPattern = .void, fragment: String = "*", excludes: Bool = false,
        caseSensitive: Bool = true, percentEncoded: Bool = true, detail: Int = 0, index: Int
    ) {
        self.detail = detail
        component = index
        listPointer = ListPointer(JSONPointer(), index)
        self.path = path
        self.query = query
        self.fragment = fragment
        self.excludes = excludes
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
        patternLength = path.utf8.count + fragment.utf8.count + query.length
    }

    init(legacyPath: Located<String>, index: Int, detail: Int, pointer: JSONPointer, source: SourceText) {
        let prefix = "NOT "
        let isExclusion = legacyPath.value.utf8.starts(with: prefix.utf8)
        self.init(
            path: String(Substring(legacyPath.value.utf8.dropFirst(isExclusion ? prefix.utf8.count : 0))),
            excludes: isExclusion, detail: detail, index: index)
        range = legacyPath.range
        position = source.position(at: legacyPath.range.start)
        listPointer = ListPointer(pointer, index)
        isLegacyPath = true
        patternLength = path.utf8.count
    }
}

/// A rule in a few words, as a person would read it out.
package enum RuleText {
    /// The patterns, without those that every URL matches, and how they are compared; long ones are cut.
    package static func patterns(_ rule: Rule) -> String {
        var parts: [String] = []
        if rule.path != "*" || rule.isLegacyPath { parts.append(quoted("/", rule.path)) }
        switch rule.query {
        case .text(let pattern) where pattern != "*": parts.append(quoted("?", pattern))
        case .items(let items) where !items.isEmpty:
            let shown = items.prefix(maxItems).map { "\(cut($0.name))=\(cut($0.value))" }
            parts.append("? " + (shown + (items.count > maxItems ? ["…"] : [])).joined(separator: " & "))
        default: break
        }
        if rule.fragment != "*" { parts.append(quoted("#", rule.fragment)) }
        if parts.isEmpty { parts = ["every URL"] }
        let notes = [rule.caseSensitive ? nil : "any case", rule.percentEncoded ? nil : "decoded"].compactMap { $0 }
        return parts.joined(separator: "  ") + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")
    }

    /// The same as it is in the file, for a reader who has to find it there: `"/": "/buy/*"`.
    package static func asInFile(_ rule: Rule) -> String {
        func json(_ text: String) -> String { JSONOutput.string(text).text }
        guard !rule.isLegacyPath else { return json((rule.excludes ? "NOT " : "") + rule.path) }
        var parts: [String] = []
        if rule.path != "*" { parts.append("\"/\": \(json(rule.path))") }
        switch rule.query {
        case .text(let pattern) where pattern != "*": parts.append("\"?\": \(json(pattern))")
        case .items(let items) where !items.isEmpty:
            let texts = items.map { "\(json($0.name)): \(json($0.value))" }
            parts.append("\"?\": {\(texts.joined(separator: ", "))}")
        default: break
        }
        if rule.fragment != "*" { parts.append("\"#\": \(json(rule.fragment))") }
        if parts.isEmpty { parts = ["every URL"] }
        if rule.excludes { parts.append("\"exclude\": true") }
        if !rule.caseSensitive { parts.append("\"caseSensitive\": false") }
        if !rule.percentEncoded { parts.append("\"percentEncoded\": false") }
        return parts.joined(separator: ", ")
    }

    /// A path speaks for itself if it begins with a slash.
    private static func quoted(_ key: String, _ pattern: String) -> String {
        key == "/" && pattern.hasPrefix("/") ? cut(pattern) : "\(key) \(pattern.isEmpty ? "(empty)" : cut(pattern))"
    }

    /// Thousands of rules can have a pattern from defaults that is almost as long as the file.
    private static func cut(_ pattern: String) -> String {
        guard pattern.utf8.count > longest else { return pattern }
        return String(String.UnicodeScalarView(pattern.unicodeScalars.prefix(longest))) + "…"
    }

    /// The number of characters of a pattern that are shown.
    private static let longest = 400
    private static let maxItems = 40
}

/// A value of the file, or an element of a list that is one; its pointer is only made where it is asked for.
struct ListPointer: Sendable {
    private let list: JSONPointer
    private let index: Int?

    init(_ list: JSONPointer, _ index: Int? = nil) {
        self.list = list
        self.index = index
    }

    var pointer: String { (index.map { list.element($0) } ?? list).description }
}

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

/// The condition that `?` puts on the query.
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

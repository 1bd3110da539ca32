internal import Android
internal import BoundedText
internal import JSONSyntax

/// The meaning of a key of an object.
enum KeyMeaning: Equatable, Sendable {
    /// The system reads it here.
    case known
    /// A remark for people.
    case comment
    /// A service that is not at the top of the file.
    case nestedService
    /// The system knows it, but elsewhere.
    case misplaced
    /// A key of association files, which Android ignores.
    case appleOnly
    /// Close to a key that the system reads here.
    case misspelt(of: String, isCertain: Bool)
    case unknown
}

extension KeyMeaning {
    /// - Parameter holdsArray: Whether the key's value is an array: tells `appID` and `appIDs` apart.
    init(_ key: String, on schema: Schema, holdsArray: Bool) {
        if schema.has(key) {
            self = .known
        } else if Self.isComment(key) {
            self = .comment
        } else if schema.isAndroid {
            self = Self.meaning(of: key, onAndroid: schema, holdsArray: holdsArray)
        } else if schema != .root, Schema.root.has(key) {
            self = .nestedService
        } else if Schema.allCases.contains(where: { !$0.isAndroid && $0.has(key) }) {
            self = .misplaced
        } else if let (meant, isCertain) = Self.closest(to: key, on: schema, holdsArray: holdsArray) {
            self = .misspelt(of: meant, isCertain: isCertain)
        } else {
            self = .unknown
        }
    }

    private static func meaning(of key: String, onAndroid schema: Schema, holdsArray: Bool) -> KeyMeaning {
        if schema.appleOnlyKeys.contains(key) { return .appleOnly }
        if [DynamicRules.listKey, DynamicRules.extensionsKey].contains(key) { return .misplaced }
        // Its keys are the names of relations.
        if schema == .relationExtensions { return .known }
        guard let (meant, isCertain) = closest(to: key, on: schema, holdsArray: holdsArray) else { return .unknown }
        return .misspelt(of: meant, isCertain: isCertain)
    }

    /// Whether a key is a remark for people, wherever it is.
    static func isComment(_ key: String) -> Bool {
        if key.utf8.first == UInt8(ascii: "_") { return true }
        guard key.utf8.count <= 8 else { return false }
        // No system reads a remark, so its case does not matter.
        return remarks.contains(key.lowercased())
    }

    private static let remarks = ["comment", "comments", "note", "notes", "$schema", "//"]

    /// The same as a regular expression of JSON Schema.
    static var commentPattern: String {
        let words = remarks.map { word in
            word.map { $0.isLetter ? "[\($0)\($0.uppercased())]" : $0 == "$" ? "\\$" : String($0) }.joined()
        }
        return "^(_|(\(words.joined(separator: "|")))$)"
    }

    private static func closest(to key: String, on schema: Schema, holdsArray: Bool) -> (String, isCertain: Bool)? {
        guard key.utf8.count <= 64 else { return nil }
        let plain = Self.plain(key)
        guard !plain.isEmpty else { return nil }
        let names = Self.names[schema] ?? []
        let alike = names.filter { $0.singular == Self.singular(plain) }
        if let found = alike.first(where: { $0.isList == holdsArray && $0.plain == plain })
            ?? alike.first(where: { $0.isList == holdsArray }) ?? alike.first(where: { $0.plain == plain })
            ?? alike.first
        {
            return (found.key, true)
        }
        if plain.count >= 5 {
            let near = names.filter { $0.plain.count >= 5 && OneEdit.leads(from: plain, to: $0.plain) }
            if let found = near.first(where: { $0.isList == holdsArray }) ?? near.first { return (found.key, false) }
        }
        guard schema == .component || schema == .defaults || schema == .dynamicComponent else { return nil }
        let word = String(scalars: plain)
        if schema == .dynamicComponent, word == "pathpattern" { return ("/", false) }
        return aliases.first { $0.words.contains(word) }.map { ($0.key, false) }
    }

    /// Other words for keys of a component.
    private static let aliases: [(key: String, words: [String])] = [
        ("/", ["path", "paths", "url", "urls"]),
        ("?", ["query", "querys", "queries", "params", "param", "parameters"]),
        ("#", ["fragment", "fragments", "hash"]),
        ("exclude", ["excluded", "not"]),
    ]

    /// A key as people vary it.
    private struct Name {
        let key: String
        let plain: [Unicode.Scalar]
        let singular: ArraySlice<Unicode.Scalar>
        let isList: Bool
    }

    /// The keys that can be meant. A misspelt `comment` does no harm, and signs have no other spelling.
    private static let names: [Schema: [Name]] = Dictionary(
        uniqueKeysWithValues: Schema.allCases.map { schema in
            let keys = schema.rows.map(\.name).filter { !$0.hasPrefix("comment") && $0.utf8.count > 1 }
            let names = keys.map { key in
                let plain = Self.plain(key)
                return Name(
                    key: key, plain: plain, singular: singular(plain), isList: Schema.listKeys.contains(key))
            }
            return (schema, names)
        })

    /// The key without what people vary: case, `_`, `-`.
    private static func plain(_ key: String) -> [Unicode.Scalar] {
        key.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" }
    }

    private static func singular(_ plain: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        plain.last == "s" ? plain.dropLast() : plain[...]
    }
}

/// Compares two words that differ by one typo.
enum OneEdit {
    /// Whether one letter inserted, deleted or replaced, or two neighbours swapped, make one word of the other.
    static func leads(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Bool {
        guard abs(left.count - right.count) <= 1 else { return false }
        let common = zip(left, right).prefix { $0 == $1 }.count
        let leftRest = left.dropFirst(common)
        let rightRest = right.dropFirst(common)
        if leftRest.isEmpty && rightRest.isEmpty { return false }
        if left.count != right.count {
            let (longer, shorter) = left.count > right.count ? (leftRest, rightRest) : (rightRest, leftRest)
            return longer.dropFirst().elementsEqual(shorter)
        }
        if leftRest.dropFirst().elementsEqual(rightRest.dropFirst()) { return true }
        return leftRest.count >= 2 && leftRest.prefix(2).reversed().elementsEqual(rightRest.prefix(2))
            && leftRest.dropFirst(2).elementsEqual(rightRest.dropFirst(2))
    }
}

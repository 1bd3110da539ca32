public import Diagnostics

/// The findings about one subject, as `aasa rules` lists them.
public struct RuleGroup: Sendable {
    /// The subject, as a heading.
    public let title: String
    /// In the order of the tables.
    public let rules: [RuleDescription]

    init(_ title: String, _ rules: [RuleDescription]) {
        self.title = title
        self.rules = rules
    }

    /// The same with the rules that a query is about; nil if there is none.
    public func matching(_ query: RuleQuery) -> RuleGroup? {
        let found = rules.filter { query.matches($0, in: self) }
        return found.isEmpty ? nil : RuleGroup(title, found)
    }
}

/// Words that somebody looks for among the findings, such as `fingerprint` or `team id`.
public struct RuleQuery: Sendable {
    /// In lower case; what is said in other words too is one of them.
    private let words: [[String]]
    /// Whether the reasons are searched, too.
    private let isDeep: Bool

    /// - Parameters:
    ///   - words: Each has to be found.
    ///   - isDeep: Whether the reasons are searched too, and not only codes, summaries and subjects.
    public init(_ words: [String], isDeep: Bool = false) {
        self.isDeep = isDeep
        self.words = words.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.map { word in
            let word = word.lowercased()
            let singular =
                word.count > 4 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
            return [singular] + Self.synonyms[singular, default: []]
        }
    }

    fileprivate func matches(_ rule: RuleDescription, in group: RuleGroup) -> Bool {
        let parts = [rule.code.rawValue, rule.summary, group.title] + (isDeep ? [rule.reason] : [])
        let text = parts.joined(separator: " ").lowercased()
        return !words.isEmpty && words.allSatisfy { word in word.contains(where: text.contains) }
    }

    /// What people look for, and how codes and summaries say it.
    private static let synonyms: [String: [String]] = [
        "301": ["redirect"], "302": ["redirect"], "308": ["redirect"], "403": ["forbidden", "blocked"],
        "404": ["not found", "missing", "no file"], "size": ["too-large", "limit", "large"],
        "big": ["large", "limit"], "128": ["too-large", "near-limit"], "sha256": ["fingerprint"],
        "sha": ["fingerprint"], "keystore": ["fingerprint"], "cert": ["certificate"], "ssl": ["tls", "certificate"],
        "https": ["tls", "certificate"], "team": ["team id", "prefix"], "prefix": ["team id"],
        "bundle": ["bundle id", "app id"], "identifier": ["app id"], "case": ["uppercase", "lowercase", "case"],
        "order": ["earlier rule", "comes after", "later"], "unused": ["no effect", "never used"],
        "never": ["no effect"], "shadow": ["earlier rule", "covers"], "duplicate": ["twice"], "twice": ["duplicate"],
        "space": ["white space"], "blank": ["white space"], "bom": ["byte order mark", "byte-order-mark"],
        "utf8": ["utf-8"], "encoding": ["utf-8", "utf-16", "percent"], "escape": ["percent"],
        "unicode": ["encode", "utf"], "glob": ["wildcard", "pattern"], "star": ["wildcard", "'*'"],
        "cdn": ["copy", "copies"], "cache": ["copy", "copies"], "xcode": ["entitlement", "app"],
        "plist": ["entitlement"], "provisioning": ["profile"], "ios": ["system", "ios"], "deny": ["exclu"],
        "exclude": ["exclu", "not "], "not": ["exclu", "not "], "mime": ["content type", "content-type"],
        "header": ["content type", "header"], "letsencrypt": ["acme"], "acme": ["certificate"],
        "intent": ["filter"], "android": ["android", "statement"],
    ]
}

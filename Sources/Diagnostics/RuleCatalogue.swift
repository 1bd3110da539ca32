/// The kinds of findings about one subject, as `aasa rules` lists them.
public struct RuleGroup: Sendable {
    /// The subject, as a heading.
    public let title: String
    /// In the order of the tables.
    public let rules: [RuleDescription]

    package init(_ title: String, _ rules: [RuleDescription]) {
        self.title = title
        self.rules = rules
    }

    /// The same with the rules that a query is about; nil if there is none.
    public func matching(_ query: RuleQuery) -> RuleGroup? {
        let found = rules.filter { query.matches($0, in: self) }
        return found.isEmpty ? nil : RuleGroup(title, found)
    }
}

/// All kinds of findings that a library or a program reports.
public struct RuleCatalogue: Sendable {
    public let groups: [RuleGroup]
    /// The rules of all groups, in their order.
    public let rules: [RuleDescription]
    private let byCode: [DiagnosticCode: RuleDescription]

    package init(_ groups: [RuleGroup]) {
        self.groups = groups
        rules = groups.flatMap(\.rules)
        byCode = Dictionary(rules.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The rule with a code; nil if there is none.
    public subscript(code: String) -> RuleDescription? { byCode[DiagnosticCode(rawValue: code)] }

    /// The groups of rules that words are about; where neither codes nor summaries have them, the reasons are searched.
    public func groups(about words: [String]) -> [RuleGroup] {
        let found = [false, true].lazy.map { isDeep in
            groups.compactMap { $0.matching(RuleQuery(words, isDeep: isDeep)) }
        }
        return found.first { !$0.isEmpty } ?? []
    }

    /// The codes that a name may have been meant to be, the nearest first.
    public func codes(near name: String) -> [String] {
        let name = String(name.lowercased().prefix(64))
        let scored = rules.map { rule in
            let code = rule.code.rawValue
            let shares = code.contains(name) || name.contains(code)
            return (code: code, distance: shares && name.utf8.count > 3 ? 1 : Spelling.distance(name, code))
        }
        let near = scored.filter { $0.distance <= 3 }.sorted { ($0.distance, $0.code) < ($1.distance, $1.code) }
        return near.prefix(3).map(\.code)
    }
}

/// Words to look for among the findings, such as `fingerprint` or `team id`.
public struct RuleQuery: Sendable {
    /// The words in lower case; a synonym is one of them.
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

    /// The words that people look for, and how codes and summaries say them.
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

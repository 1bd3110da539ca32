/// A rule in a few words, as a person would read it out.
package enum RuleText {
    /// The patterns, without those that every URL matches, and how they are compared.
    package static func patterns(_ rule: Rule) -> String {
        var parts: [String] = []
        if rule.path != "*" || rule.isLegacyPath { parts.append(quoted("/", rule.path)) }
        switch rule.query {
        case .text(let pattern) where pattern != "*": parts.append(quoted("?", pattern))
        case .items(let items) where !items.isEmpty:
            parts.append("? " + items.map { "\($0.name)=\($0.value)" }.joined(separator: " & "))
        default: break
        }
        if rule.fragment != "*" { parts.append(quoted("#", rule.fragment)) }
        if parts.isEmpty { parts = ["every URL"] }
        let notes = [rule.caseSensitive ? nil : "any case", rule.percentEncoded ? nil : "decoded"].compactMap { $0 }
        return parts.joined(separator: "  ") + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")
    }

    /// A path speaks for itself if it begins with a slash.
    private static func quoted(_ key: String, _ pattern: String) -> String {
        key == "/" && pattern.hasPrefix("/") ? pattern : "\(key) \(pattern.isEmpty ? "(empty)" : pattern)"
    }
}

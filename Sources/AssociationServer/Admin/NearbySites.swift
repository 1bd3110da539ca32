internal import Diagnostics

/// Finds the sites that somebody may have meant.
package enum NearbySites {
    private static let most = 5

    /// - Parameters:
    ///   - host: that no site answers for.
    ///   - domains: `example.com`, or `*.example.com` for a wildcard.
    /// - Returns: those above, below and beside the host first, then those that are spelt nearly like it.
    package static func domains(near host: String, among domains: [String]) -> [String] {
        let host = host.lowercased()
        let parent = parent(of: host)
        var related: [String] = []
        var similar: [(domain: String, distance: Int)] = []
        for domain in domains {
            let name = domain.hasPrefix("*.") ? String(domain.dropFirst(2)) : domain
            if host.hasSuffix(".\(name)") || name.hasSuffix(".\(host)") || host == name {
                related.append(domain)
            } else if let parent, self.parent(of: name) == parent {
                related.append(domain)
            } else if abs(name.utf8.count - host.utf8.count) <= mostEdits {
                let distance = Spelling.distance(host, name)
                if distance <= mostEdits { similar.append((domain, distance)) }
            }
        }
        similar.sort { ($0.distance, $0.domain) < ($1.distance, $1.domain) }
        return Array((related.sorted() + similar.map(\.domain)).prefix(most))
    }

    private static let mostEdits = 2

    /// The name without its first label; `nil` if that would be a top-level domain.
    private static func parent(of name: String) -> Substring? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let parent = name[name.index(after: dot)...]
        return parent.contains(".") ? parent : nil
    }
}

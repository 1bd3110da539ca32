internal import Diagnostics
internal import HTTP1
internal import ServiceHealth

/// Which sites `/sites` is asked for.
enum SiteQuery {
    /// - Parameter all: all sites of the source.
    static func sites(
        _ query: String?, among all: [SiteFacts], _ source: any AdminSource
    ) throws(AdminRefusal) -> [SiteFacts] {
        let parameters = try QueryParameters(query, known: ["domain", "state"])
        var sites = all
        if let host = parameters.text("domain") {
            guard let domain = source.servedSite(forHost: host)?.domain else {
                let nearby = NearbySites.domains(near: host, among: sites.map(\.domain))
                throw AdminRefusal(
                    .notFound, "no site answers for \(quoted(host)); /sites lists all",
                    ["sites": .array([]), "nearby": .array(nearby.map(JSONOutput.string))])
            }
            sites.removeAll { $0.domain != domain }
        }
        if let text = parameters.text("state") {
            guard let state = SiteState.State(rawValue: text) else {
                let known = SiteState.State.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
                throw AdminRefusal(.badRequest, "parameter 'state' is \(quoted(text)); expected one of \(known)")
            }
            sites.removeAll { $0.site.state != state }
        }
        return sites
    }
}

/// Finds the sites that somebody may have meant.
package enum NearbySites {
    private static let maxDomains = 5

    /// - Parameters:
    ///   - host: that no site answers for.
    ///   - domains: `example.com`, or `*.example.com` for a wildcard.
    /// - Returns: parents, subdomains and siblings of the host first, then those with a similar spelling.
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
            } else if abs(name.utf8.count - host.utf8.count) <= maxEdits {
                let distance = Spelling.distance(host, name)
                if distance <= maxEdits { similar.append((domain, distance)) }
            }
        }
        similar.sort { ($0.distance, $0.domain) < ($1.distance, $1.domain) }
        return Array((related.sorted() + similar.map(\.domain)).prefix(maxDomains))
    }

    private static let maxEdits = 2

    /// The name without its first label; `nil` if that would be a top-level domain.
    private static func parent(of name: String) -> Substring? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let parent = name[name.index(after: dot)...]
        return parent.contains(".") ? parent : nil
    }
}

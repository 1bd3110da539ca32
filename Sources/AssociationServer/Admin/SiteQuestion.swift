internal import Diagnostics
internal import HTTP1

/// Which sites `/sites` is asked for.
enum SiteQuestion {
    static func sites(_ query: String?, _ source: any AdminSource) throws(AdminRefusal) -> [SiteReport] {
        let parameters = try QueryParameters(query, known: ["domain", "state"])
        var sites = source.siteReports
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
            guard let state = LoadedSite.State(rawValue: text) else {
                let known = LoadedSite.State.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
                throw AdminRefusal(.badRequest, "parameter 'state' is \(quoted(text)); expected one of \(known)")
            }
            sites.removeAll { $0.state != state }
        }
        return sites
    }
}

internal import AppSiteAssociation
internal import Diagnostics
internal import HTTP1
internal import UniversalLinks

/// Answers `/route`: which apps a URL opens by the file that is served now, and why.
struct RouteQuestions {
    static let example = "/route?url=https%3A%2F%2Fexample.com%2Fbuy%2F7"

    private var explainers = ExplainerCache()

    mutating func answer(_ query: String?, _ source: any AdminSource) -> AdminAnswer {
        do throws(AdminRefusal) {
            return .json(try members(query, source))
        } catch {
            return error.answer
        }
    }

    private mutating func members(
        _ query: String?, _ source: any AdminSource
    ) throws(AdminRefusal) -> [String: JSONOutput] {
        let parameters = try QueryParameters(query, known: ["url", "domain"])
        guard let url = parameters["url"], !url.isEmpty else {
            throw AdminRefusal(.badRequest, "which URL? Ask for example \(Self.example)")
        }
        let text = String(decoding: url, as: UTF8.self)
        guard let host = WebURL(url)?.host else {
            throw AdminRefusal(.badRequest, RouteRefusal.message, ["url": .string(text)])
        }
        let domain = try parameters.text("domain").map(Self.domain)
        let site = try site(domain ?? Self.host(host), source, text)
        guard let file = site.file else {
            throw AdminRefusal(
                .serviceUnavailable, "\(site.domain) has no good file; /sites?domain=\(site.domain) says why",
                ["url": .string(text), "site": .string(site.domain)])
        }
        let explainer = try explainers.explainer(file, of: site.domain, domain: domain)
        let explanation = url.withUnsafeBytes { explainer.explain($0) }
        let report = RouteJSONReport().members(
            text, explanation.decision, RouteRemarks(explanation.decision, domain: domain), trace: explanation.trace)
        return report.merging(["site": .string(site.domain), "sha256": .string(file.sha256)]) { $1 }
    }

    private func site(_ host: String, _ source: any AdminSource, _ url: String) throws(AdminRefusal) -> ServedSite {
        if let site = source.servedSite(forHost: host) { return site }
        let nearby = NearbySites.domains(near: host, among: source.siteReports.map(\.domain))
        throw AdminRefusal(
            .notFound, "no site answers for \(quoted(host)); /sites lists all",
            ["url": .string(url), "sites": .array(nearby.map(JSONOutput.string))])
    }

    private static func host(_ bytes: [UInt8]) -> String {
        let host = String(decoding: bytes, as: UTF8.self)
        return Punycode.ascii(host) ?? host
    }

    private static func domain(_ text: String) throws(AdminRefusal) -> String {
        do throws(RouterError) {
            let name = try DomainName(text)
            return name.isWildcard ? "*.\(name.ascii)" : name.ascii
        } catch {
            throw AdminRefusal(.badRequest, "parameter 'domain': \(error)")
        }
    }
}

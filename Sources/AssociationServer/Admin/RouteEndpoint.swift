internal import AppSiteAssociation
internal import AssociationConsole
internal import AssociationFiles
internal import AssociationLint
internal import BoundedText
internal import Diagnostics
internal import DomainNames
internal import HTTP1
internal import ServiceHealth
internal import URLPatterns
internal import UniversalLinks

/// Keeps what explains the decisions of a few files: to make one costs more than to ask it.
struct AnswererCache {
    /// The longest file that is explained, in bytes: eight times what Apple's systems read.
    ///
    /// A longer one would keep the admin listener busy for seconds.
    static let longestFile = 1 << 20
    /// No more are kept, nor more than of `longestFile` bytes together: each takes many times the memory of its file.
    static let capacity = 16

    private struct Key: Equatable {
        let sha256: String
        let domain: String?
    }

    /// The one that was asked last comes last.
    private var entries: [(key: Key, bytes: Int, answerer: RouteAnswerer)] = []

    /// - Parameters:
    ///   - site: names the file in messages.
    ///   - domain: for which the file speaks; `nil` is any.
    mutating func answerer(
        _ file: ServedSite.File, of site: String, domain: String?
    ) throws(AdminRefusal) -> RouteAnswerer {
        let key = Key(sha256: file.sha256, domain: domain)
        if let index = entries.firstIndex(where: { $0.key == key }) {
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.answerer
        }
        let answerer = try Self.make(file, of: site, domain: domain)
        while !entries.isEmpty, entries.count >= Self.capacity || bytes + file.bytes.count > Self.longestFile {
            entries.removeFirst()
        }
        entries.append((key, file.bytes.count, answerer))
        return answerer
    }

    private var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }

    private static func make(
        _ file: ServedSite.File, of site: String, domain: String?
    ) throws(AdminRefusal) -> RouteAnswerer {
        guard file.bytes.count <= longestFile else {
            throw AdminRefusal(
                .serviceUnavailable,
                "the file of \(site) has more than \(grouped(longestFile)) bytes; use 'aasa route' for it")
        }
        let document = try document(file.bytes, of: site)
        do throws(RouterError) {
            let router =
                try domain.map { name throws(RouterError) in try UniversalLinkRouter(document, domain: name) }
                ?? UniversalLinkRouter(anyDomain: document)
            return RouteAnswerer(router, domain: domain, explains: true, hints: false)
        } catch {
            throw AdminRefusal(.badRequest, "parameter 'domain': \(error)")
        }
    }

    private static func document(_ bytes: [UInt8], of site: String) throws(AdminRefusal) -> AssociationDocument {
        var bytes = bytes
        // What is published has passed the validator; a file that cannot be read here would be a bug there.
        switch SignedAssociationFile.unwrap(bytes) {
        case .content(let content, _, _, _): bytes = content
        case .unreadable(let reason):
            throw AdminRefusal(.serviceUnavailable, "the signature of the file of \(site): \(reason)")
        case nil: break
        }
        do throws(AssociationError) {
            return try AssociationDocument(bytes)
        } catch {
            throw AdminRefusal(.serviceUnavailable, "the file of \(site) cannot be read: \(error)")
        }
    }
}

/// Answers `/route`: which apps a URL opens by the file that is served now, and why.
struct RouteEndpoint {
    static let example = "/route?url=https%3A%2F%2Fexample.com%2Fbuy%2F7"

    private var answerers = AnswererCache()

    mutating func answer(_ query: String?, _ source: any AdminSource) -> ConsoleAnswer {
        do throws(AdminRefusal) {
            return .json(JSONOutput.object(try members(query, source)).text)
        } catch {
            return error.answer
        }
    }

    private mutating func members(
        _ query: String?, _ source: any AdminSource
    ) throws(AdminRefusal) -> [String: JSONOutput] {
        let parameters = try QueryParameters(query, known: ["url", "domain"])
        guard let url = parameters["url"], !url.isEmpty else {
            throw AdminRefusal(.badRequest, "parameter 'url' is missing; for example \(Self.example)")
        }
        let text = String(text: url)
        guard let host = WebURL(url)?.host else {
            throw AdminRefusal(.badRequest, WebURL.refusal(of: text), ["url": .string(text)])
        }
        let domain = try parameters.text("domain").map(Self.domain)
        let site = try site(domain ?? Self.host(host), source, text)
        guard let file = site.file else {
            throw AdminRefusal(
                .serviceUnavailable, "\(site.domain) has no valid file; /sites?domain=\(site.domain) shows why",
                ["url": .string(text), "site": .string(site.domain)])
        }
        let answerer = try answerers.answerer(file, of: site.domain, domain: domain)
        guard let answer = url.withUnsafeBytes({ answerer.answer($0) }) else {
            throw AdminRefusal(.badRequest, WebURL.refusal(of: text), ["url": .string(text)])
        }
        return answer.members.merging(["site": .string(site.domain), "sha256": .string(file.sha256)]) { $1 }
    }

    private func site(_ host: String, _ source: any AdminSource, _ url: String) throws(AdminRefusal) -> ServedSite {
        if let site = source.servedSite(forHost: host) { return site }
        let nearby = NearbySites.domains(near: host, among: source.facts.sites.map(\.domain))
        throw AdminRefusal(
            .notFound, "no site answers for \(quoted(host)); /sites lists all",
            ["url": .string(url), "sites": .array(nearby.map(JSONOutput.string))])
    }

    private static func host(_ bytes: [UInt8]) -> String {
        let host = String(text: bytes)
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

package import AssociationConsole
package import Diagnostics
package import ServiceHealth

/// The server as its admin listener sees it.
///
/// All of it is asked for on the admin listener's own loop, which may be made to wait; the loops that serve may not.
package protocol AdminSource: Sendable {
    /// The version of the program, for example `1.2.0`.
    var programVersion: String { get }
    var servingState: ServingState { get }
    /// All that decides about health but for what the loops know.
    ///
    /// - Parameter body: is given each site, by domain; they are not among the facts.
    func facts(eachSite body: (SiteFacts) -> Void) -> HealthFacts
    /// The certificates that are presented: for each name one of each key type.
    var certificates: [CertificateFacts] { get }
    /// The results of reloads.
    var reloadCounts: ReloadCounts { get }
    /// The lines of the access log that were dropped.
    var droppedLogLines: UInt64 { get }
    /// The state of the certificates that the server gets by itself; `nil` if it does not.
    var issuanceReport: IssuanceReport? { get }
    /// The state of the store that sites come from; `nil` without one.
    var storeReport: StoreReport? { get }

    /// Asks the loops what they have counted since the start, those that have ended included.
    ///
    /// - Returns: `nil` if one of them does not answer within the time.
    func ask(milliseconds: Int) -> [LoopReport]?

    /// The site that answers for a host: that of this name, else the wildcard that covers it.
    ///
    /// - Parameter host: in any case; `*.example.com` is the wildcard itself.
    func servedSite(forHost host: String) -> ServedSite?

    /// The files of a site with what was found in them, as they are now.
    ///
    /// - Parameter domain: `example.com`, or `*.example.com` for a wildcard.
    /// - Returns: `nil` if there is no such site.
    func siteDocuments(of domain: String) -> SiteDocuments?

    /// The parts of the console that commands bring along.
    var consoleFeatures: ConsoleFeatures { get }
    var configuration: ServerConfiguration { get }
    /// All rules, whose codes a request may name.
    var rules: RuleCatalogue { get }
}

/// A site with the association file that it serves now.
package struct ServedSite: Sendable {
    package struct File: Sendable {
        package let sha256: String
        package let bytes: [UInt8]

        package init(sha256: String, bytes: [UInt8]) {
            self.sha256 = sha256
            self.bytes = bytes
        }
    }

    /// `example.com`, or `*.example.com` for a wildcard.
    package let domain: String
    /// `nil` if the site never had a good one.
    package let file: File?

    package init(domain: String, file: File?) {
        self.domain = domain
        self.file = file
    }
}

extension AdminSource {
    /// All that decides about health but for what the loops know, with all sites by domain.
    package var facts: HealthFacts {
        var sites: [SiteFacts] = []
        var facts = facts { sites.append($0) }
        facts.sites = sites
        return facts
    }
}

extension HealthFacts {
    /// The same with what the loops have counted.
    ///
    /// - Parameter loops: `nil` if one of them does not answer.
    consuming func with(_ loops: LoopReport?) -> HealthFacts {
        guard let loops else {
            isStuck = true
            return self
        }
        for index in sites.indices {
            sites[index].lastFetch = loops.fetches(site: sites[index].site.number).last
        }
        return self
    }
}

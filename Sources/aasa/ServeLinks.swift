import AssociationFiles
import CommandLineSupport
import DomainNames
import FindingCatalogue
import JSONSyntax
import ServiceHealth
import SystemSupport

extension SiteFacts {
    /// The facts with what apps do not open of the links and pages of a site on disk. A server does not look for that when
    /// it loads: it takes time, and is no reason not to serve.
    ///
    /// - Parameters:
    ///   - folder: The folder of all sites.
    ///   - checker: reads each `.aasa.json` once.
    func comparingLinks(in folder: String, _ checker: inout FileChecker) -> SiteFacts {
        guard let links = site[SiteState.File.links], links.refusedSince == nil, let domain = Domain(self.domain) else {
            return self
        }
        let path = Path.join(folder, "\(domain.folderName)/\(links.name)")
        guard let bytes = try? InputFile.read(path, limit: FileSizes.read) else { return self }
        let linter = checker.linter(forFileAt: path)
        let surroundings = LinkNeighbours(ofFileAt: path).surroundings(domain: domain)
        let judgement = checker.judge(bytes, as: .links, path: path, by: linter, links: surroundings)
        var facts = self
        facts.site = SiteState(
            site.domain, number: site.number,
            files: site.files.map { file in
                file.name != links.name
                    ? file
                    : SiteState.File(
                        file.name, file.delivery, findings: judgement.findings, storeVersion: file.storeVersion,
                        counts: file.counts)
            }, isWithoutCertificate: site.isWithoutCertificate)
        return facts
    }
}

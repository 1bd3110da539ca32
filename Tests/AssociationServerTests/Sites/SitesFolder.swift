import AssociationServer
import Diagnostics
import Foundation
import ServiceHealth
import TestSupport

/// A folder of sites, and what a loader makes of it, one load after the other.
final class SitesFolder {
    /// Nothing can be said against it.
    static let document = """
        {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}
        """
    /// Nor against this.
    static let links = """
        [{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app",\
        "package_name":"com.shop.app","sha256_cert_fingerprints":["\
        3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"]}}]
        """

    let folder: TemporaryFolder
    var configuration = ServerConfiguration()
    let catalog = SiteCatalog()
    /// The changes of the last load.
    private(set) var changes = SiteChanges()

    init() throws {
        folder = try TemporaryFolder()
        // Nothing above this folder is looked at.
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.git", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/sites", withIntermediateDirectories: true)
        configuration.sites = "\(folder.path)/sites"
    }

    /// Writes a file of a site.
    func write(_ text: String, _ site: String, _ name: String = "apple-app-site-association") throws {
        try folder.write(text, to: "sites/\(site)/\(name)")
    }

    func path(_ site: String, _ name: String = "apple-app-site-association") -> String {
        "\(folder.path)/sites/\(site)/\(name)"
    }

    func remove(_ site: String, _ name: String? = nil) throws {
        try FileManager.default.removeItem(atPath: name.map { path(site, $0) } ?? "\(folder.path)/sites/\(site)")
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/sites/\(name)", withDestinationPath: target)
    }

    /// The sites by domain.
    var sites: [LoadedSite] { catalog.sites.sorted { $0.domain < $1.domain } }

    /// The findings of the last load that are about no site.
    var otherFindings: [LocatedDiagnostic] { catalog.content.findings }

    /// Loads again what was loaded before.
    ///
    /// - Parameters:
    ///   - names: the names of the folders that are read; nil for all.
    ///   - now: seconds since 1970; by default so long ago that every file may change without showing it.
    @discardableResult
    func load(only names: Set<String>? = nil, trustsStamps: Bool = false, now: Int64 = 1_000) throws -> SiteChanges {
        changes = try catalog.readFolder(configuration, only: names, trustsStamps: trustsStamps, now: now)
        return changes
    }

    func site(_ domain: String) -> LoadedSite? { sites.first { $0.domain == domain } }

    func file(_ domain: String, _ name: String) -> LoadedFile? { site(domain)?.files.first { $0.name == name } }

    /// The files of a site of which the last load had something to say.
    func reported(of domain: String) -> [LoadedFile] {
        changes.reported.filter { $0.domain == domain }.map(\.file)
    }

    /// `severity path: message; advice` without the folder's own path.
    func shown(_ findings: [LocatedDiagnostic]) -> [String] {
        findings.map {
            let advice = $0.diagnostic.advice.map { "; \($0)" } ?? ""
            let path = $0.path.replacingOccurrences(of: folder.path + "/sites/", with: "")
            return "\($0.severity.rawValue) \(path): \($0.message)\(advice)"
        }
    }
}

extension LoadedSite {
    var state: SiteState.State { siteState().state }
    var lastError: SiteError? { siteState().lastError }
}

extension LoadedFile {
    var error: SiteError? { state.error }
}

import AssociationFiles
import AssociationServer
import Diagnostics
import DomainNames
import JSONSyntax
import LinkPages
import PostgreSQLStore
import SiteStore

extension LinkSurroundings {
    /// Those of a `links.json` that is published: its images are the ones that the store has by now.
    init(of domain: String, _ settings: ServerConfiguration, over connection: StoreConnection) {
        self.init(domain: domain, settings) { name, limit in
            let key = StoreFileKey(domain: domain, name: name)
            do throws(StoreError) {
                guard let version = try StoreVersions.versions(of: key, limit: 1, over: connection).first,
                    let file = try StoreVersions.file(key, version: version.version, over: connection),
                    let contents = file.contents
                else { return .missing }
                return contents.bytes.count > limit
                    ? .tooLarge : .found(contents.bytes, sha256: contents.digest.bytes)
            } catch {
                return .unreadable(error.message)
            }
        }
    }

    /// Those of a file that is to be in a store, where every content has a limit.
    init(domain: String, _ settings: ServerConfiguration, images: @escaping LinkImageLookup) {
        self.init(
            domain: Domain(domain), maxBytes: min(settings.limits.linksBytes, FileSizes.published), images: images)
    }
}

package import Android
package import AppSiteAssociation
internal import AssociationLint
internal import BoundedText
package import DomainNames
internal import JSONSyntax
internal import LinkPages
internal import SystemSupport

/// The files around a `links.json` on disk: those of its site beside it, and those of other sites in the folders beside that.
package struct LinkNeighbours {
    /// The folder of the file.
    let folder: String?
    /// The domain that the folder is named after; nil if it is not.
    let domain: Domain?
    /// Nil if there is none, or it cannot be used: what is wrong with it is found where it is checked itself.
    package var association: AssociationDocument?
    package var assetLinks: AssetLinksDocument?

    private static let reader = UsableFileReader(unwrap: SignedAssociationFile.unwrap)

    /// Those of a file that is nowhere, such as standard input: none.
    package init() {
        folder = nil
        domain = nil
    }

    package init(ofFileAt path: String) {
        let folder = Path.folder(of: path)
        self.folder = folder
        let resolved = Path.resolved(folder) ?? folder
        domain = Self.domain(ofFolder: Path.name(of: resolved))
        association = Self.association(in: folder)
        if let (bytes, path) = Self.read("assetlinks.json", in: folder) {
            assetLinks = try? Self.reader.assetLinks(bytes, path: path)
        }
    }

    /// The domain of a site's folder. A word without a dot is hardly one, but for this machine's own name.
    private static func domain(ofFolder name: String) -> Domain? {
        guard name.contains(".") || name == "localhost" else { return nil }
        return try? Domain(folder: name)
    }

    /// The surroundings that the file is judged by.
    ///
    /// - Parameter domain: Of the site, where that is not the name of the folder.
    package func surroundings(domain other: Domain? = nil) -> LinkSurroundings {
        let opening = { (content: LinksContent) in
            var files = LinkOpening.Files(association: association, assetLinks: assetLinks)
            if let folder, let host = content.app?.openHost.flatMap({ Domain(String(text: $0)) }) {
                files.openHost = Self.association(in: "\(folder)/../\(host.folderName)")
            }
            return files
        }
        guard let folder else {
            return LinkSurroundings(domain: other, images: nil, opening: opening)
        }
        return LinkSurroundings(inFolder: folder, domain: other ?? domain, opening: opening)
    }

    private static func association(in folder: String) -> AssociationDocument? {
        let names = [AssociationFileName.name, "\(AssociationFileName.name).json"]
        guard let (bytes, path) = names.lazy.compactMap({ read($0, in: folder) }).first else { return nil }
        return try? reader.association(bytes, path: path)
    }

    private static func read(_ name: String, in folder: String) -> (bytes: [UInt8], path: String)? {
        let path = Path.join(folder, name)
        guard let bytes = try? FileReader.readSettled(path, limit: FileSizes.published).bytes,
            bytes.count <= FileSizes.published
        else { return nil }
        return (bytes, path)
    }
}

internal import AssociationLint
package import DomainNames
internal import Glibc
package import LinkPages
internal import OpenSSL
package import SystemSupport

/// The surroundings by which a `links.json` is judged besides its bytes.
package struct LinkSurroundings {
    /// That of the site; nil if it is not known.
    let domain: Domain?
    /// The most bytes that the file may have.
    let maxBytes: Int
    /// Finds the images that it names; nil for a file without a folder.
    let images: LinkImageLookup?
    /// Finds the files that say which links open apps, which takes time: a server does not ask.
    let opening: (LinksContent) -> LinkOpening.Files

    package init(
        domain: Domain?, maxBytes: Int = LinkLimits.maxFileBytes, images: LinkImageLookup?,
        opening: @escaping (LinksContent) -> LinkOpening.Files = { _ in LinkOpening.Files() }
    ) {
        (self.domain, self.maxBytes, self.images, self.opening) = (domain, maxBytes, images, opening)
    }

    /// Those of a file on disk, whose images are in its folder.
    package init(
        inFolder folder: String, domain: Domain?, maxBytes: Int = LinkLimits.maxFileBytes,
        opening: @escaping (LinksContent) -> LinkOpening.Files = { _ in LinkOpening.Files() }
    ) {
        self.init(
            domain: domain, maxBytes: maxBytes,
            images: { name, limit in
                LinkImageFile(named: name, limit: limit) { () throws(SystemError) in
                    try FileReader.readSettled("\(folder)/\(name)", limit: limit)
                }
            }, opening: opening)
    }

    /// Reads a file, and compares it with nothing.
    package func document(_ bytes: [UInt8], path: String) -> LinksDocument {
        LinksDocument.read(bytes, path: path, domain: domain, maxBytes: maxBytes, images: images)
    }
}

extension LinkImageFile {
    /// Reads an image in the folder of its file of links.
    ///
    /// - Parameter read: Reads the file of this name, no more than the limit and one.
    package init(named name: String, limit: Int, _ read: () throws(SystemError) -> FileReader.Contents) {
        guard !name.contains("/"), name != "..", name != "." else {
            self = .outside
            return
        }
        do throws(SystemError) {
            let bytes = try read().bytes
            self = bytes.count > limit ? .tooLarge : .found(bytes, sha256: SHA256Digest.hash(bytes))
        } catch {
            self = error.number == ENOENT ? .missing : .unreadable(error.reason)
        }
    }
}

extension FileLinter {
    /// Decides about the bytes of a `links.json`.
    func judge(links bytes: [UInt8], path: String, _ surroundings: LinkSurroundings) -> FileJudgement {
        let document = surroundings.document(bytes, path: path)
        let opening = document.content.map {
            LinkOpening.diagnostics(document, domain: surroundings.domain, surroundings.opening($0))
        }
        let result = linter.result(of: document.source, document.diagnostics + (opening ?? []))
        return FileJudgement(
            report: result.report(), configuration: problems, suppression: use(of: result), links: document.content)
    }
}

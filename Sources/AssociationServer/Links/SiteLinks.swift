internal import HTTP1
internal import LinkPages
internal import OpenSSL

/// The links and pages of a site, ready to answer requests.
final class SiteLinks: Sendable {
    let table: LinksTable
    private let writer: PageWriter
    /// The answers with images, in the order of `LinksContent.images`.
    private let images: [LinkResponse]
    /// The images that the file names, as they were found.
    let named: [LinkImageMark]

    init(_ content: LinksContent, _ named: [LinkImageMark]) {
        self.named = named
        table = LinksTable(content)
        writer = PageWriter(content.app, languages: content.languages, sha256: SHA256Digest.hash)
        images = content.images.map { LinkResponse($0) }
    }

    var linkCount: Int { table.content.links.count }
    var pageCount: Int { table.content.pages.count }

    /// Writes out the answer to a request; nil for the plain 404.
    ///
    /// - Parameters:
    ///   - variant: That of the request.
    ///   - buffer: Empty memory to work in.
    func response(
        to request: LinkRequest, _ variant: LinkVariant, _ buffer: inout [UInt8]
    ) -> LinkResponse? {
        switch table.answer(for: request, variant, into: &buffer) {
        case .page(let subject): return page(subject, isFound: true, &buffer)
        case .notFound(let subject): return page(subject, isFound: false, &buffer)
        case .redirect(let redirect): return LinkResponse(redirect, buffer[redirect.location])
        case .image(let image):
            let index = table.content.images.firstIndex { $0.path == image.path }
            return index.map { images[$0] }
        case .nothing: return nil
        }
    }

    private func page(_ subject: PageSubject, isFound: Bool, _ buffer: inout [UInt8]) -> LinkResponse {
        // There may be a part of a target that was given up.
        buffer.removeAll(keepingCapacity: true)
        writer.write(subject, to: &buffer)
        return LinkResponse(writer.head(of: subject), maxAge: subject.maxAge, buffer, isFound: isFound)
    }
}

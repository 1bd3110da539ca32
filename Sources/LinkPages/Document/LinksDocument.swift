package import Diagnostics
package import DomainNames
internal import JSONSyntax

/// A `links.json`, as it was read: what is wrong with it, and its content where nothing is.
package struct LinksDocument: Sendable {
    /// The text that all ranges refer to.
    package let source: SourceText
    /// All findings that the file, its images and its host decide, in the order of the text.
    package let diagnostics: [Diagnostic]
    /// Nil where there is an error.
    package let content: LinksContent?
    private let fallback: SourceRange?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The file's content.
    ///   - path: What messages call the file.
    ///   - domain: Of the site; nil if it is not known, and then what depends on it is not looked for.
    ///   - maxBytes: More bytes than these are an error.
    ///   - images: Finds the images that the file names; nil if there is no folder, and then they are not looked for.
    package static func read(
        _ bytes: [UInt8], path: String = "links.json", domain: Domain?, maxBytes: Int = LinkLimits.maxFileBytes,
        images: LinkImageLookup?
    ) -> LinksDocument {
        var limits = ReadingLimits.configuration
        limits.hard = min(maxBytes, FileSizes.read)
        let json = JSONReader.read(bytes, path: path, limits: limits)
        guard let root = json.root, json.isTreeReliable else {
            return LinksDocument(source: json.source, diagnostics: json.findings, content: nil, fallback: nil)
        }
        var reader = LinksReader(json, domain: domain, images: images)
        reader.read(root)
        let findings = reader.findings.kept.sorted { left, right in
            (left.range.start, left.range.end, left.code.rawValue)
                < (right.range.start, right.range.end, right.code.rawValue)
        }
        return LinksDocument(
            source: json.source, diagnostics: findings, content: reader.findings.hasErrors ? nil : reader.content,
            fallback: root.object?.member("fallback")?.value.range)
    }

    /// Where an entry is: its RFC 6901 pointer, and the range of a link's key, a page's route or the fallback; nil if the
    /// file does not write it.
    package func location(of match: LinkMatch) -> (pointer: String, range: SourceRange)? {
        switch match {
        case .link(let index):
            guard let link = content?.links[index] else { return nil }
            return (LinkContainer.link(key(link.keyRange)).pointer.description, link.keyRange)
        case .page(let index):
            return content.map { (LinkContainer.page(index).pointer.description, $0.pages[index].range) }
        case .fallback: return fallback.map { (LinkContainer.fallback.pointer.description, $0) }
        }
    }

    /// The key that was read from a range of the text.
    private func key(_ range: SourceRange) -> String {
        let token = Array(source.bytes[range.start..<range.end])
        return JSONReader.read(token, path: "", limits: .configuration).root?.string?.text ?? ""
    }
}

/// The limits of a file of links.
package enum LinkLimits {
    package static let maxFileBytes = 8 << 20
    package static let maxLinks = 50_000
    package static let maxPages = 1_000
    /// Captures of a route.
    package static let maxCaptures = 16
    /// Characters of a title.
    package static let maxTitle = 200
    /// Characters of a description.
    package static let maxDescription = 500
    /// Bytes of a URL in the file.
    package static let maxURLBytes = 2_000
    /// Bytes of a `Location`.
    package static let maxLocationBytes = 8_000
    package static let maxIconBytes = 64 << 10
    package static let maxImageBytes = 1 << 20
    /// Bytes of all images of a file together.
    package static let maxAllImageBytes = 64 << 20
    /// Characters of a capture that a text of a page shows.
    package static let maxShownCapture = 100
}

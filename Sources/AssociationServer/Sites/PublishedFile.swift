package import AssociationFiles
internal import BoundedText
internal import Diagnostics
internal import Glibc
internal import HTTP1
internal import OpenSSL
internal import SiteStore
internal import SystemSupport

/// A good file, with the answers it is served by.
package final class PublishedFile: @unchecked Sendable {
    /// The fields of its answers that are not in the file.
    struct Terms: Hashable, Sendable {
        let contentType: String
        /// In seconds.
        let cacheMaxAge: Int
    }

    /// The entity tag's length: 64 hex digits in quotes.
    static let entityTagCount = 66

    let terms: Terms
    let found: PreparedResponse
    let notModified: PreparedResponse
    /// Strong: the SHA-256 of the bytes, so that all machines with the file have the same.
    let entityTag: UnsafePointer<UInt8>
    /// Seconds since 1970.
    package let lastModified: Int64
    /// The answers to other paths by the file; nil unless it is a `links.json`.
    let links: SiteLinks?

    /// - Parameter digest: the SHA-256 of the bytes; nil to compute it.
    init(bytes: [UInt8], digest: [UInt8]? = nil, lastModified: Int64, terms: Terms, links: SiteLinks? = nil) {
        self.links = links
        let tag = Array("\"\(Hexadecimal.text(digest ?? SHA256Digest.hash(bytes)))\"".utf8)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: tag.count)
        memory.initialize(from: tag, count: tag.count)
        entityTag = UnsafePointer(memory)
        self.lastModified = lastModified
        self.terms = terms
        let state: [(name: ResponseField, value: String)] = [
            (.entityTag, String(text: tag)), (.lastModified, HTTPDate.string(lastModified)),
            (.cacheControl, "public, max-age=\(terms.cacheMaxAge)"),
        ]
        found = .allocate(.ok, fields: [(.contentType, terms.contentType)] + state, body: bytes)
        notModified = .allocate(.notModified, fields: state, body: nil)
    }

    /// The same file on other terms; itself if they are the same.
    func on(_ terms: Terms) -> PublishedFile {
        terms == self.terms
            ? self : PublishedFile(bytes: bytes, lastModified: lastModified, terms: terms, links: links)
    }

    /// Whether the file has exactly these bytes.
    func hasBytes(_ bytes: [UInt8]) -> Bool {
        let body = found.body
        guard body.count == bytes.count else { return false }
        return bytes.withUnsafeBytes { other in
            guard let start = other.baseAddress, let ours = body.baseAddress else { return true }
            return memcmp(start, ours, other.count) == 0
        }
    }

    /// The SHA-256 of the bytes in hex digits, as in the entity tag.
    package var digest: String {
        let digits = UnsafeBufferPointer(start: entityTag + 1, count: Self.entityTagCount - 2)
        return String(text: digits)
    }

    var bytes: [UInt8] { Array(found.body) }

    /// The number of bytes of the file.
    package var count: Int { found.bodyCount }

    deinit {
        found.deallocate()
        notModified.deallocate()
        entityTag.deallocate()
    }
}

extension ServerConfiguration {
    /// The names of the files that a site may have.
    var siteFileNames: [String] {
        [SiteFile.association.name, SiteFile.assetLinks.name] + wellKnown.map(\.name)
            + (pages ? [SiteFile.links.name] : [])
    }
}

extension SiteFile {
    /// Those that are served below `/.well-known/` only.
    ///
    /// - Throws: `ServerError.Code.configuration` for a name or a content type that would not do in an answer.
    static func others(_ configuration: ServerConfiguration) throws(ServerError) -> [SiteFile] {
        var files = [assetLinks]
        for file in configuration.wellKnown where !files.contains(where: { $0.name == file.name }) {
            guard isName(file.name), isContentType(file.contentType) else {
                let expected = "expected the name of a file like 'security.txt', and a media type like 'text/plain'"
                let given = "\(quoted(file.name)) as \(quoted(file.contentType))"
                throw ServerError(.configuration, "'wellKnown' has \(given), which cannot be served; \(expected)")
            }
            files.append(SiteFile(name: file.name, contentType: file.contentType))
        }
        return files
    }

    /// The file of a name, as a server with this configuration has it, or would have it.
    package init(name: String, in configuration: ServerConfiguration) {
        if let file = configuration.wellKnown.first(where: { $0.name == name }) {
            self.init(name: name, contentType: file.contentType)
        } else {
            self.init(name: name)
        }
    }

    private static func isName(_ name: String) -> Bool {
        StoreNames.isFileName(name) && name != association.name && name != links.name
    }

    /// Whether a media type can be in the head of an answer, and leaves room there for the other fields.
    private static func isContentType(_ type: String) -> Bool {
        (1...255).contains(type.utf8.count) && type.utf8.allSatisfy(isPrintable)
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }
}

internal import Glibc
internal import HTTP1
internal import OpenSSL

/// A good file, with the answers it is served by.
package final class PublishedFile: @unchecked Sendable {
    /// The fields of its answers that are not in the file.
    struct Terms: Equatable, Sendable {
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

    init(bytes: [UInt8], lastModified: Int64, terms: Terms) {
        let digits = Array("0123456789abcdef".utf8)
        let tag =
            [UInt8(ascii: "\"")] + SHA256Digest.hash(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            + [UInt8(ascii: "\"")]
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: tag.count)
        memory.initialize(from: tag, count: tag.count)
        entityTag = UnsafePointer(memory)
        self.lastModified = lastModified
        self.terms = terms
        let state = [
            ("ETag", String(decoding: tag, as: UTF8.self)), ("Last-Modified", HTTPDate.string(lastModified)),
            ("Cache-Control", "public, max-age=\(terms.cacheMaxAge)"),
        ]
        found = .allocate(.ok, fields: [("Content-Type", terms.contentType)] + state, body: bytes)
        notModified = .allocate(.notModified, fields: state, body: nil)
    }

    /// The same file on other terms; itself if they are the same.
    func on(_ terms: Terms) -> PublishedFile {
        terms == self.terms ? self : PublishedFile(bytes: Array(found.body), lastModified: lastModified, terms: terms)
    }

    /// Whether it has exactly these bytes.
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
        return String(decoding: digits, as: UTF8.self)
    }

    /// How many bytes it has.
    package var count: Int { found.bodyCount }

    deinit {
        found.deallocate()
        notModified.deallocate()
        entityTag.deallocate()
    }
}

internal import HTTP1
internal import OpenSSL

/// A good file, with the answers it is served by.
final class PublishedFile: @unchecked Sendable {
    /// The entity tag's length: 64 hex digits in quotes.
    static let entityTagCount = 66

    let found: PreparedResponse
    let notModified: PreparedResponse
    /// Strong: the SHA-256 of the bytes, so that all machines with the file have the same.
    let entityTag: UnsafePointer<UInt8>
    /// Seconds since 1970.
    let lastModified: Int64

    /// - Parameter cacheMaxAge: in seconds.
    init(bytes: [UInt8], lastModified: Int64, cacheMaxAge: Int) {
        let digits = Array("0123456789abcdef".utf8)
        let tag =
            [UInt8(ascii: "\"")]
            + SHA256Digest.hash(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\"")]
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: tag.count)
        memory.initialize(from: tag, count: tag.count)
        entityTag = UnsafePointer(memory)
        self.lastModified = lastModified
        let state = [
            ("ETag", String(decoding: tag, as: UTF8.self)), ("Last-Modified", HTTPDate.string(lastModified)),
            ("Cache-Control", "public, max-age=\(cacheMaxAge)"),
        ]
        found = .allocate(.ok, fields: [("Content-Type", "application/json")] + state, body: bytes)
        notModified = .allocate(.notModified, fields: state, body: nil)
    }

    /// Whether it has exactly these bytes.
    func hasBytes(_ bytes: [UInt8]) -> Bool { found.body.elementsEqual(bytes) }

    /// The SHA-256 of the bytes in hex digits, as in the entity tag.
    var digest: String {
        let digits = UnsafeBufferPointer(start: entityTag + 1, count: Self.entityTagCount - 2)
        return String(decoding: digits, as: UTF8.self)
    }

    deinit {
        found.deallocate()
        notModified.deallocate()
        entityTag.deallocate()
    }
}

/// The fields of a prepared response, `Connection` excepted.
package enum ResponseField: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case allow, cacheControl, contentLength, contentType, contentTypeOptions, date, entityTag, lastModified, retryAfter

    /// The name as HTTP/1.1 has it by custom.
    package var text: StaticString {
        switch self {
        case .allow: "Allow"
        case .cacheControl: "Cache-Control"
        case .contentLength: "Content-Length"
        case .contentType: "Content-Type"
        case .contentTypeOptions: "X-Content-Type-Options"
        case .date: "Date"
        case .entityTag: "ETag"
        case .lastModified: "Last-Modified"
        case .retryAfter: "Retry-After"
        }
    }

    /// The name as HTTP/2 has it by rule (RFC 9113, section 8.2.1).
    package var lowercased: StaticString {
        switch self {
        case .allow: "allow"
        case .cacheControl: "cache-control"
        case .contentLength: "content-length"
        case .contentType: "content-type"
        case .contentTypeOptions: "x-content-type-options"
        case .date: "date"
        case .entityTag: "etag"
        case .lastModified: "last-modified"
        case .retryAfter: "retry-after"
        }
    }
}

/// The fields of a prepared response, `Connection` excepted.
package enum ResponseField: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case allow, cacheControl, contentLanguage, contentLength, contentSecurityPolicy, contentType, contentTypeOptions,
        date
    case entityTag, lastModified, location, referrerPolicy, retryAfter, vary

    /// The name as HTTP/1.1 has it by custom.
    package var text: StaticString {
        switch self {
        case .allow: "Allow"
        case .cacheControl: "Cache-Control"
        case .contentLanguage: "Content-Language"
        case .contentLength: "Content-Length"
        case .contentSecurityPolicy: "Content-Security-Policy"
        case .contentType: "Content-Type"
        case .contentTypeOptions: "X-Content-Type-Options"
        case .date: "Date"
        case .entityTag: "ETag"
        case .lastModified: "Last-Modified"
        case .location: "Location"
        case .referrerPolicy: "Referrer-Policy"
        case .retryAfter: "Retry-After"
        case .vary: "Vary"
        }
    }

    /// The name as HTTP/2 has it by rule (RFC 9113, section 8.2.1).
    package var lowercased: StaticString {
        switch self {
        case .allow: "allow"
        case .cacheControl: "cache-control"
        case .contentLanguage: "content-language"
        case .contentLength: "content-length"
        case .contentSecurityPolicy: "content-security-policy"
        case .contentType: "content-type"
        case .contentTypeOptions: "x-content-type-options"
        case .date: "date"
        case .entityTag: "etag"
        case .lastModified: "last-modified"
        case .location: "location"
        case .referrerPolicy: "referrer-policy"
        case .retryAfter: "retry-after"
        case .vary: "vary"
        }
    }
}

/// The parts of a request that decide its answer, as bytes that somebody else owns for as long as the request lasts.
package struct LinkRequest: BitwiseCopyable {
    /// The host asked for, in lower case and without a port.
    package var host: UnsafeBufferPointer<UInt8>
    /// The path as it was sent; empty counts as `/`.
    package var path: UnsafeBufferPointer<UInt8>
    /// The query without its `?`; nil if the target has no `?`.
    package var query: UnsafeBufferPointer<UInt8>?
    /// The value of `Accept`; empty if there is none. Those of several fields are joined with commas.
    package var accept: UnsafeBufferPointer<UInt8>
    /// The value of `Accept-Language`, in the same way.
    package var acceptLanguage: UnsafeBufferPointer<UInt8>
    /// The value of `User-Agent`; empty if there is none.
    package var userAgent: UnsafeBufferPointer<UInt8>

    package init(
        host: UnsafeBufferPointer<UInt8>, path: UnsafeBufferPointer<UInt8>, query: UnsafeBufferPointer<UInt8>?,
        accept: UnsafeBufferPointer<UInt8>, acceptLanguage: UnsafeBufferPointer<UInt8>,
        userAgent: UnsafeBufferPointer<UInt8>
    ) {
        self.host = host
        self.path = path
        self.query = query
        self.accept = accept
        self.acceptLanguage = acceptLanguage
        self.userAgent = userAgent
    }
}

/// The part of a request's fields that decides its answer: with host, path and query it is the key of a cached answer.
package struct LinkVariant: Hashable, Sendable, BitwiseCopyable {
    /// The kinds of documents that an answer can be.
    package enum Representation: UInt8, Hashable, Sendable, BitwiseCopyable {
        case html
        /// `application/json`, for apps.
        case json
        /// `application/ld+json`.
        case linkedData
    }

    /// The systems that a page tells apart by `User-Agent`.
    package enum Platform: UInt8, Hashable, Sendable, BitwiseCopyable {
        case android, apple, other
    }

    package var representation: Representation
    package var language: PageLanguage
    package var platform: Platform

    package init(representation: Representation = .html, language: PageLanguage, platform: Platform = .other) {
        self.representation = representation
        self.language = language
        self.platform = platform
    }
}

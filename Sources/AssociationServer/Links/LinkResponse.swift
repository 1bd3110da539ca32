internal import BoundedText
internal import HTTP1
package import LinkPages
internal import OpenSSL
internal import SystemSupport

/// The kinds of answers that links and pages give, in the words of metrics.
enum LinkAnswerKind: String, CaseIterable, Sendable, BitwiseCopyable {
    case page, redirect, json, image
    case notFound = "not_found"

    /// The index in `allCases`.
    var index: Int {
        switch self {
        case .page: 0
        case .redirect: 1
        case .json: 2
        case .image: 3
        case .notFound: 4
        }
    }
}

/// The status codes of answers by links and pages: two of them are redirects, which `Status` does not have.
enum LinkStatus: UInt16, CaseIterable, Sendable, BitwiseCopyable {
    case ok = 200
    case found = 302
    case notModified = 304
    case temporaryRedirect = 307
    case notFound = 404
    case preconditionFailed = 412

    /// Those that `Status` does not have.
    static let redirects: [LinkStatus] = [.found, .temporaryRedirect]

    fileprivate var reasonPhrase: String {
        switch self {
        case .ok: "OK"
        case .found: "Found"
        case .notModified: "Not Modified"
        case .temporaryRedirect: "Temporary Redirect"
        case .notFound: "Not Found"
        case .preconditionFailed: "Precondition Failed"
        }
    }
}

/// An answer by links and pages, written out.
///
/// It is the only type of answers of this server, besides the one from a plain listener to HTTPS, that can be a redirect. It
/// is made of a `LinkAnswer`, which only an `OtherPath` leads to.
package final class LinkResponse: @unchecked Sendable {
    let kind: LinkAnswerKind
    let status: LinkStatus
    let message: PreparedMessage
    /// The answer to a client that has it already; nil for answers without an entity tag.
    let notModified: PreparedMessage?
    /// The entity tag, with its quotes.
    let entityTag: [UInt8]
    /// The request that it answers, if it is kept.
    var key: LinkCache.Key?
    /// Whether it was asked for since the cache has last looked for room.
    var isUsed = false

    private init(
        _ kind: LinkAnswerKind, _ status: LinkStatus, _ fields: [(name: ResponseField, value: String)], _ body: [UInt8]
    ) {
        (self.kind, self.status) = (kind, status)
        let tag = "\"\(Hexadecimal.text(SHA256Digest.hash(body)))\""
        entityTag = Array(tag.utf8)
        let all = fields + [(.entityTag, tag), (.contentTypeOptions, "nosniff"), (.contentLength, "\(body.count)")]
        message = body.withUnsafeBufferPointer {
            .allocate(status.rawValue, status.reasonPhrase, fields: all, body: $0)
        }
        guard status == .ok else {
            notModified = nil
            return
        }
        let kept = fields.filter { $0.name == .cacheControl || $0.name == .vary }
        notModified = .allocate(
            LinkStatus.notModified.rawValue, LinkStatus.notModified.reasonPhrase, fields: [(.entityTag, tag)] + kept,
            body: UnsafeBufferPointer(start: nil, count: 0))
    }

    /// A page, or a document for programs.
    convenience init(_ head: PageHead, maxAge: Int, _ body: [UInt8], isFound: Bool) {
        var fields: [(name: ResponseField, value: String)] = [(.contentType, head.contentType)]
        if let language = head.contentLanguage { fields.append((.contentLanguage, language)) }
        if let policy = head.contentSecurityPolicy { fields.append((.contentSecurityPolicy, policy)) }
        fields += [
            (.referrerPolicy, head.referrerPolicy), (.vary, head.vary), (.cacheControl, "public, max-age=\(maxAge)"),
        ]
        let found: LinkAnswerKind = head.contentSecurityPolicy == nil ? .json : .page
        self.init(isFound ? found : .notFound, isFound ? .ok : .notFound, fields, body)
    }

    /// An image, which never changes at its path.
    convenience init(_ image: LinkImage) {
        self.init(
            .image, .ok,
            [(.contentType, "\(image.format.mediaType)"), (.cacheControl, "public, max-age=31536000, immutable")],
            image.bytes)
    }

    /// A redirect.
    ///
    /// - Parameter location: Its scheme and host are literally in the file.
    package init(_ redirect: LinkRedirect, _ location: ArraySlice<UInt8>) {
        kind = .redirect
        status =
            switch redirect.status {
            case .found: .found
            case .temporary: .temporaryRedirect
            }
        message = .allocate(
            status.rawValue, status.reasonPhrase,
            fields: [
                (.location, String(text: location)), (.cacheControl, "public, max-age=\(redirect.maxAge)"),
                (.referrerPolicy, "no-referrer"), (.vary, "Accept"), (.contentLength, "0"),
            ], body: UnsafeBufferPointer(start: nil, count: 0))
        notModified = nil
        entityTag = []
    }

    deinit {
        message.deallocate()
        notModified?.deallocate()
    }
}

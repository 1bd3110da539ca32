internal import HTTP1
internal import LinkPages

/// The answers by links and pages that a loop gives, and the memory that they are written in.
struct LinkAnswers {
    var cache = LinkCache()
    /// Where an answer is written, kept for the next one.
    private var buffer: [UInt8] = []
    /// Memory larger than this is not kept.
    private static let maxKept = 262_144

    /// The answer to a question; nil for the plain 404.
    ///
    /// - Parameters:
    ///   - bytes: those that the head was read from.
    ///   - fields: has room for `RequestParser.maxFields` ranges.
    mutating func response(
        to question: LinkQuestion, _ head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>,
        _ fields: UnsafeMutablePointer<Range<Int>>
    ) -> LinkResponse? {
        let links = question.links.takeUnretainedValue()
        let target = UnsafeBufferPointer(rebasing: bytes[question.target.range])
        let query = head.query(in: bytes.span).map { UnsafeBufferPointer(rebasing: bytes[$0.range]) }
        return Self.withValue(of: "accept", head, bytes, fields) { accept in
            Self.withValue(of: "accept-language", head, bytes, fields) { languages in
                let request = LinkRequest(
                    host: question.host.buffer, path: UnsafeBufferPointer(rebasing: bytes[head.path.range]),
                    query: query, accept: accept, acceptLanguage: languages,
                    userAgent: UnsafeBufferPointer(rebasing: bytes[head.userAgent.range]))
                return response(to: request, target, question.host, links)
            }
        }
    }

    private mutating func response(
        to request: LinkRequest, _ target: UnsafeBufferPointer<UInt8>, _ host: HostKey, _ links: SiteLinks
    ) -> LinkResponse? {
        let variant = links.table.variant(of: request)
        let identity = UnsafeRawPointer(Unmanaged.passUnretained(links).toOpaque())
        let hash = host.hash(with: target) ^ UInt64(truncatingIfNeeded: variant.hashValue)
        if let kept = cache.find(hash, identity, variant, request.host, target) { return kept }
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.maxKept)
        let response = links.response(to: request, variant, &buffer)
        // Loops share images.
        guard let response, response.kind != .image else { return response }
        let text = Array(request.host) + [LinkCache.separator] + Array(target)
        cache.keep(response, LinkCache.Key(links: identity, variant: variant, text: text), hash)
        return response
    }

    /// Lends the value of all fields of a name, joined as RFC 9110, section 5.3, says.
    private static func withValue<Result>(
        of name: StaticString, _ head: RequestHead, _ bytes: UnsafeBufferPointer<UInt8>,
        _ fields: UnsafeMutablePointer<Range<Int>>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let values = head.values(of: name, in: bytes.span, to: fields)
        if values.count <= 1 {
            return body(UnsafeBufferPointer(rebasing: bytes[values.first ?? 0..<0]))
        }
        let joined = Array(values.map { bytes[$0] }.joined(separator: [UInt8(ascii: ",")]))
        return joined.withUnsafeBufferPointer(body)
    }
}

/// An answer by links and pages, as it is sent.
struct LinkReply {
    let message: PreparedMessage
    let status: LinkStatus
    let kind: LinkAnswerKind
    /// The object that keeps the message; nil if that lives as long as the server.
    let response: LinkResponse?

    /// - Parameter response: nil for the plain 404.
    init(
        _ response: LinkResponse?, _ head: RequestHead, in bytes: UnsafeBufferPointer<UInt8>,
        _ standard: StandardResponses.View, now: Int64
    ) {
        guard let response else {
            self.init(message: standard.notFound.message, status: .notFound, kind: .notFound, response: nil)
            return
        }
        var (message, status) = (response.message, response.status)
        if head.hasConditions, let notModified = response.notModified {
            let precondition = response.entityTag.withUnsafeBufferPointer {
                Precondition.evaluate(head, in: bytes.span, entityTag: $0.span, lastModified: nil, now: now)
            }
            switch precondition {
            case .passed: break
            case .notModified: (message, status) = (notModified, .notModified)
            case .failed: (message, status) = (standard.preconditionFailed.message, .preconditionFailed)
            }
        }
        self.init(message: message, status: status, kind: response.kind, response: response)
    }

    private init(message: PreparedMessage, status: LinkStatus, kind: LinkAnswerKind, response: LinkResponse?) {
        (self.message, self.status, self.kind, self.response) = (message, status, kind, response)
    }

    var owner: UnsafeRawPointer? {
        response.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    }

    /// The bytes that nobody may keep but who sends it: the cache forgets, but images are those of the site.
    var held: Int { response == nil || kind == .image ? 0 : message.longestHead &+ message.bodyCount }
}

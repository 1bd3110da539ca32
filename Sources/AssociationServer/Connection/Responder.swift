internal import HTTP1

/// What to answer a request with (server.md, sections 2 and 3): a pure function of request, sites and certificate.
struct Responder: BitwiseCopyable {
    static let wellKnownPath: StaticString = "/.well-known/apple-app-site-association"
    static let rootPath: StaticString = "/apple-app-site-association"

    struct Reply: BitwiseCopyable {
        let response: PreparedResponse
        /// Keeps the response's memory; `nil` for those that live as long as the server.
        var file: Unmanaged<PublishedFile>?
        /// `false` for HEAD.
        let sendsBody: Bool
        let connection: PreparedResponse.ConnectionField

        var closes: Bool { if case .close = connection { true } else { false } }
    }

    let standard: StandardResponses.View

    /// - Parameters:
    ///   - head: of the request whose bytes are at the beginning of `bytes`.
    ///   - sites: those of now; the reply may point into them.
    ///   - covered: the names that the connection's certificate covers.
    ///   - serverName: of the handshake, for a request that names no host; `nil` if there was none.
    ///   - scratch: `HostKey.scratchCount` bytes.
    ///   - now: seconds since 1970.
    ///   - mustClose: whether this is to be the connection's last answer in any case.
    func reply(
        to head: RequestHead, in bytes: Span<UInt8>, sites: SiteTable.View, covered: HostTable.View,
        serverName: HostKey?, scratch: UnsafeMutablePointer<UInt8>, now: Int64, mustClose: Bool
    ) -> Reply {
        let (response, file) = choose(head, bytes, sites, covered, serverName, scratch, now)
        let sendsBody = if case .head = head.method { false } else { true }
        return Reply(
            response: response, file: file, sendsBody: sendsBody,
            connection: connection(head, response.status, mustClose: mustClose || head.announcesBody))
    }

    // Enums of other modules are compared by switch: `==` would be a generic call.

    private func connection(
        _ head: RequestHead, _ status: Status, mustClose: Bool
    ) -> PreparedResponse.ConnectionField {
        if mustClose { return .close }
        if case .badRequest = status { return .close }
        return switch head.persistence {
        case .no: .close
        case .asked: .keepAlive
        case .byDefault: .none
        }
    }

    /// The answer to bytes that are no request we take; it closes.
    func refusal(_ status: Status, of bytes: Span<UInt8>) -> Reply {
        Reply(response: standard.refusal(status), sendsBody: !RequestParser.isHead(bytes), connection: .close)
    }

    private func choose(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ sites: SiteTable.View, _ covered: HostTable.View,
        _ serverName: HostKey?, _ scratch: UnsafeMutablePointer<UInt8>, _ now: Int64
    ) -> (PreparedResponse, Unmanaged<PublishedFile>?) {
        if case .other = head.method { return (standard.methodNotAllowed, nil) }
        if case .unsupported = head.target { return (standard.badRequest, nil) }
        if head.hasUnknownExpectation { return (standard.expectationFailed, nil) }
        guard let host = host(head, bytes, scratch) ?? serverName else { return (standard.badRequest, nil) }
        if !covered.contains(host) { return (standard.misdirectedRequest, nil) }
        guard let site = sites.find(host), head.isExpectedLine || isServed(head.path, bytes) else {
            return (standard.notFound, nil)
        }
        guard let found = site.pointee.found, let notModified = site.pointee.notModified,
            let entityTag = site.pointee.entityTag
        else { return (standard.unavailable, nil) }
        guard head.hasConditions else { return (found, site.pointee.file) }
        let precondition = Precondition.evaluate(
            head, in: bytes,
            entityTag: UnsafeBufferPointer(start: entityTag, count: PublishedFile.entityTagCount).span,
            lastModified: site.pointee.lastModified, now: now)
        switch precondition {
        case .passed: return (found, site.pointee.file)
        case .notModified: return (notModified, site.pointee.file)
        case .failed: return (standard.preconditionFailed, nil)
        }
    }

    private func isServed(_ path: RequestHead.Slice, _ bytes: Span<UInt8>) -> Bool {
        KnownPath.matches(path, of: bytes, Self.wellKnownPath)
            || KnownPath.matches(path, of: bytes, Self.rootPath)
    }

    @inline(__always)
    private func host(_ head: RequestHead, _ bytes: Span<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>) -> HostKey? {
        bytes.extracting(head.host.range).withUnsafeBufferPointer { HostKey($0, scratch: scratch) }
    }
}

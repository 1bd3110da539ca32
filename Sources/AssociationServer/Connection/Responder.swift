package import HTTP1

/// The answer to a request (server.md, sections 2 and 3): a pure function of request, sites and certificate.
package struct Responder: BitwiseCopyable {
    static let wellKnownPath: StaticString = "/.well-known/apple-app-site-association"
    static let rootPath: StaticString = "/apple-app-site-association"

    package static let noSite: Int32 = -1

    package struct Reply: BitwiseCopyable {
        package let response: PreparedResponse
        /// Keeps the response's memory; `nil` for those that live as long as the server.
        var file: Unmanaged<PublishedFile>?
        /// `false` for HEAD.
        package let sendsBody: Bool
        package let connection: PreparedResponse.ConnectionField
        /// The number of the site that was asked; −1 if none of ours was, or not over a connection that may.
        package var site: Int32 = Responder.noSite

        package var closes: Bool { if case .close = connection { true } else { false } }
    }

    /// The answer to a request over HTTPS.
    package enum Answer: BitwiseCopyable {
        case reply(Reply)
        /// Other paths than those of association files: the links and pages of the site answer.
        case links(LinkQuestion)
    }

    let standard: StandardResponses.View

    package init(standard: StandardResponses.View) { self.standard = standard }

    /// - Parameters:
    ///   - head: of the request whose bytes are at the beginning of `bytes`.
    ///   - sites: those of now; the reply may point into them.
    ///   - covered: the names that the connection's certificate covers.
    ///   - serverName: of the handshake, for a request that names no host; `nil` if there was none.
    ///   - scratch: `HostKey.scratchCount` bytes.
    ///   - now: seconds since 1970.
    ///   - mustClose: whether this is to be the connection's last answer in any case.
    package func answer(
        to head: RequestHead, in bytes: Span<UInt8>, sites: SiteTable.View, covered: HostTable.View,
        serverName: HostKey?, scratch: UnsafeMutablePointer<UInt8>, now: Int64, mustClose: Bool
    ) -> Answer {
        let mustClose = mustClose || head.announcesBody
        switch choose(head, bytes, sites, covered, serverName, scratch, now) {
        case .found(let choice): return .reply(reply(to: head, choice, mustClose: mustClose))
        case .missed(let host, let site):
            guard let question = question(head, bytes, sites, host, site, mustClose: mustClose) else {
                let choice = Choice(response: standard.notFound, site: site.pointee.number)
                return .reply(reply(to: head, choice, mustClose: mustClose))
            }
            return .links(question)
        }
    }

    /// The question to the links and pages of a site; nil where it has none, and for association files and what is near
    /// them.
    @inline(never)
    private func question(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ sites: SiteTable.View, _ host: HostKey,
        _ site: UnsafePointer<SiteTable.Entry>, mustClose: Bool
    ) -> LinkQuestion? {
        guard site.pointee.links != nil, case .other(let path) = PlainPath(head, in: bytes, sites) else { return nil }
        return question(head, path, host, site, mustClose: mustClose)
    }

    func question(
        _ head: RequestHead, _ path: OtherPath, _ host: HostKey, _ site: UnsafePointer<SiteTable.Entry>,
        mustClose: Bool
    ) -> LinkQuestion? {
        site.pointee.links.flatMap {
            LinkQuestion(
                path, links: $0, host: host, site: site.pointee.number, sendsBody: sendsBody(head),
                connection: connection(head, closes: mustClose))
        }
    }

    @inline(__always)
    func reply(to head: RequestHead, _ choice: Choice, mustClose: Bool) -> Reply {
        let isBadRequest = if case .badRequest = choice.response.status { true } else { false }
        return Reply(
            response: choice.response, file: choice.file, sendsBody: sendsBody(head),
            connection: connection(head, closes: mustClose || isBadRequest), site: choice.site)
    }

    // Enums of other modules are compared by switch: `==` would be a generic call.

    @inline(__always)
    func sendsBody(_ head: RequestHead) -> Bool { if case .head = head.method { false } else { true } }

    @inline(__always)
    func connection(_ head: RequestHead, closes: Bool) -> PreparedResponse.ConnectionField {
        if closes { return .close }
        return switch head.persistence {
        case .no: .close
        case .asked: .keepAlive
        case .byDefault: .none
        }
    }

    /// The answer to bytes that are not an acceptable request; it closes.
    package func refusal(_ status: Status, of bytes: Span<UInt8>) -> Reply {
        Reply(response: standard.refusal(status), sendsBody: !RequestParser.isHead(bytes), connection: .close)
    }

    struct Choice: BitwiseCopyable {
        let response: PreparedResponse
        var file: Unmanaged<PublishedFile>?
        var site = Responder.noSite
    }

    private enum Decision: BitwiseCopyable {
        case found(Choice)
        /// The path is not that of a file.
        case missed(HostKey, UnsafePointer<SiteTable.Entry>)
    }

    @inline(__always)
    private func choose(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ sites: SiteTable.View, _ covered: HostTable.View,
        _ serverName: HostKey?, _ scratch: UnsafeMutablePointer<UInt8>, _ now: Int64
    ) -> Decision {
        if case .other = head.method {
            let site = site(head, bytes, sites, covered, serverName, scratch)
            return .found(Choice(response: standard.methodNotAllowed, site: site))
        }
        switch head.target {
        case .unsupported, .absoluteInClear: return .found(Choice(response: standard.badRequest))
        case .origin, .absolute: break
        }
        if head.hasUnknownExpectation {
            let site = site(head, bytes, sites, covered, serverName, scratch)
            return .found(Choice(response: standard.expectationFailed, site: site))
        }
        guard let host = host(head, bytes, scratch) ?? serverName else {
            return .found(Choice(response: standard.badRequest))
        }
        if !covered.contains(host) { return .found(Choice(response: standard.misdirectedRequest)) }
        guard let site = sites.find(host) else { return .found(Choice(response: standard.notFound)) }
        if head.isExpectedLine || Self.isAssociation(head.path, bytes) {
            return .found(association(.apple, of: site, head, bytes, now))
        }
        guard let index = sites.paths.find(head.path, in: bytes) else { return .missed(host, site) }
        return .found(association(.wellKnown(index), of: site, head, bytes, now))
    }

    /// The answer of a site for the path of an association file, over HTTPS or not.
    @inline(__always)
    func association(
        _ path: AssociationPath, of site: UnsafePointer<SiteTable.Entry>, _ head: RequestHead, _ bytes: Span<UInt8>,
        _ now: Int64
    ) -> Choice {
        let number = site.pointee.number
        switch path {
        case .apple:
            guard let file = site.pointee.association else {
                let isMissing = !site.pointee.hasAssociation
                return Choice(response: isMissing ? standard.notFound : standard.unavailable, site: number)
            }
            return serve(file, of: number, head, bytes, now)
        case .wellKnown(let index):
            switch site.pointee.other(index) {
            case .none: return Choice(response: standard.notFound, site: number)
            case .faulty: return Choice(response: standard.unavailable, site: number)
            case .served(let file): return serve(file, of: number, head, bytes, now)
            }
        }
    }

    @inline(__always)
    private func serve(
        _ file: ServedFile, of site: Int32, _ head: RequestHead, _ bytes: Span<UInt8>, _ now: Int64
    ) -> Choice {
        guard head.hasConditions else { return Choice(response: file.found, file: file.file, site: site) }
        let precondition = Precondition.evaluate(
            head, in: bytes,
            entityTag: UnsafeBufferPointer(start: file.entityTag, count: PublishedFile.entityTagCount).span,
            lastModified: file.lastModified, now: now)
        switch precondition {
        case .passed: return Choice(response: file.found, file: file.file, site: site)
        case .notModified: return Choice(response: file.notModified, file: file.file, site: site)
        case .failed: return Choice(response: standard.preconditionFailed, site: site)
        }
    }

    /// The site of a request that is refused whatever it asks for.
    @inline(never)
    private func site(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ sites: SiteTable.View, _ covered: HostTable.View,
        _ serverName: HostKey?, _ scratch: UnsafeMutablePointer<UInt8>
    ) -> Int32 {
        guard let host = host(head, bytes, scratch) ?? serverName, covered.contains(host),
            let site = sites.find(host)
        else { return Self.noSite }
        return site.pointee.number
    }

    static func isAssociation(_ path: RequestHead.Slice, _ bytes: Span<UInt8>) -> Bool {
        KnownPath.matches(path, of: bytes, wellKnownPath) || KnownPath.matches(path, of: bytes, rootPath)
    }

    @inline(__always)
    func host(_ head: RequestHead, _ bytes: Span<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>) -> HostKey? {
        bytes.extracting(head.host.range).withUnsafeBufferPointer { HostKey($0, scratch: scratch) }
    }
}

/// The answers that do not depend on a site; made once for a server.
package final class StandardResponses: @unchecked Sendable {
    package struct View: BitwiseCopyable {
        let badRequest: PreparedResponse
        let notFound: PreparedResponse
        let methodNotAllowed: PreparedResponse
        let requestTimeout: PreparedResponse
        let preconditionFailed: PreparedResponse
        let uriTooLong: PreparedResponse
        let expectationFailed: PreparedResponse
        let misdirectedRequest: PreparedResponse
        let fieldsTooLarge: PreparedResponse
        let unavailable: PreparedResponse
        let versionNotSupported: PreparedResponse
        /// The answer to a client that speaks HTTP on the TLS port.
        let speaksHTTPS: PreparedResponse
        /// The answers of `/healthz` and `/readyz` at plain listeners.
        let alive: PreparedResponse
        let ready: PreparedResponse
        let unhealthy: PreparedResponse

        /// The answer to a request that was refused for its form.
        func refusal(_ status: Status) -> PreparedResponse {
            switch status {
            case .uriTooLong: uriTooLong
            case .requestHeaderFieldsTooLarge: fieldsTooLarge
            case .httpVersionNotSupported: versionNotSupported
            case .requestTimeout: requestTimeout
            default: badRequest
            }
        }
    }

    package let view: View

    package init() {
        view = View(
            badRequest: .allocateError(.badRequest, text: "bad request"),
            notFound: .allocateError(.notFound, text: "not found"),
            methodNotAllowed: .allocateError(
                .methodNotAllowed, text: "method not allowed", extra: [(.allow, "GET, HEAD")]),
            requestTimeout: .allocateError(.requestTimeout, text: "request timeout"),
            preconditionFailed: .allocateError(.preconditionFailed, text: "precondition failed"),
            uriTooLong: .allocateError(.uriTooLong, text: "request line too long"),
            expectationFailed: .allocateError(.expectationFailed, text: "expectation failed"),
            misdirectedRequest: .allocateError(
                .misdirectedRequest, text: "this connection's certificate does not cover that host"),
            fieldsTooLarge: .allocateError(.requestHeaderFieldsTooLarge, text: "request head too large"),
            unavailable: .allocateError(
                .serviceUnavailable, text: "the file of this site has errors", extra: [(.retryAfter, "300")]),
            versionNotSupported: .allocateError(.httpVersionNotSupported, text: "HTTP version not supported"),
            speaksHTTPS: .allocateError(.badRequest, text: "this port speaks HTTPS"),
            alive: Self.health(.ok, text: "ok"), ready: Self.health(.ok, text: "ready"),
            unhealthy: Self.health(.serviceUnavailable, text: "unavailable"))
    }

    private static func health(_ status: Status, text: String) -> PreparedResponse {
        .allocate(
            status, fields: [(.contentType, "text/plain; charset=utf-8"), (.cacheControl, "no-store")],
            body: Array("\(text)\n".utf8))
    }

    deinit {
        for response in [
            view.badRequest, view.notFound, view.methodNotAllowed, view.requestTimeout, view.preconditionFailed,
            view.uriTooLong, view.expectationFailed, view.misdirectedRequest, view.fieldsTooLarge, view.unavailable,
            view.versionNotSupported, view.speaksHTTPS, view.alive, view.ready, view.unhealthy,
        ] {
            response.deallocate()
        }
    }
}

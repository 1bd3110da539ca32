internal import DomainNames
package import HTTP1

/// The kind of a path that is not known to be that of a file (docs/spec/deploy.md, A5, and server.md, section 2).
///
/// The types keep redirects away from association files. An `AssociationPath` is answered with a `PreparedResponse`,
/// whose `Status` has no redirect. A `RedirectResponse` and a `LinkQuestion`, whose answer may be one, are made of an
/// `OtherPath`, and only this file makes those.
package enum PlainPath: BitwiseCopyable {
    case association(AssociationPath)
    /// Below `/.well-known/acme-challenge/`.
    case acmeChallenge
    /// So near to association files that a redirect would mislead.
    case reserved
    case other(OtherPath)

    private static let androidPath: StaticString = "/assetlinks.json"

    /// - Parameters:
    ///   - head: its target has a path.
    ///   - bytes: those that the head was read from.
    package init(_ head: RequestHead, in bytes: Span<UInt8>, _ sites: SiteTable.View) {
        let path = head.path
        if head.isExpectedLine || Responder.isAssociation(path, bytes) {
            self = .association(.apple)
        } else if let index = sites.paths.find(path, in: bytes) {
            self = .association(.wellKnown(index))
        } else if KnownPath.begins(path, of: bytes, with: PendingChallenges.folder) {
            self = .acmeChallenge
        } else if KnownPath.begins(path, of: bytes, with: WellKnownPaths.folder)
            || KnownPath.begins(path, of: bytes, with: Responder.rootPath)
            || KnownPath.begins(path, of: bytes, with: Self.androidPath)
        {
            self = .reserved
        } else {
            self = .other(OtherPath(target: head.pathAndQuery(in: bytes)))
        }
    }
}

/// The path of an association file, or of another file below `/.well-known/` that some site has.
package enum AssociationPath: BitwiseCopyable {
    case apple
    /// The index among those paths.
    case wellKnown(Int)
}

/// A path at which no site has an association file. Only `PlainPath` makes one: the initializer is of this file, too.
package struct OtherPath: BitwiseCopyable {
    /// Path and query, as they were sent.
    fileprivate let target: RequestHead.Slice
}

/// A request that the links and pages of a site answer.
///
/// It borrows the memory of its host and of the table of sites.
package struct LinkQuestion: BitwiseCopyable {
    /// Path and query, as they were sent.
    let target: RequestHead.Slice
    let links: Unmanaged<SiteLinks>
    let host: HostKey
    /// The number of the site that was asked.
    package let site: Int32
    /// `false` for HEAD.
    package let sendsBody: Bool
    package let connection: PreparedResponse.ConnectionField

    var closes: Bool { if case .close = connection { true } else { false } }

    /// - Returns: `nil` for a host with other characters than names of hosts have; a wildcard covers those, too.
    init?(
        _ path: OtherPath, links: Unmanaged<SiteLinks>, host: HostKey, site: Int32, sendsBody: Bool,
        connection: PreparedResponse.ConnectionField
    ) {
        guard host.isName else { return nil }
        target = path.target
        (self.links, self.host, self.site) = (links, host, site)
        (self.sendsBody, self.connection) = (sendsBody, connection)
    }
}

/// A redirect to the same target in HTTPS.
///
/// It borrows the memory of its host and of its request.
package struct RedirectResponse: BitwiseCopyable {
    package static let statusCode: UInt16 = 308
    /// The status code of a redirect as a label of metrics.
    static let code = "308"

    private static let statusLine: StaticString = "HTTP/1.1 308 Permanent Redirect\r\nDate: "
    private static let location: StaticString = "\r\nLocation: https://"
    /// Behind a proxy the answer depends on the scheme that the proxy names, of which a shared cache knows nothing.
    private static let fields: StaticString = """
        \r\nContent-Type: text/plain\r\nCache-Control: private, max-age=3600\r\nX-Content-Type-Options: nosniff\r\n\
        Content-Length: 27\r\n
        """
    private static let body: StaticString = "moved permanently to https\n"

    /// An upper bound for what `write` writes: a target is no longer than its request line, and one slash may come
    /// before it.
    package static let longest = 1_024 + RequestParser.longestRequestLine

    /// The number of the site that was asked.
    package let site: Int32
    /// `false` for HEAD.
    package let sendsBody: Bool
    package let connection: PreparedResponse.ConnectionField
    private let host: UnsafeBufferPointer<UInt8>
    private let target: UnsafeBufferPointer<UInt8>

    package var closes: Bool { if case .close = connection { true } else { false } }
    package var bodyCount: Int { sendsBody ? Self.body.utf8CodeUnitCount : 0 }

    /// - Parameters:
    ///   - host: without port and trailing dot.
    ///   - bytes: those of the request.
    /// - Returns: `nil` for a host with other characters than names of hosts have; a wildcard covers those, too.
    package init?(
        _ path: OtherPath, host: HostKey, in bytes: UnsafeBufferPointer<UInt8>, site: Int32, sendsBody: Bool,
        connection: PreparedResponse.ConnectionField
    ) {
        self.host = UnsafeBufferPointer(start: host.bytes, count: host.count)
        target = UnsafeBufferPointer(rebasing: bytes[path.target.range])
        self.site = site
        self.sendsBody = sendsBody
        self.connection = connection
        guard host.isName else { return nil }
    }

    /// Writes head and body.
    ///
    /// - Parameters:
    ///   - output: has room for `longest` bytes.
    ///   - date: 29 bytes, as `HTTPDate.write` makes them.
    /// - Returns: how many bytes were written.
    package func write(to output: UnsafeMutablePointer<UInt8>, date: UnsafePointer<UInt8>) -> Int {
        var cursor = LineCursor(next: output)
        cursor.put(Self.statusLine)
        cursor.put(UnsafeBufferPointer(start: date, count: HTTPDate.count))
        cursor.put(Self.location)
        cursor.put(host)
        // `https://host?query` has an empty path, which is the same as a slash (RFC 9110, section 4.2.3).
        if target.first != UInt8(ascii: "/") { cursor.put(UInt8(ascii: "/")) }
        cursor.put(target)
        cursor.put(Self.fields)
        cursor.put(connection.line)
        cursor.put("\r\n")
        if sendsBody { cursor.put(Self.body) }
        return cursor.next - output
    }
}

extension LineCursor {
    fileprivate mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        next.initialize(from: start, count: bytes.count)
        next += bytes.count
    }
}

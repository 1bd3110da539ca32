internal import BoundedText
package import HTTP1

/// A request to the console or its API: what of its head decides about it, and its body.
package struct ConsoleRequest: Sendable {
    /// As it was sent; methods are case-sensitive.
    package let method: String
    /// The path below the base, such as `console/`, as it was sent: nothing is decoded.
    package let path: String
    /// The query without its question mark; nil if there is none.
    package let query: String?
    /// The authority of the target, or else the value of `Host`, which may have a port; nil if there is neither.
    package let host: String?
    package let origin: String?
    package let fetchSite: String?
    package let fetchMode: String?
    package let fetchDestination: String?
    package let contentType: String?
    package let accept: String?
    package let ifNoneMatch: String?
    package let contentLength: String?
    package let hasTransferEncoding: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    package let expectsContinue: Bool
    /// Empty until it is read.
    package var body: [UInt8] = []

    package var isHead: Bool { method == "HEAD" }

    /// Whether the client asks for HTML, as browsers do.
    package var prefersPage: Bool { accept?.lowercased().contains("text/html") ?? false }

    /// Whether the path is one of the console or its API, existing or not.
    package var isForConsole: Bool {
        path == "console" || path.hasPrefix("console/") || path.hasPrefix("api/")
    }

    /// Takes from a head what the rules of the console need.
    ///
    /// - Parameters:
    ///   - bytes: Those that the head was read from.
    ///   - base: The path that all others are below, with a slash at both ends. It is compared in constant time, since it may
    ///     have a secret in it.
    /// - Returns: Nil if the target is not a path below the base.
    package init?(_ head: RequestHead, in bytes: Span<UInt8>, below base: String = "/") {
        let prefix = Array(base.utf8)
        let target = head.path.range
        guard head.target != .unsupported, target.count >= prefix.count else { return nil }
        var difference: UInt8 = 0
        for (offset, byte) in prefix.enumerated() {
            difference |= bytes[target.lowerBound + offset] ^ byte
        }
        guard difference == 0 else { return nil }
        let line = RequestHead.requestLine(in: bytes)
        method = bytes.text(line.method.range)
        path = bytes.text(target.dropFirst(prefix.count))
        query = head.query(in: bytes).map { bytes.text($0.range) }
        host =
            switch head.target {
            case .absolute: bytes.text(Int(line.target.start) + "https://".utf8.count..<target.lowerBound)
            case .absoluteInClear:
                bytes.text(Int(line.target.start) + "http://".utf8.count..<target.lowerBound)
            case .origin, .unsupported: head.text(of: "host", in: bytes)
            }
        origin = head.text(of: "origin", in: bytes)
        fetchSite = head.text(of: "sec-fetch-site", in: bytes)
        fetchMode = head.text(of: "sec-fetch-mode", in: bytes)
        fetchDestination = head.text(of: "sec-fetch-dest", in: bytes)
        contentType = head.text(of: "content-type", in: bytes)
        accept = head.text(of: "accept", in: bytes)
        ifNoneMatch = head.text(of: "if-none-match", in: bytes)
        contentLength = head.text(of: "content-length", in: bytes)
        hasTransferEncoding = head.text(of: "transfer-encoding", in: bytes) != nil
        expectsContinue = head.text(of: "expect", in: bytes)?.lowercased() == "100-continue"
    }
}

extension RequestHead {
    /// The value of a field; a field that is sent twice has both values, so that it equals neither.
    ///
    /// - Parameter name: In lowercase.
    fileprivate func text(of name: StaticString, in bytes: Span<UInt8>) -> String? {
        let found = UnsafeMutablePointer<Range<Int>>.allocate(capacity: RequestParser.maxFields)
        defer { found.deallocate() }
        var text: String?
        for range in values(of: name, in: bytes, to: found) {
            text = (text.map { "\($0), " } ?? "") + bytes.text(range)
        }
        return text
    }
}

extension Span<UInt8> {
    fileprivate func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(text: $0) }
    }
}

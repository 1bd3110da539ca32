internal import BoundedText

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

    /// Whether a path below the base is one of the console or its API, existing or not.
    package static func isBelow(_ path: String) -> Bool { path.hasPrefix("console/") || path.hasPrefix("api/") }

    /// Reads a head that `RequestParser` has accepted; it keeps less of a request than the rules here need.
    ///
    /// - Parameters:
    ///   - head: From the request line to the empty line.
    ///   - base: The path that all others are below, with a slash at both ends. It is compared in constant time, since it may
    ///     have a secret in it.
    /// - Returns: Nil if the target is not a path below the base.
    package init?(head: some Sequence<UInt8>, base: String = "/") {
        var lines = Self.lines(Array(head))[...]
        // One empty line may come before the request line (RFC 9112, section 2.2).
        if lines.first?.isEmpty == true { lines = lines.dropFirst() }
        guard let line = lines.popFirst() else { return nil }
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, let target = Target(words[1], below: base) else { return nil }
        var fields = Fields()
        for line in lines { fields.add(line) }
        method = Self.text(words[0])
        path = target.path
        query = target.query
        host = target.authority ?? fields["host"]
        origin = fields["origin"]
        fetchSite = fields["sec-fetch-site"]
        fetchMode = fields["sec-fetch-mode"]
        fetchDestination = fields["sec-fetch-dest"]
        contentType = fields["content-type"]
        accept = fields["accept"]
        ifNoneMatch = fields["if-none-match"]
        contentLength = fields["content-length"]
        hasTransferEncoding = fields["transfer-encoding"] != nil
        expectsContinue = fields["expect"]?.lowercased() == "100-continue"
    }

    private static func lines(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
        head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
    }

    fileprivate static func text(_ bytes: ArraySlice<UInt8>) -> String { String(text: bytes) }

    /// The fields that decide something; one that is sent twice has both values, so that it equals neither.
    private struct Fields {
        private static let names: Set = [
            "host", "origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "content-type", "accept",
            "if-none-match", "content-length", "transfer-encoding", "expect",
        ]

        private var values: [String: String] = [:]

        subscript(name: String) -> String? { values[name] }

        mutating func add(_ line: ArraySlice<UInt8>) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
            let name = ConsoleRequest.text(line[..<colon]).lowercased()
            guard Self.names.contains(name) else { return }
            var value = line[line.index(after: colon)...]
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            while let first = value.first, isBlank(first) { value = value.dropFirst() }
            while let last = value.last, isBlank(last) { value = value.dropLast() }
            let text = ConsoleRequest.text(value)
            values[name] = values[name].map { "\($0), \(text)" } ?? text
        }
    }

    /// The target of the request line (RFC 9112, section 3.2): a path, or a URL in front of one.
    private struct Target {
        let authority: String?
        let path: String
        let query: String?

        init?(_ target: ArraySlice<UInt8>, below base: String) {
            var rest = target
            authority = Self.takeAuthority(&rest)
            let mark = rest.firstIndex(of: UInt8(ascii: "?"))
            let path = rest[..<(mark ?? rest.endIndex)]
            let base = Array(base.utf8)
            let start = Array(path.prefix(base.count))
            var difference = UInt8(start.count == base.count ? 0 : 1)
            for index in start.indices { difference |= start[index] ^ base[index] }
            guard difference == 0 else { return nil }
            self.path = ConsoleRequest.text(path.dropFirst(base.count))
            query = mark.map { ConsoleRequest.text(rest[rest.index(after: $0)...]) }
        }

        private static func takeAuthority(_ rest: inout ArraySlice<UInt8>) -> String? {
            guard rest.first != UInt8(ascii: "/") else { return nil }
            for scheme in ["http://", "https://"] {
                let start = ConsoleRequest.text(rest.prefix(scheme.utf8.count)).lowercased()
                guard start == scheme else { continue }
                rest = rest.dropFirst(scheme.utf8.count)
                let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
                defer { rest = rest[end...] }
                return ConsoleRequest.text(rest[..<end])
            }
            return nil
        }
    }
}

/// Reads one request head (RFC 9112), strictly, without keeping anything between calls.
///
/// It refuses whatever it does not understand to the byte: a message that two parsers read in two ways is how requests
/// are smuggled.
package enum RequestParser {
    /// The largest number of bytes in a request line, without its line end.
    @inlinable package static var longestRequestLine: Int { 4_096 }
    /// The largest number of bytes in a head, request line and empty line included.
    @inlinable package static var longestHead: Int { 8_192 }
    @inlinable package static var maxFields: Int { 100 }

    package enum Result: Equatable, Sendable {
        /// More bytes are needed. Never the answer once a limit is passed.
        case incomplete
        case request(RequestHead)
        /// Answer with this status, then close.
        case refused(Status)
    }

    /// Whether the bytes begin with a HEAD request, whatever else is wrong with them.
    package static func isHead(_ bytes: Span<UInt8>) -> Bool {
        let method: StaticString = "HEAD "
        let start = bytes.count >= 2 && bytes[0] == Characters.carriageReturn ? 2 : 0
        guard bytes.count &- start >= 5 else { return false }
        for offset in 0..<5 where bytes[start &+ offset] != method.utf8Start[offset] { return false }
        return true
    }

    /// Reads the head at the beginning of `bytes`; what follows it is not looked at.
    package static func parse(_ bytes: Span<UInt8>) -> Result {
        var parser = HeadParser(start: 0)
        switch parser.readHead(bytes) {
        case .done: return .request(parser.head)
        case .incomplete:
            return bytes.count &- parser.skipped > longestHead ? .refused(.requestHeaderFieldsTooLarge) : .incomplete
        case .refused(let status): return .refused(status)
        }
    }

    /// Whether parsing can find more than it did when there were only `seen` bytes: a line has ended since, a limit may
    /// have been passed, or the first byte is none of a request, as in a client hello.
    ///
    /// Who parses only then spends time in proportion to what is sent, however small the pieces are.
    @inline(__always)
    package static func mayDecide(_ bytes: UnsafeBufferPointer<UInt8>, seen: Int) -> Bool {
        if isPassed(longestRequestLine, seen, bytes.count) || isPassed(longestHead, seen, bytes.count) { return true }
        for index in seen..<bytes.count where bytes[index] == Characters.lineFeed { return true }
        guard seen == 0, let first = bytes.first else { return false }
        return !Characters.isToken(first) && first != Characters.carriageReturn
    }

    /// An empty line before the head, and a CR whose line feed has not come, move a limit by as many bytes.
    private static let limitSlack = 4

    @inline(__always)
    private static func isPassed(_ limit: Int, _ seen: Int, _ count: Int) -> Bool {
        count > limit && seen < limit &+ limitSlack && seen < count
    }
}

private struct HeadParser: ~Copyable {
    enum Step {
        case done, incomplete
        case refused(Status)
    }

    var head = RequestHead()
    private var index: Int
    /// The length of the empty line before the head.
    private(set) var skipped = 0
    private var isVersion10 = false
    private var hosts = 0
    private var contentLengths = 0
    private var hasTransferEncoding = false

    init(start: Int) { index = start }

    mutating func readHead(_ bytes: Span<UInt8>) -> Step {
        switch readRequestLine(bytes) {
        case .done: break
        case let other: return other
        }
        head.fields = UInt16(truncatingIfNeeded: index)
        var fields = 0
        while true {
            switch FieldLine.read(bytes, at: index) {
            case .line(let line):
                fields &+= 1
                index = line.end
                guard fields <= RequestParser.maxFields, index &- skipped <= RequestParser.longestHead else {
                    return .refused(.requestHeaderFieldsTooLarge)
                }
                guard process(line, of: bytes) else { return .refused(.badRequest) }
            case .endOfHead(let end):
                guard end &- skipped <= RequestParser.longestHead else { return .refused(.requestHeaderFieldsTooLarge) }
                head.count = UInt16(truncatingIfNeeded: end)
                return finish()
            case .incomplete: return .incomplete
            case .malformed: return .refused(.badRequest)
            }
        }
    }

    private mutating func readRequestLine(_ bytes: Span<UInt8>) -> Step {
        guard skipEmptyLine(bytes) else { return .refused(.badRequest) }
        let start = index
        let step = readExpectedLine(bytes) ? .done : readAnyLine(bytes)
        // Without its line end, or what has come of it.
        var end = index > start ? index &- 2 : bytes.count
        if index == start, end > start, bytes[end &- 1] == Characters.carriageReturn { end &-= 1 }
        let length = end &- start
        switch step {
        case .incomplete where length > RequestParser.longestRequestLine: return .refused(.uriTooLong)
        case .done where length > RequestParser.longestRequestLine: return .refused(.uriTooLong)
        default: return step
        }
    }

    /// One CRLF before a request line is skipped (RFC 9112, 2.2).
    private mutating func skipEmptyLine(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > index, bytes[index] == Characters.carriageReturn else { return true }
        guard bytes.count > index &+ 1 else { return true }
        guard bytes[index &+ 1] == Characters.lineFeed else { return false }
        index &+= 2
        skipped = 2
        return true
    }

    /// The one line that nearly all clients send, compared as a whole.
    @inline(__always)
    private mutating func readExpectedLine(_ bytes: Span<UInt8>) -> Bool {
        let line: StaticString = "GET /.well-known/apple-app-site-association HTTP/1.1\r\n"
        let count = line.utf8CodeUnitCount
        guard bytes.count &- index >= count else { return false }
        let expected = UnsafeRawPointer(line.utf8Start)
        // Eight bytes a step; the last step overlaps the one before.
        var offset = 0
        while offset < count {
            let start = min(offset, count &- 8)
            let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index &+ start, as: UInt64.self)
            if word != expected.loadUnaligned(fromByteOffset: start, as: UInt64.self) { return false }
            offset &+= 8
        }
        head.method = .get
        head.target = .origin
        head.isExpectedLine = true
        head.path = RequestHead.Slice(index &+ 4..<index &+ count &- 11)
        index &+= count
        return true
    }

    private mutating func readAnyLine(_ bytes: Span<UInt8>) -> Step {
        var end = index
        while end < bytes.count, Characters.isToken(bytes[end]) { end &+= 1 }
        let method = index..<end
        guard end < bytes.count else { return .incomplete }
        guard bytes[end] == Characters.space, !method.isEmpty else {
            return bytes[end] == Characters.carriageReturn && end &+ 1 == bytes.count && method.isEmpty
                ? .incomplete : .refused(.badRequest)
        }
        let targetEnd = Characters.endOfTarget(in: bytes.bytes, from: end &+ 1)
        let target = end &+ 1..<targetEnd
        guard targetEnd < bytes.count else { return .incomplete }
        guard bytes[targetEnd] == Characters.space, !target.isEmpty else { return .refused(.badRequest) }
        let versionEnd = targetEnd &+ 9
        guard versionEnd &+ 1 < bytes.count else {
            // A line that ended too early does not wait for more.
            for offset in targetEnd &+ 1..<bytes.count where bytes[offset] == Characters.lineFeed {
                return .refused(.badRequest)
            }
            return .incomplete
        }
        guard bytes[versionEnd] == Characters.carriageReturn, bytes[versionEnd &+ 1] == Characters.lineFeed else {
            return .refused(.badRequest)
        }
        switch version(bytes, at: targetEnd &+ 1) {
        case nil: return .refused(.badRequest)
        case (1, let minor)?: isVersion10 = minor == 0
        default: return .refused(.httpVersionNotSupported)
        }
        index = versionEnd &+ 2
        head.method = name(of: method, in: bytes)
        return split(target, of: bytes) ? .done : .refused(.badRequest)
    }

    private func version(_ bytes: Span<UInt8>, at start: Int) -> (major: UInt8, minor: UInt8)? {
        let name: StaticString = "HTTP/"
        for offset in 0..<5 where bytes[start &+ offset] != name.utf8Start[offset] { return nil }
        let (major, dot, minor) = (bytes[start &+ 5], bytes[start &+ 6], bytes[start &+ 7])
        guard Characters.isDigit(major), dot == UInt8(ascii: "."), Characters.isDigit(minor) else { return nil }
        return (major &- UInt8(ascii: "0"), minor &- UInt8(ascii: "0"))
    }

    /// Methods are case-sensitive (RFC 9110, 9.1).
    private func name(of method: Range<Int>, in bytes: Span<UInt8>) -> RequestHead.Method {
        let start = method.lowerBound
        if method.count == 3, bytes[start] == UInt8(ascii: "G"), bytes[start &+ 1] == UInt8(ascii: "E"),
            bytes[start &+ 2] == UInt8(ascii: "T")
        {
            return .get
        }
        if method.count == 4, bytes[start] == UInt8(ascii: "H"), bytes[start &+ 1] == UInt8(ascii: "E"),
            bytes[start &+ 2] == UInt8(ascii: "A"), bytes[start &+ 3] == UInt8(ascii: "D")
        {
            return .head
        }
        return .other
    }

    /// Finds the path in the target, and its host where it is absolute; `false` if there is a `#` in it.
    private mutating func split(_ target: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        for index in target where bytes[index] == UInt8(ascii: "#") { return false }
        var path = target
        if bytes[target.lowerBound] == Characters.slash {
            head.target = .origin
        } else if let start = endOfScheme(of: target, in: bytes) {
            var end = start
            while end < target.upperBound, bytes[end] != Characters.slash, bytes[end] != UInt8(ascii: "?") { end &+= 1 }
            guard let host = URIAuthority.host(in: bytes, range: start..<end) else { return true }
            head.target = start &- target.lowerBound == 8 ? .absolute : .absoluteInClear
            head.host = RequestHead.Slice(host)
            path = end..<target.upperBound
        } else {
            return true
        }
        for index in path where bytes[index] == UInt8(ascii: "?") {
            path = path.lowerBound..<index
            break
        }
        head.path = RequestHead.Slice(path)
        return true
    }

    /// Where the authority of an absolute target begins, if its scheme is `https` or `http`.
    private func endOfScheme(of target: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        let start = target.lowerBound
        if target.count > 8, bytes.matches("https://", in: start..<start &+ 8) { return start &+ 8 }
        if target.count > 7, bytes.matches("http://", in: start..<start &+ 7) { return start &+ 7 }
        return nil
    }

    /// Applies a field; `false` if its value is not allowed, or if it must not be there twice.
    private mutating func process(_ line: FieldLine, of bytes: Span<UInt8>) -> Bool {
        switch line.name.count {
        case 4 where bytes.matches("host", in: line.name):
            hosts &+= 1
            guard hosts == 1, let host = URIAuthority.host(in: bytes, range: line.value) else { return false }
            // The authority of an absolute target replaces it.
            switch head.target {
            case .origin, .unsupported: head.host = RequestHead.Slice(host)
            case .absolute, .absoluteInClear: break
            }
        case 6 where bytes.matches("expect", in: line.name):
            if !bytes.matches("100-continue", in: line.value) { head.hasUnknownExpectation = true }
        case 8 where bytes.matches("if-match", in: line.name), 13 where bytes.matches("if-none-match", in: line.name),
            17 where bytes.matches("if-modified-since", in: line.name),
            19 where bytes.matches("if-unmodified-since", in: line.name):
            head.hasConditions = true
        case 10 where bytes.matches("connection", in: line.name):
            processConnection(line.value, of: bytes)
        case 10 where bytes.matches("user-agent", in: line.name):
            head.userAgent = RequestHead.Slice(line.value)
        case 11 where bytes.matches("aasa-doctor", in: line.name):
            head.isFromDoctor = true
        case 14 where bytes.matches("content-length", in: line.name):
            contentLengths &+= 1
            guard contentLengths == 1, let length = contentLength(line.value, of: bytes) else { return false }
            if length > 0 { head.announcesBody = true }
        case 17 where bytes.matches("transfer-encoding", in: line.name):
            guard !hasTransferEncoding, !isVersion10, bytes.matches("chunked", in: line.value) else { return false }
            hasTransferEncoding = true
            head.announcesBody = true
        default: break
        }
        return true
    }

    private mutating func processConnection(_ value: Range<Int>, of bytes: Span<UInt8>) {
        var closes = false
        var keepsAlive = false
        bytes.forEachListElement(in: value) { option in
            if bytes.matches("close", in: option) { closes = true }
            if bytes.matches("keep-alive", in: option) { keepsAlive = true }
        }
        if closes {
            head.persistence = .no
        } else if keepsAlive, isVersion10, head.persistence != .no {
            head.persistence = .asked
        }
    }

    /// Digits only, below 2^63.
    private func contentLength(_ value: Range<Int>, of bytes: Span<UInt8>) -> Int? {
        guard !value.isEmpty else { return nil }
        var length = 0
        for index in value {
            guard Characters.isDigit(bytes[index]) else { return nil }
            let (product, tooLarge) = length.multipliedReportingOverflow(by: 10)
            let (sum, tooLargeToo) = product.addingReportingOverflow(Int(bytes[index] &- UInt8(ascii: "0")))
            guard !tooLarge, !tooLargeToo else { return nil }
            length = sum
        }
        return length
    }

    /// Judges what depends on all fields.
    private mutating func finish() -> Step {
        if hasTransferEncoding, contentLengths > 0 { return .refused(.badRequest) }
        if hosts == 0, !isVersion10 { return .refused(.badRequest) }
        if isVersion10, head.persistence == .byDefault { head.persistence = .no }
        head.isVersion10 = isVersion10
        return .done
    }
}

/// The `host[:port]` of a `Host` field or of an absolute target (RFC 3986, section 3.2).
enum URIAuthority {
    /// The host, without its port and without one trailing dot; `nil` if this is not an authority, is empty, or holds
    /// user information.
    static func host(in bytes: Span<UInt8>, range: Range<Int>) -> Range<Int>? {
        guard let end = endOfHost(in: bytes, range: range) else { return nil }
        guard isPort(bytes, end..<range.upperBound) else { return nil }
        var host = range.lowerBound..<end
        if let last = host.last, bytes[last] == UInt8(ascii: ".") { host = host.lowerBound..<last }
        return host.isEmpty || host.count > 255 ? nil : host
    }

    private static func endOfHost(in bytes: Span<UInt8>, range: Range<Int>) -> Int? {
        guard let first = range.first else { return nil }
        var index = first
        if bytes[first] == UInt8(ascii: "[") {
            index &+= 1
            while index < range.upperBound, isAddressCharacter(bytes[index]) { index &+= 1 }
            guard index < range.upperBound, bytes[index] == UInt8(ascii: "]"), index > first &+ 2 else { return nil }
            return index &+ 1
        }
        while index < range.upperBound, bytes[index] != Characters.colon {
            if bytes[index] == UInt8(ascii: "%") {
                guard index &+ 2 < range.upperBound, Characters.hexValue(bytes[index &+ 1]) != nil,
                    Characters.hexValue(bytes[index &+ 2]) != nil
                else { return nil }
            } else if !Characters.isRegisteredName(bytes[index]) {
                return nil
            }
            index &+= 1
        }
        return index
    }

    /// Nothing, or a colon and a number of at most 65,535, which may be missing.
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = range.first else { return true }
        guard bytes[first] == Characters.colon else { return false }
        var port = 0
        for index in first &+ 1..<range.upperBound {
            guard Characters.isDigit(bytes[index]) else { return false }
            port = port &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
            guard port <= 65_535 else { return false }
        }
        return true
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        Characters.hexValue(byte) != nil || byte == Characters.colon || byte == UInt8(ascii: ".")
    }
}

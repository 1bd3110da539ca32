import FuzzingSupport
import HTTP1

/// Reads request heads that are sound, nearly sound or nothing of the kind, whole and in pieces.
struct RequestFuzzer {
    /// The sound heads that are changed.
    private let seeds: [[UInt8]]
    private(set) var outcomes: [String: Int] = [:]
    private let tag = Array("\"0123456789abcdef\"".utf8)

    init() {
        var random = SplitMix64(seed: 1)
        seeds = (0..<2_000).map { _ in RequestGrammar.head(&random) }.filter {
            if case .request = RequestReference.judge($0) { true } else { false }
        }
    }

    /// Checks one more input; returns what is wrong with the answers.
    mutating func check(_ random: inout SplitMix64) -> (input: [UInt8], violation: String?) {
        let input = make(&random)
        let result = RequestParser.parse(input.span)
        outcomes[Self.name(result), default: 0] += 1
        if let violation = Self.violation(in: result, input) { return (input, violation) }
        if let violation = Self.violation(inPartsOf: input, result, &random) { return (input, violation) }
        if case .request(let head) = result { return (input, violation(inUseOf: head, input)) }
        return (input, nil)
    }

    private func make(_ random: inout SplitMix64) -> [UInt8] {
        var input = random.chance(50) ? RequestGrammar.head(&random) : random.pick(seeds)
        for _ in 0..<random.pick([0, 0, 1, 1, 1, 2, 3, 8]) { mutate(&input, &random) }
        // What stands behind a head makes no difference to it.
        if random.chance(10) { input += random.pick(seeds) }
        if random.chance(1) {
            input = (0..<random.number(0...64)).map { _ in random.byte() }
        }
        return input
    }

    private func mutate(_ input: inout [UInt8], _ random: inout SplitMix64) {
        let start = random.number(0...input.count)
        let end = min(input.count, start + random.number(0...12))
        switch random.number(0...8) {
        case 0 where start < input.count: input[start] ^= 1 << random.number(below: 8)
        case 1 where start < input.count: input[start] = random.byte()
        case 2: input.removeSubrange(start..<end)
        case 3: input.insert(contentsOf: random.pick(RequestGrammar.pieces), at: start)
        case 4: input.replaceSubrange(start..<end, with: random.pick(RequestGrammar.pieces))
        case 5: input.insert(contentsOf: input[start..<end], at: random.number(0...input.count))
        case 6: input.removeSubrange(start...)
        case 7:
            let other = random.pick(seeds)
            input.replaceSubrange(start..., with: other[random.number(0...other.count - 1)...])
        default: input.insert(random.byte(), at: start)
        }
    }

    private static func name(_ result: RequestParser.Result) -> String {
        switch result {
        case .incomplete: "incomplete"
        case .request: "request"
        case .refused(let status): "\(status.rawValue)"
        }
    }

    private static func violation(in result: RequestParser.Result, _ input: [UInt8]) -> String? {
        let expected = RequestReference.judge(input)
        switch (result, expected) {
        case (.request(let head), .request(let reference)):
            guard let found = words(head, input) else { return "a slice of \(head) is out of bounds" }
            return found == reference ? nil : "\(found) instead of \(reference)"
        case (.refused(let status), .refused(let statuses)) where statuses.contains(status):
            // The access log writes down what was refused.
            let line = RequestHead.requestLine(in: input.span)
            let end = max(line.method.range.upperBound, line.target.range.upperBound)
            return end <= input.count ? nil : "a request line beyond the end"
        case (.refused, .tooLong), (.refused, .open), (.incomplete, .open): return nil
        default: return "\(result) instead of \(expected)"
        }
    }

    /// `nil` if it points to where it may not.
    private static func words(_ head: RequestHead, _ input: [UInt8]) -> RequestReference.Head? {
        let count = Int(head.count)
        guard count <= input.count, Int(head.fields) <= count else { return nil }
        let line = RequestHead.requestLine(in: input.span)
        var slices = [head.path, head.host, head.userAgent, line.method, line.target]
        if let query = head.query(in: input.span) { slices.append(query) }
        guard slices.allSatisfy({ $0.range.upperBound <= count }) else { return nil }
        return RequestReference.Head(
            method: head.method, target: head.target, persistence: head.persistence, announcesBody: head.announcesBody,
            hasUnknownExpectation: head.hasUnknownExpectation, hasConditions: head.hasConditions,
            path: Array(input[head.path.range]), host: Array(input[head.host.range]),
            userAgent: Array(input[head.userAgent.range]), fields: Int(head.fields), count: count)
    }

    /// A head that comes in pieces: nothing is accepted early, and what is refused early is never accepted.
    private static func violation(
        inPartsOf input: [UInt8], _ whole: RequestParser.Result, _ random: inout SplitMix64
    ) -> String? {
        var counts = (0..<random.number(1...4)).map { _ in random.number(0...input.count) }
        if input.count <= 400, random.chance(3) { counts = Array(0...input.count) }
        for count in counts {
            let part = RequestParser.parse(input.span.extracting(first: count))
            switch (part, whole) {
            case (.incomplete, _), (.refused, .refused): continue
            case (.request(let head), .request(let other)) where head == other: continue
            default: return "\(part) of the first \(count) bytes, \(whole) of all"
            }
        }
        return nil
    }

    /// Uses a request in every way that there is: none of them may trap.
    private func violation(inUseOf head: RequestHead, _ input: [UInt8]) -> String? {
        _ = Precondition.evaluate(
            head, in: input.span, entityTag: tag.span, lastModified: 784_111_777, now: 1_000_000_000)
        if RequestParser.isHead(input.span) != (head.method == .head) { return "\(head) and another method" }
        let path = String(decoding: input[head.path.range], as: UTF8.self)
        let isKnown = KnownPath.matches(head.path, of: input.span, Self.known)
        let expected = Self.decoded(path) == "\(Self.known)"
        return isKnown == expected && (isKnown || !head.isExpectedLine) ? nil : "path '\(path)': known \(isKnown)"
    }

    private static let known: StaticString = "/.well-known/apple-app-site-association"

    /// The path with percent-encoded unreserved characters decoded, once (RFC 3986, section 6.2.2.2).
    private static func decoded(_ path: String) -> String {
        var result = ""
        var rest = Substring(path)
        while let character = rest.popFirst() {
            let digits = rest.prefix(2)
            if character == "%", digits.utf8.count == 2, let code = UInt8(digits, radix: 16), !digits.hasPrefix("+"),
                case let decoded = Character(Unicode.Scalar(code)),
                decoded.isASCII && (decoded.isLetter || decoded.isNumber || "-._~".contains(decoded))
            {
                result.append(decoded)
                rest.removeFirst(2)
            } else {
                result.append(character)
            }
        }
        return result
    }
}

/// Makes request heads: most are sound or nearly so, and all are about what the server looks at.
enum RequestGrammar {
    static func head(_ random: inout SplitMix64) -> [UInt8] {
        var head: [UInt8] = random.chance(5) ? [13, 10] : []
        head += requestLine(&random)
        head += random.chance(97) ? [13, 10] : Array(random.pick(lineEnds).utf8)
        var fields = (0..<random.number(0...5)).map { _ in field(&random) }
        if random.chance(92) { fields.insert(host(&random), at: random.number(0...fields.count)) }
        if random.chance(1) { fields += (0..<random.number(80...110)).map { Array("X-\($0): y".utf8) } }
        for field in fields {
            head += field
            head += random.chance(99) ? [13, 10] : Array(random.pick(lineEnds).utf8)
        }
        return head + [13, 10]
    }

    private static func requestLine(_ random: inout SplitMix64) -> [UInt8] {
        if random.chance(40) { return Array("GET /.well-known/apple-app-site-association HTTP/1.1".utf8) }
        let method = random.chance(70) ? random.pick(["GET", "HEAD"]) : random.pick(methods)
        let version = random.chance(85) ? random.pick(["HTTP/1.1", "HTTP/1.0"]) : random.pick(versions)
        let blank = random.chance(98) ? " " : random.pick(["", "  ", "\t", " \t", "\u{B}"])
        return Array("\(method)\(blank)\(target(&random)) \(version)".utf8)
    }

    private static func target(_ random: inout SplitMix64) -> String {
        if random.chance(1) { return "/" + String(repeating: "x", count: random.number(4_000...4_200)) }
        let path = random.pick(paths)
        let query = random.chance(20) ? random.pick(["?", "?a=b", "??", "?#", "?%00", "?/../x"]) : ""
        guard random.chance(15) else { return path + query }
        return random.pick(["https://", "HTTPS://", "http://", "https:/", "https://u:p@", "ftp://"])
            + random.pick(authorities) + path + query
    }

    private static func host(_ random: inout SplitMix64) -> [UInt8] {
        let name = random.chance(80) ? "Host" : random.pick(["host", "HOST", "hOsT", "Host ", " Host", "Hos", "Hostt"])
        let value = random.chance(60) ? "example.com" : random.pick(authorities)
        return Array("\(name):\(random.pick(blanks))\(value)\(random.pick(blanks))".utf8)
    }

    private static func field(_ random: inout SplitMix64) -> [UInt8] {
        if random.chance(1) { return Array("X: ".utf8) + repeatElement(120, count: random.number(7_900...8_300)) }
        let (name, values) = random.pick(fields)
        let spelled = random.chance(70) ? name : random.chance(50) ? name.uppercased() : name.lowercased()
        return Array("\(spelled):\(random.pick(blanks))\(random.pick(values))\(random.pick(blanks))".utf8)
    }

    static let lineEnds = ["\n", "\r", "\r\r\n", "\n\r", "\r\n\r\n", " \r\n", "\r\n ", "\r\n\t", "\0\r\n"]
    private static let blanks = ["", " ", " ", " ", "\t", "  \t "]
    private static let methods = [
        "POST", "get", "GETT", "GE", "OPTIONS", "CONNECT", "HEADER", "PRI", "M-SEARCH", "", "G\u{7F}T",
        "!#$%&'*+-.^_`|~",
        "GET\u{C3}\u{A9}", "(", "GET:",
    ]
    private static let versions = [
        "HTTP/1.2", "HTTP/1.9", "HTTP/2.0", "HTTP/0.9", "HTTP/3.0", "HTTP/1.", "HTTP/1", "HTTP/11", "http/1.1",
        "HTTP/1.10",
        "HTTP/1,1", "", "HTTP/1.1 ", "XTTP/1.1", "HTTP/x.1", "HTTP/1.x",
    ]
    private static let paths = [
        "/", "/apple-app-site-association", "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json",
        "/.well-known/apple-app-site-associatio%6E", "/.well-known/apple-app-site-association.json", "//", "/a/../b",
        "/.well-known%2Fapple-app-site-association", "/%", "/%zz", "*", "", "/#", "/é", "/a b", "/\u{1}", "/\u{7F}",
        "x",
        "/.WELL-KNOWN/apple-app-site-association",
    ]
    private static let authorities = [
        "example.com", "EXAMPLE.com", "example.com.", "example.com..", ".", "", "a:443", "a:", "a:65535", "a:65536",
        "a:-1",
        "a:0000000000000443", "a:99999999999999999999", "[::1]", "[::1]:443", "[::1", "[]", "[:]", "[v1.x]", "[::1].",
        "u@a",
        "u:p@a", "a b", "a,b", "a/b", "a%41", "a%4", "a%zz", "192.0.2.1", "xn--bcher-kva.example", "é", "_wildcard.a",
        "a:b",
        "a::1", String(repeating: "a", count: 254), String(repeating: "a", count: 255),
        String(repeating: "a", count: 255) + ".", String(repeating: "a", count: 256),
    ]
    private static let fields: [(String, [String])] = [
        (
            "Connection",
            ["close", "keep-alive", "Close, x", "x,,close", "keep-alive, close", "closed", "", ",", "upgrade"]
        ),
        (
            "Content-Length",
            [
                "0", "5", "00", "007", "-1", "+1", "1,1", "5, 5", "0x5", "9223372036854775807", "9223372036854775808",
                "99999999999999999999", "", "1 2", "５",
            ]
        ),
        (
            "Transfer-Encoding",
            [
                "chunked", "Chunked", "gzip", "gzip, chunked", "chunked, chunked", "", "chunked;x=y", "identity",
                "\u{B}chunked",
            ]
        ),
        ("Expect", ["100-continue", "100-Continue", "x", "", "100-continue, x"]),
        ("If-None-Match", ["*", "\"a\"", "W/\"a\"", "\"a\", \"b\"", "\"a", "", "\"a\u{1}\"", "**", ",,\"x\""]),
        ("If-Match", ["*", "\"a\"", "W/\"a\"", "", "x"]),
        (
            "If-Modified-Since",
            [
                "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "x", "0",
                "Sun, 31 Feb 9999 25:61:61 GMT", "",
            ]
        ),
        ("If-Unmodified-Since", ["Sun, 06 Nov 1994 08:49:37 GMT", "x"]),
        (
            "User-Agent",
            ["AASA-Bot/1.0.0", "swcd (unknown version) CFNetwork/978.0.7 Darwin/18.7.0", "\u{FF}", "a\tb", ""]
        ),
        ("Accept", ["*/*", "\u{8}", "a\u{7F}b", "a\0b", "\u{1B}[31m"]),
        ("Host", ["example.com", "b"]),
        ("Range", ["bytes=0-1"]), ("X", ["y"]), ("", ["x"]), ("a b", ["x"]), ("X\0", ["x"]), ("Content-Length ", ["5"]),
        ("Transfer_Encoding", ["chunked"]), ("If-Rang", ["x"]), ("Hos", ["x"]), ("Xonnection", ["close"]),
    ]

    /// The pieces that mutations put in.
    static let pieces = [
        "\r\n", "\r\n\r\n", "\r\n ", "\n", "\r", "\0", " ", "\t", ":", ": ", "/", "?", "#", "%", "%2", "\u{7F}",
        "\u{80}",
        "Host: b\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Connection: close\r\n",
        "Transfer-Encoding: chunked\r\n", " HTTP/1.1", " HTTP/1.0\r\n", "HTTP/2.0", "https://", "If-Match: *\r\n",
        "Expect: x\r\n", "GET ", "HEAD ", "xxxxxxxx", "[", "]", "@", ",", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ].map { Array($0.utf8) }
}

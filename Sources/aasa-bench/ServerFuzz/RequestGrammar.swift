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

    /// What mutations put in.
    static let pieces = [
        "\r\n", "\r\n\r\n", "\r\n ", "\n", "\r", "\0", " ", "\t", ":", ": ", "/", "?", "#", "%", "%2", "\u{7F}",
        "\u{80}",
        "Host: b\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Connection: close\r\n",
        "Transfer-Encoding: chunked\r\n", " HTTP/1.1", " HTTP/1.0\r\n", "HTTP/2.0", "https://", "If-Match: *\r\n",
        "Expect: x\r\n", "GET ", "HEAD ", "xxxxxxxx", "[", "]", "@", ",", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ].map { Array($0.utf8) }
}

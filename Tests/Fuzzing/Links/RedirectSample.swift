import FuzzingSupport

/// A random file with one redirect, and what its locations have to be, found from the template alone.
struct RedirectSample {
    let file: String
    /// The target up to the end of its host and port.
    private let origin: String
    /// The parts of the target after that, captures written as `{name}`.
    private let path: String
    private let query: String
    private let fragment: String
    private let keepsQuery: Bool
    private let isFallback: Bool
    /// The beginning of the paths that the route matches.
    private let start: String

    private static let origins = [
        "https://www.example.com", "https://a.example:8443", "https://[2001:db8::1]", "https://xn--bcher-kva.example",
        "https://go.example.com:444", "https://w", "https://_x.example.com:1",
    ]

    init(_ random: inout SplitMix64) {
        origin = random.pick(Self.origins)
        keepsQuery = random.chance(30)
        isFallback = random.chance(15)
        let isDecoded = random.chance(25)
        start = random.pick(["", "go", "a/b"])
        let names = ["p", "q", "r"]
        let pathPatterns = ["{p}", "{p:*}", "{p:?*}", "{p}/{q:*}", "{p}-{q}", "*/{p}", "{p:*}{q:*}"]
        let pathPattern = random.pick(pathPatterns)
        let items = random.pick(["", " ?x={r:*}", " ?x={r}", " ?x={r}&y=*"])
        let known = names.filter { (pathPattern + items).contains("{\($0)") }
        let flags = (isDecoded ? " percentEncoded:false" : "") + (random.chance(20) ? " caseSensitive:false" : "")
        let route = "/" + (start.isEmpty ? "" : start + "/") + pathPattern + items + flags
        func part(_ literals: [String], _ separators: [String]) -> String {
            (0..<random.number(0...3)).map { _ in
                (random.chance(60) ? "{\(random.pick(known))}" : random.pick(literals)) + random.pick(separators)
            }.joined()
        }
        if isFallback {
            path = random.pick(["", "/", "/old", "/old/"])
            (query, fragment) = ("", "")
        } else {
            path = random.chance(85) ? "/" + part(["x", "y.z", "%20", "~"], ["/", "", "-", "//"]) : ""
            query = random.chance(50) ? "?" + part(["a=b", "c", "é"], ["&", "=", "", "/"]) : ""
            fragment = random.chance(25) ? "#" + part(["s", "t/u"], ["", "-"]) : ""
        }
        let target = origin + path + query + fragment
        let keep = keepsQuery ? "true" : "false"
        file =
            isFallback
            ? #"{"fallback":{"redirect":"\#(target)","keepPath":\#(random.chance(80)),"keepQuery":\#(keep)}}"#
            : #"{"pages":[{"route":"\#(route)","answer":"redirect","to":"\#(target)","keepQuery":\#(keep)}]}"#
    }

    /// A path and a query that often match.
    func request(_ random: inout SplitMix64) -> (path: [UInt8], query: [UInt8]?) {
        var path = Self.text(&random)
        if random.chance(90) { path = Array(("/" + start + (start.isEmpty ? "" : "/")).utf8) + path }
        // Some locations are too long.
        if random.chance(1) { path += [UInt8](repeating: UInt8(ascii: random.chance(50) ? "a" : "<"), count: 3_000) }
        let query: [UInt8]? =
            switch random.number(0...3) {
            case 0: nil
            case 1: Self.text(&random)
            case 2: Array("x=".utf8) + Self.text(&random)
            default: Array("y=1&x=".utf8) + Self.text(&random) + Array("&x=2".utf8)
            }
        return (path, query)
    }

    /// Bytes that could leave the part of a URL that they are in.
    static func text(_ random: inout SplitMix64) -> [UInt8] {
        let pieces = [
            "a", "Z9", "/", "//", "..", ".", "%2e", "%2E%2e", "%2F", "%2f..", "%5c", "\\", "?", "#", "&", "=", "+", ";",
            "@",
            ":", "%", "%4", "%zz", "%0d%0a", "\r\n", "\u{0}", "\t", " ", "\"", "'", "<script>", "{p}", "https:",
            "evil.example",
            "é", "%C3%A9", "%FF", "\u{301}\u{323}", "\u{202E}", "-", "..;", "%252e",
        ]
        var text = random.list(of: pieces, upTo: 6).flatMap { Array($0.utf8) }
        if random.chance(10) { text.append(random.byte()) }
        return text
    }

    /// Whether all bytes can be in a URL as they are, and each `%` begins an escape.
    static func isURL(_ text: [UInt8]) -> Bool {
        let forbidden = Set("\"<>\\^`{|}".utf8)
        return text.indices.allSatisfy { index in
            let byte = text[index]
            guard (0x21...0x7E).contains(byte), !forbidden.contains(byte) else { return false }
            guard byte == UInt8(ascii: "%") else { return true }
            return index + 2 < text.count
                && text[(index + 1)...(index + 2)].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
    }

    /// - Returns: what is wrong with a location; nil if nothing is.
    func violation(in location: [UInt8], _ requestPath: [UInt8], _ requestQuery: [UInt8]?) -> String? {
        let shown = String(decoding: location, as: UTF8.self)
        guard location.starts(with: origin.utf8), location.count <= 8_000 else { return "another origin in \(shown)" }
        let rest = location[origin.utf8.count...]
        guard rest.isEmpty || "/?#".utf8.contains(rest[rest.startIndex]) else { return "the host goes on in \(shown)" }
        guard Self.isURL(location) else { return "bytes that no URL has in \(shown)" }
        let hash = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        let mark = rest[..<hash].firstIndex(of: UInt8(ascii: "?")) ?? hash
        let parts = (path: rest[..<mark], query: rest[mark..<hash], fragment: rest[hash...])
        if parts.fragment.isEmpty != fragment.isEmpty { return "the fragment of \(shown)" }
        let isKept = keepsQuery && requestQuery?.isEmpty == false
        if parts.query.isEmpty != (query.isEmpty && !isKept) { return "the query of \(shown)" }
        guard !isFallback else { return nil }
        // No capture adds an item; one that is kept is the request's own.
        let template = query.utf8
        for byte in "&=+;".utf8 {
            let kept = isKept ? requestQuery?.count { $0 == byte } ?? 0 : 0
            let joint = isKept && !template.isEmpty && byte == UInt8(ascii: "&") ? 1 : 0
            if parts.query.count(where: { $0 == byte }) != template.count(where: { $0 == byte }) + kept + joint {
                return "another number of '\(UnicodeScalar(byte))' in \(shown)"
            }
            if parts.fragment.contains(byte), !fragment.utf8.contains(byte) { return "the fragment of \(shown)" }
        }
        if path.utf8.contains(UInt8(ascii: "{")), Self.hasDotSegment(parts.path) { return "a dot segment in \(shown)" }
        return nil
    }

    private static func hasDotSegment(_ path: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: path, as: UTF8.self).lowercased()
        let plain = text.replacing("%2e", with: ".").replacing("%2f", with: "/").replacing("%5c", with: "/")
        return plain.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }
}

internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// Why a text of the file is not the URL that it should be.
struct TargetFault: Error {
    let rule: RuleDescription
    let message: String
    var advice: String?
}

/// The captures of a route that a target of the file can name.
struct TargetCaptures {
    var names: [String] = []
    /// The number of those that are in the path.
    var inPath = 0
    /// Whether the path is compared with its escapes.
    var isPercentEncoded = true
    /// The numbers of those that take any text.
    var freeText: Set<Int> = []

    /// Whether the route could not be read, so that nothing can be said of a name.
    var isUnknown = false

    static let none = TargetCaptures()
    static let unknown = TargetCaptures(isUnknown: true)

    /// The number of a capture.
    ///
    /// - Parameter key: The key whose value names it, for the message.
    func number(of token: CaptureToken, in key: String) throws(TargetFault) -> Int {
        if isUnknown { return 0 }
        let number = names.firstIndex { $0.utf8.elementsEqual(token.name.utf8) }
        if let number, !token.hasPattern { return number }
        guard number == nil else {
            throw TargetFault(
                rule: .unknownCapture, message: "a pattern follows the name of '{\(token.name):…}' in '\(key)'",
                advice: "write '{\(token.name)}': only the route says what the capture takes")
        }
        let near = Spelling.closest(to: String(token.name.prefix(60)), among: names)
        let known = names.prefix(8).map { "'{\($0)}'" }.joined(separator: ", ")
        throw TargetFault(
            rule: .unknownCapture, message: "\(quoted("{\(token.name)}")) in '\(key)' is not a capture",
            advice: near.map { "did you mean '{\($0)}'?" }
                ?? (names.isEmpty
                    ? "write the text itself; only a route with captures has some to insert"
                    : "the route has \(known)"))
    }

    func isFreeText(_ number: Int) -> Bool { freeText.contains(number) }

    func place(of number: Int, inQuery: Bool) -> TargetTemplate.CapturePlace {
        inQuery ? .query : number < inPath && isPercentEncoded ? .path : .segment
    }
}

/// Reads a URL of the file.
struct TargetReader {
    /// The value's name in messages.
    let key: String
    var captures = TargetCaptures.none
    /// The app's own scheme, where it may be used.
    var appScheme: [UInt8]?

    func read(_ text: String) throws(TargetFault) -> TargetTemplate {
        let bytes = Array(text.utf8)
        if let stray = bytes.first(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) {
            let what =
                stray == UInt8(ascii: "\\") ? "a backslash" : stray == 0x20 ? "a space" : "a control character"
            throw fault(text, "has \(what)", "percent-encode it, or remove it")
        }
        let tokens = CaptureToken.all(in: bytes)
        let scheme = bytes.prefix { $0.isWord || "+-.".utf8.contains($0) }
        let hasScheme = !scheme.isEmpty && scheme.endIndex < bytes.count && bytes[scheme.endIndex] == UInt8(ascii: ":")
        let afterScheme = hasScheme ? bytes[(scheme.endIndex + 1)...] : bytes[...]
        let authority = afterScheme.drop { $0 == UInt8(ascii: "/") }.prefix { !"/?#".utf8.contains($0) }
        if let token = tokens.first, token.range.lowerBound < authority.endIndex {
            throw TargetFault(
                rule: .captureInHost,
                message: "\(quoted("{\(token.name)}")) in '\(key)' comes before the end of the host",
                advice: "write the host itself; captures can be in the path, the query and the fragment")
        }
        guard hasScheme else {
            throw fault(text, "is not an absolute URL", Self.meant(text) ?? "write it as https://www.example.com/path")
        }
        let name = scheme.map(CaseFolding.ascii)
        if let appScheme, name == appScheme {
            let pieces = try pieces(bytes, from: authority.endIndex, tokens)
            let origin = Self.encoded(name + bytes[scheme.endIndex..<authority.endIndex])
            return TargetTemplate(pieces: pieces, origin: origin, host: [], port: nil)
        }
        guard name.elementsEqual("https".utf8) else {
            let other = appScheme.map { " nor one with the app's scheme '\(String(text: $0))'" }
            throw fault(text, other.map { "is neither an https URL\($0)" } ?? "is not an https URL", Self.meant(text))
        }
        guard afterScheme.starts(with: "//".utf8), authority.startIndex == afterScheme.startIndex + 2 else {
            throw fault(text, "has no host", Self.meant(text) ?? "write it as https://www.example.com/path")
        }
        let (host, port) = try hostAndPort(authority, text)
        let pieces = try pieces(bytes, from: authority.endIndex, tokens)
        return TargetTemplate(
            pieces: pieces, origin: Array("https://".utf8) + authority, host: host, port: port == 443 ? nil : port)
    }

    private func hostAndPort(_ authority: ArraySlice<UInt8>, _ text: String) throws(TargetFault) -> ([UInt8], Int?) {
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw fault(text, "has user information before its host", "remove what is before '@'")
        }
        // The colons of an IPv6 address are in its brackets.
        let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let colon = authority[bracket...].firstIndex(of: UInt8(ascii: ":"))
        let host = String(text: authority[..<(colon ?? authority.endIndex)])
        guard let name = HostName(host) else {
            throw fault(text, host.isEmpty ? "has no host" : "has no valid host: \(quoted(host))", nil)
        }
        guard name.ascii.utf8.elementsEqual(host.utf8.map(CaseFolding.ascii)) else {
            throw fault(text, "has a host that is not in ASCII", "write the host as '\(name.ascii)'")
        }
        guard let colon else { return (Array(name.ascii.utf8), nil) }
        let digits = authority[(colon + 1)...]
        guard digits.count <= 5, digits.allSatisfy(\.isDigit), let port = Int(String(text: digits)),
            (1...65_535).contains(port)
        else { throw fault(text, "has no valid port", "remove it, or write a number up to 65535") }
        return (Array(name.ascii.utf8), port)
    }

    /// The part after the host, with what no URL may have encoded.
    private func pieces(
        _ bytes: [UInt8], from start: Int, _ tokens: [CaptureToken]
    ) throws(TargetFault) -> [TargetTemplate.Piece] {
        var pieces: [TargetTemplate.Piece] = []
        var index = start
        var isInPath = true
        var isInFragment = false
        func flush(_ end: Int) {
            guard index < end else { return }
            var text: [UInt8] = []
            let rest = Array(bytes[index..<end])
            rest.withUnsafeBufferPointer { buffer in
                URLBytes.write(buffer, to: &text) { byte in
                    switch byte {
                    case UInt8(ascii: "?"): isInPath = false
                    case UInt8(ascii: "#"):
                        defer { (isInPath, isInFragment) = (false, true) }
                        return !isInFragment
                    case UInt8(ascii: "/"): break
                    default: return URLBytes.isSegmentCharacter(byte)
                    }
                    return true
                }
            }
            pieces.append(.text(text))
        }
        for token in tokens {
            flush(token.range.lowerBound)
            let number = try captures.number(of: token, in: key)
            pieces.append(.capture(number, captures.place(of: number, inQuery: !isInPath)))
            index = token.range.upperBound
        }
        flush(bytes.count)
        return pieces
    }

    private static func encoded(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        text.withUnsafeBufferPointer { URLBytes.writeQuery($0, to: &result) }
        return result
    }

    private func fault(_ text: String, _ message: String, _ advice: String?) -> TargetFault {
        TargetFault(rule: .invalidLinkTarget, message: "\(quoted(text)) in '\(key)' \(message)", advice: advice)
    }

    private static func meant(_ text: String) -> String? {
        WebURL.meant(by: text).map { "did you mean \(quoted($0))?" }
    }
}

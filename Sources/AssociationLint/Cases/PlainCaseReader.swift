internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// Reads a list of cases that has a URL per line (validation.md, section 9).
///
/// A URL alone has to open an app, and one after `!` none. App IDs after the URL are those that have to open it. Empty lines and
/// what follows a `#` at the beginning of a line or after a blank do not count. What ``CaseList/Manner/asking`` takes besides is in
/// console.md, section 4.
struct PlainCaseReader {
    private let source: SourceText
    private let isWebURL: (String) -> Bool
    private let manner: CaseList.Manner
    private var cases: [TestCase] = []
    private var diagnostics: [Diagnostic] = []

    /// Whether a list begins like one of lines, and not like JSON.
    static func isPlain(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let first = text.first(where: { !isBlank($0) && $0 != UInt8(ascii: "\n") }) else { return false }
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "#"),
            UInt8(ascii: "!"):
            return true
        default: return false
        }
    }

    static func read(
        _ bytes: [UInt8], path: String, _ manner: CaseList.Manner, isWebURL: (String) -> Bool
    ) -> CaseList {
        withoutActuallyEscaping(isWebURL) { isWebURL in
            var reader = PlainCaseReader(source: SourceText(bytes, path: path), isWebURL: isWebURL, manner)
            var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                reader.readLine(bytes, start..<end)
                start = end + 1
            }
            return CaseList(source: reader.source, cases: reader.cases, diagnostics: reader.diagnostics)
        }
    }

    private init(source: SourceText, isWebURL: @escaping (String) -> Bool, _ manner: CaseList.Manner) {
        self.source = source
        self.isWebURL = isWebURL
        self.manner = manner
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// The words of a line, up to a comment.
    private static func words(_ bytes: [UInt8], _ line: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var offset = line.lowerBound
        while offset < line.upperBound {
            guard !isBlank(bytes[offset]) else {
                offset += 1
                continue
            }
            if bytes[offset] == UInt8(ascii: "#") { break }
            let end = bytes[offset..<line.upperBound].firstIndex(where: isBlank) ?? line.upperBound
            words.append(offset..<end)
            offset = end
        }
        return words
    }

    private mutating func readLine(_ bytes: [UInt8], _ line: Range<Int>) {
        var words = Self.words(bytes, line)
        guard var first = words.first else { return }
        let isNegative = bytes[first.lowerBound] == UInt8(ascii: "!")
        if isNegative {
            first = first.lowerBound + 1..<first.upperBound
            words[0] = first
            if first.isEmpty { words.removeFirst() }
        }
        guard let url = words.first else { return report(line, "a URL has to follow '!'") }
        var text = String(text: bytes[url])
        if manner == .asking, !isWebURL(text), !text.contains("://") { text = WebURL.meant(by: text) ?? text }
        guard isWebURL(text) else { return report(url, "\(quoted(text)) is \(WebURL.refusal(of: text))") }
        var apps = words.dropFirst()
        if let app = apps.first, isNegative {
            return report(app, "no app opens a URL after '!'; remove the '!' or the app IDs")
        }
        var expectation = isNegative ? TestCase.Expectation.opens([]) : manner == .asking ? .unchecked : .opensAny
        if manner == .asking { expectation = Self.outcome(&apps, bytes) ?? expectation }
        // No app ID is without a dot, or has a slash.
        for app in apps where !bytes[app].contains(UInt8(ascii: ".")) || bytes[app].contains(UInt8(ascii: "/")) {
            return report(
                app,
                "\(quoted(String(text: bytes[app]))) is not an app ID; a line has one URL, without blanks "
                    + "('%20'), and the app IDs that open it; a comment begins with '#'")
        }
        var names = apps.map { String(text: bytes[$0]) }
        var packages: [String] = []
        if manner == .asking {
            packages = names.filter { !Self.hasTeamID($0) }
            names.removeAll { !Self.hasTeamID($0) }
        }
        cases.append(
            TestCase(
                url: text, expectation: names.isEmpty ? expectation : .opens(names),
                android: packages.isEmpty ? nil : .opens(packages),
                range: SourceRange(start: url.lowerBound, end: words.last?.upperBound ?? url.upperBound), pointer: ""))
    }

    /// Takes from the words after a URL those that say what happens, as a table of decisions does.
    private static func outcome(_ words: inout ArraySlice<Range<Int>>, _ bytes: [UInt8]) -> TestCase.Expectation? {
        func starts(with outcome: String) -> Bool {
            words.prefix(3).map { String(text: bytes[$0].prefix(16)).lowercased() }.joined(separator: " ")
                .split(separator: " ").starts(with: outcome.split(separator: " "))
        }
        let known: [(String, TestCase.Expectation)] = [
            ("opens", .opensAny), ("open", .opensAny), ("excluded", .excluded), ("stays in browser", .opens([])),
            ("none", .opens([])),
        ]
        guard let (text, outcome) = known.first(where: { starts(with: $0.0) }) else { return nil }
        words = words.dropFirst(text.split(separator: " ").count)
        return outcome
    }

    /// Whether a name begins as an app ID does, and is not that of a package of Android's.
    private static func hasTeamID(_ name: String) -> Bool {
        let prefix = name.utf8.prefix { $0 != UInt8(ascii: ".") }
        return prefix.count == 10
            && prefix.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    private mutating func report(_ range: Range<Int>, _ message: String) {
        diagnostics.append(
            Diagnostic(
                .invalidCase, message,
                range: SourceRange(start: range.lowerBound, end: range.upperBound), pointer: ""))
    }
}

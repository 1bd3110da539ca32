internal import AppSiteAssociation
public import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// A list of URLs that must and must not open (cli.md, "aasa test").
public struct CaseList: Sendable {
    public let source: SourceText
    public let cases: [TestCase]
    /// The findings about the list. With an error among them, it cannot be used.
    public let diagnostics: [Diagnostic]

    /// Reads a list: `[{"url": "…", "opens": ["APPID"]}, {"url": "…", "excluded": true}]`, or a URL per line.
    ///
    /// - Parameter isWebURL: Whether a text can be the URL of a case.
    public static func read(
        _ bytes: [UInt8], path: String, isWebURL: (String) -> Bool = { _ in true }
    ) -> CaseList {
        read(bytes, path: path, .testing, isWebURL: isWebURL)
    }

    /// The purpose of a list of lines.
    package enum Manner {
        /// A URL alone has to open an app.
        case testing
        /// A URL alone only asks what it does, and words say what is expected of one.
        case asking
    }

    package static func read(
        _ bytes: [UInt8], path: String, _ manner: Manner, isWebURL: (String) -> Bool
    ) -> CaseList {
        let isPlain = PlainCaseReader.isPlain(bytes)
        if isPlain
            || manner == .asking && !bytes.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") })
        {
            return PlainCaseReader.read(bytes, path: path, manner, isWebURL: isWebURL)
        }
        let json = JSONReader.read(bytes, path: path, limits: .configuration)
        guard json.isUsableWithoutRepairs, let root = json.root else {
            return CaseList(source: json.source, cases: [], diagnostics: json.fatalFindings)
        }
        var reader = CaseReader(diagnostics: json.findings.filter { $0.severity == .warning })
        if let array = root.array {
            for (index, node) in array.enumerated() {
                reader.read(node, JSONPointer().element(index), isWebURL: isWebURL)
            }
        } else {
            reader.report(
                root.range, JSONPointer(),
                "the file is \(root.kind); expected an array of cases like [{\"url\": \"…\", \"opens\": []}]")
        }
        return CaseList(source: json.source, cases: reader.cases, diagnostics: reader.diagnostics)
    }
}

extension CaseList {
    /// The list of lines with what was seen instead of what was expected, in the words of `aasa test`; nil if it is JSON.
    ///
    /// - Parameter apps: The apps that open the URL of a case; nil if that is not known.
    package func text(seeing apps: (Int) -> [String]?) -> [UInt8]? {
        guard !cases.isEmpty, cases.allSatisfy(\.pointer.isEmpty) else { return nil }
        var text: [UInt8] = []
        var end = 0
        for (index, testCase) in cases.enumerated() {
            text += source.bytes[end..<testCase.range.start]
            end = testCase.range.end
            while let last = text.last, last == UInt8(ascii: "!") || last == 0x20 { text.removeLast() }
            guard let apps = apps(index) else {
                text += "# not known: \(testCase.url)".utf8
                continue
            }
            text += ((apps.isEmpty ? ["!\(testCase.url)"] : [testCase.url] + apps).joined(separator: " ")).utf8
        }
        return text + source.bytes[end...]
    }

    /// A finding for each case about Android, for a run without a file for it.
    package var androidWithoutFile: [Diagnostic] {
        cases.filter { $0.android != nil }.map { testCase in
            Diagnostic(
                .invalidCase, "the case has 'android', but there is no asset links file", range: testCase.range,
                pointer: testCase.pointer, advice: "give it with --android")
        }
    }
}

/// Reads the cases of a list and finds all that is wrong with them.
private struct CaseReader {
    private(set) var cases: [TestCase] = []
    private(set) var diagnostics: [Diagnostic]

    init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    mutating func read(_ node: JSONNode, _ pointer: JSONPointer, isWebURL: (String) -> Bool) {
        guard let object = node.object else {
            return report(
                node.range, pointer, "a case is \(node.kind); expected an object like {\"url\": \"…\", \"opens\": []}")
        }
        checkKeys(object, pointer)
        guard let url = object["url"] else { return report(node.range, pointer, "the case has no 'url'") }
        guard let text = url.string?.text else {
            return report(url.range, pointer.member("url"), "'url' is \(url.kind); expected a string")
        }
        guard isWebURL(text) else {
            return report(url.range, pointer.member("url"), "\(quoted(text)) is \(WebURL.refusal(of: text))")
        }
        var android: TestCase.Expectation?
        if let value = object["android"] {
            guard let found = self.android(value, pointer.member("android")) else { return }
            android = found
        }
        let hasOwn = object["opens"] != nil || object["excluded"] != nil
        guard hasOwn || android != nil else {
            return report(node.range, pointer, "the case has neither 'opens' nor 'excluded' nor 'android'")
        }
        var expectation = TestCase.Expectation.unchecked
        if hasOwn {
            guard let found = self.expectation(object, node, pointer, apps: "app IDs", example: "APPID") else { return }
            expectation = found
        }
        cases.append(
            TestCase(
                url: text, expectation: expectation, android: android, range: node.range,
                pointer: pointer.description))
    }

    /// The expectation about Android.
    private mutating func android(_ node: JSONNode, _ pointer: JSONPointer) -> TestCase.Expectation? {
        guard let object = node.object else {
            report(node.range, pointer, "'android' is \(node.kind); expected an object like {\"opens\": [\"PACKAGE\"]}")
            return nil
        }
        checkKeys(object, pointer, known: ["opens", "excluded"])
        guard object["opens"] != nil || object["excluded"] != nil else {
            report(node.range, pointer, "'android' has neither 'opens' nor 'excluded'")
            return nil
        }
        return expectation(object, node, pointer, apps: "packages", example: "PACKAGE")
    }

    /// The expectation that an object with `opens` or `excluded` says.
    ///
    /// - Parameters:
    ///   - apps: What the names in `opens` are.
    ///   - example: One of them.
    private mutating func expectation(
        _ object: JSONObject, _ node: JSONNode, _ pointer: JSONPointer, apps kind: String, example: String
    ) -> TestCase.Expectation? {
        guard let opens = object["opens"] else {
            guard let excluded = object["excluded"], excluded.boolean != true else { return .excluded }
            let hint = "expected true; write \"opens\": [] for a URL that no app opens"
            report(excluded.range, pointer.member("excluded"), "'excluded' is not true; \(hint)")
            return nil
        }
        guard object["excluded"] == nil else {
            report(node.range, pointer, "the case has both 'opens' and 'excluded'; use one of them")
            return nil
        }
        if let text = opens.string?.text, text == "any" { return .opensAny }
        let apps = opens.array?.compactMap { $0.string?.text }
        guard let apps, apps.count == opens.array?.count else {
            report(
                opens.range, pointer.member("opens"),
                "'opens' is not a list of \(kind); expected [\"\(example)\"], [] or \"any\"")
            return nil
        }
        return .opens(apps)
    }

    private mutating func checkKeys(
        _ object: JSONObject, _ pointer: JSONPointer, known: [String] = ["url", "opens", "excluded", "android"]
    ) {
        for unknown in object.unknownKeys(besides: known) {
            let key = unknown.key
            guard !["comment", "comments", "note", "name", "//"].contains(key), !key.hasPrefix("_") else { continue }
            let hint = "; known keys are \(known.joined(separator: ", ")) and comment"
            report(unknown.range, pointer.member(key), unknown.message(otherwise: hint))
        }
    }

    mutating func report(_ range: SourceRange, _ pointer: JSONPointer, _ message: String) {
        diagnostics.append(
            Diagnostic(
                .invalidCase, message, range: range,
                pointer: pointer.description))
    }
}

/// A URL and what is expected of it.
public struct TestCase: Sendable {
    /// The expectation about a URL.
    public enum Expectation: Equatable, Sendable {
        /// Exactly these apps open it, in any order; none is as good as excluded.
        case opens([String])
        /// Any app opens it.
        case opensAny
        /// An app would have opened it, but a rule excludes it.
        case excluded
        /// The case expects nothing of Apple's systems.
        case unchecked
    }

    public let url: String
    public let expectation: Expectation
    /// The expectation about Android, with packages for app IDs; nil if there is none.
    package var android: Expectation?
    /// The case in the list.
    public let range: SourceRange
    /// The same as an RFC 6901 pointer.
    public let pointer: String
}

internal import BoundedText

/// A kind of finding: its code and severity, the reason for it, and an example that shows it.
///
/// Each is declared once, by the module that reports it: that of a rule in its type, every other one as a static member of
/// `RuleDescription`, so that a misspelt one does not compile. `aasa rules`, `aasa explain`, SARIF and the documentation are
/// made from them, and tests prove them: the bad example yields exactly this code at the marked range, the good one nothing.
public final class RuleDescription: Sendable {
    /// The source of a rule.
    public enum Basis: String, Sendable, CaseIterable {
        /// Apple's own text.
        case apple
        /// Google's own text and tests.
        case google
        /// Recorded behaviour of Apple's tool.
        case recorded
        /// Inferred from what systems do.
        case inferred
        /// Our recommendation.
        case lint
        /// RFC 8259.
        case json
    }

    /// The kind of thing that a rule is about.
    public enum Subject: String, Sendable {
        /// The path of a file or folder; the examples are paths.
        case path
        case associationFile, lintConfiguration, serverConfiguration
        /// An `assetlinks.json` for Android.
        case assetLinks
        /// An `assetlinks.json`, as it is compared with the certificates of apps.
        case comparedAssetLinks
        /// An `assetlinks.json`, as it is compared with the certificate of an app bundle.
        case comparedBundle
        /// An Android manifest in its source form.
        case manifest
        /// Any file that the server is to publish.
        case siteFile
        /// A list of cases for `aasa test`, as it is written.
        case testCases
        /// Such a list, as it is run against a file.
        case testRun
        /// A list of the routes of an app.
        case routeList
        /// A list of routes, as it is compared with a file.
        case routeRun
        /// An association file, as it is compared with a list of routes.
        case routedFile
        /// A `links.json`, as far as it decides by itself.
        case linkPages
        /// A `links.json`, as it is compared with the files that say which links open apps.
        case comparedLinkPages
        /// A service's export of short links.
        case linkExport
        /// An association file, as it is converted for Android.
        case convertedFile
        /// A host on the network, as `aasa doctor` finds it; the examples are what it answers.
        case host
        /// A copy that Apple or Google keeps; the examples are what they answer.
        case copy
        /// The app's side of a link: entitlements, a decoded profile or an Android manifest.
        case app
        /// A link, as the live file decides it.
        case link
        /// Certificates that `aasa serve` gets by itself; the examples are settings, or answers that it meets.
        case issuance
        /// A store in PostgreSQL, as nodes and commands find it; the examples are what they are given, or what they meet.
        case store
        /// A certificate or its file, as `certcheck` finds it; without examples.
        case certificate

        /// Whether `aasa doctor` finds it, and no file shows it.
        public var isLive: Bool {
            switch self {
            case .host, .copy, .link: true
            default: false
            }
        }

        /// The command that finds what no file shows.
        public var finder: String? { isLive ? "aasa doctor" : self == .issuance || self == .store ? "aasa serve" : nil }
    }

    public let code: DiagnosticCode
    /// The usual severity, unless it is changed.
    public let severity: Severity
    /// The other severities that findings of this kind can have.
    public let otherSeverities: [Severity]
    /// Whether the rule is applied without being asked for.
    public let isOnByDefault: Bool
    public let subject: Subject
    /// One clause, lower case, without a final period.
    public let summary: String
    /// The consequences on the system, in sentences.
    public let reason: String
    public let basis: [Basis]
    /// Who may apply the fix that comes with the finding; nil if there is none.
    public let fix: FixIt.Applicability?
    private let makeBad: @Sendable () -> String
    private let makeGood: @Sendable () -> String
    /// The oldest system for the examples, if the rule depends on it.
    public let minimumIOS: String?
    /// The advice, in sentences; nil where the finding itself has it.
    public let advice: String?
    /// The finding about the bad example, where what finds it is a part of the server; otherwise nil.
    package let finding: ExampleFinding?

    /// The text of the finding about an example.
    package struct ExampleFinding: Sendable {
        package let message: String
        package let advice: String?

        package init(_ message: String, advice: String? = nil) {
            (self.message, self.advice) = (message, advice)
        }
    }

    /// The text that yields the finding: a file, whose range is between `⟦` and `⟧` or is its beginning without them, or what was seen.
    public var bad: String { makeBad() }
    /// A file that yields nothing.
    public var good: String { makeGood() }

    /// The examples, some of which are large, are made when they are read: each check needs all descriptions.
    package init(
        _ code: String, _ severity: Severity, or otherSeverities: [Severity] = [], isOnByDefault: Bool = true,
        subject: Subject = .associationFile, summary: String, reason: String, basis: [Basis] = [],
        fix: FixIt.Applicability? = nil, bad: @autoclosure @escaping @Sendable () -> String = "",
        good: @autoclosure @escaping @Sendable () -> String = "", minimumIOS: String? = nil, advice: String? = nil,
        finding: ExampleFinding? = nil
    ) {
        self.code = DiagnosticCode(rawValue: code)
        self.severity = severity
        self.otherSeverities = otherSeverities
        self.isOnByDefault = isOnByDefault
        self.subject = subject
        self.summary = summary
        self.reason = reason
        self.basis = basis
        self.fix = fix
        makeBad = bad
        makeGood = good
        self.minimumIOS = minimumIOS
        self.advice = advice
        self.finding = finding
    }
}

extension RuleDescription.Basis {
    /// The source in words.
    package var words: String {
        switch self {
        case .apple: "Apple's documentation"
        case .google: "Google's documentation and tests"
        case .recorded: "recorded behavior of Apple's tool"
        case .inferred: "observed behavior of Apple's systems"
        case .lint: "our recommendation"
        case .json: "RFC 8259 (JSON)"
        }
    }
}

extension RuleDescription {
    /// Who applies the fix, in words.
    package var fixWords: String {
        switch fix {
        case .some where subject == .app: "shown with the finding"
        case .automatic: "automatic, with 'aasa validate --fix'"
        case .suggested: "suggested, with 'aasa validate --fix --suggested'"
        case .displayOnly: "shown with a placeholder to fill in"
        case nil: "none"
        }
    }

    /// The usual severity, or `off`.
    package var shownSeverity: String { isOnByDefault ? severity.rawValue : "off" }

    /// The option of `aasa validate` with which the examples are checked; nil if they need none.
    package var exampleOption: String? {
        if subject == .comparedAssetLinks { return "--fingerprint-of app-release.apk" }
        if subject == .comparedBundle { return "--fingerprint-of app-release.aab" }
        return minimumIOS.map { "--minimum-ios \($0)" }
    }

    /// The bad example without its marks, cut to a length that is worth reading.
    package var badShown: String { Self.shown(MarkedText(bad).bytes) }

    /// The good example, cut to a length that is worth reading.
    package var goodShown: String { Self.shown(Array(good.utf8)) }

    /// No more than 20 lines of 100 columns, without spaces at the end.
    private static func shown(_ bytes: [UInt8]) -> String {
        let source = SourceText(bytes, path: "")
        let most = 20
        var lines = (1...min(source.lineCount, most)).map { number in
            let line = VisibleText.escaped(String(text: source.line(number).prefix(400)))
            return line.count > 100 ? "\(line.prefix(99))…" : line
        }
        if source.lineCount > most { lines.append("…") }
        while let last = lines.last, last.utf8.allSatisfy({ $0 == 0x20 }), lines.count > 1 { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}

/// A text in which `⟦` and `⟧` enclose the part that is meant.
///
/// The scalars U+F780 to U+F7FF stand for the bytes 0x80 to 0xFF, so that an example can show what is not UTF-8.
package struct MarkedText: Sendable {
    /// The text without the marks.
    package let bytes: [UInt8]
    /// The bytes between the marks, as offsets in the text without them; nil if there are none.
    package let range: SourceRange?

    package init(_ marked: String) {
        let parts = marked.split(separator: "⟦", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.dropFirst().first?.split(separator: "⟧", maxSplits: 1, omittingEmptySubsequences: false) ?? []
        let pieces = ([parts[0]] + rest).map(Self.bytes)
        bytes = pieces.flatMap { $0 }
        range = rest.isEmpty ? nil : SourceRange(start: pieces[0].count, end: pieces[0].count + pieces[1].count)
    }

    private static func bytes(_ text: Substring) -> [UInt8] {
        guard text.unicodeScalars.contains(where: isByte) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            isByte(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    private static func isByte(_ scalar: Unicode.Scalar) -> Bool { (0xF780...0xF7FF).contains(scalar.value) }
}

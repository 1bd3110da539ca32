/// What a kind of finding is about, with an example that shows it.
///
/// `aasa rules`, `aasa explain`, SARIF and the documentation are made from it, and tests prove it: the bad example yields exactly
/// this code at the marked place, the good one nothing.
public struct RuleDescription: Sendable {
    /// What a rule rests on.
    public enum Basis: String, Sendable, CaseIterable {
        /// Apple's own text.
        case apple
        /// Google's own text and tests.
        case google
        /// Recorded behaviour of Apple's tool.
        case recorded
        /// Inferred from what systems do.
        case inferred
        /// A matter of care.
        case lint
        /// RFC 8259.
        case json
    }

    /// What kind of file a rule is about.
    public enum Subject: String, Sendable {
        /// The path of a file or folder; the examples are paths.
        case path
        case associationFile, lintConfiguration, serverConfiguration
        /// An `assetlinks.json` for Android.
        case assetLinks
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
    }

    public let code: DiagnosticCode
    /// The severity, unless it is changed.
    public let severity: Severity
    /// Whether the rule is applied without being asked for.
    public let isOnByDefault: Bool
    public let subject: Subject
    /// One clause, lower case, without a final period.
    public let summary: String
    /// What the system does with it, in sentences.
    public let reason: String
    public let basis: [Basis]
    /// Who may apply the fix that comes with the finding; nil if there is none.
    public let fix: FixIt.Applicability?
    /// A file that yields the finding; its range stands between `⟦` and `⟧`, or is the beginning of the file without them.
    public let bad: String
    /// A file that yields nothing.
    public let good: String
    /// The oldest system for the examples, if the rule depends on it.
    public let minimumIOS: String?

    public init(
        _ code: String, _ severity: Severity, isOnByDefault: Bool = true, subject: Subject = .associationFile,
        summary: String, reason: String, basis: [Basis], fix: FixIt.Applicability? = nil, bad: String, good: String,
        minimumIOS: String? = nil
    ) {
        self.code = DiagnosticCode(rawValue: code)
        self.severity = severity
        self.isOnByDefault = isOnByDefault
        self.subject = subject
        self.summary = summary
        self.reason = reason
        self.basis = basis
        self.fix = fix
        self.bad = bad
        self.good = good
        self.minimumIOS = minimumIOS
    }
}

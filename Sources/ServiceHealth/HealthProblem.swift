package import Diagnostics
internal import SystemSupport

/// The kind of a problem, as JSON, metrics and messages name it; those to be acted on first have the lower rank.
///
/// A problem that a rule is about has the rule's code as its kind, such as `store-unreachable`.
package struct HealthKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    private init(_ rawValue: String) { self.rawValue = rawValue }

    package static let loopStuck = HealthKind("loop-stuck")
    package static let notReady = HealthKind("not-ready")
    /// A server.json that a reload could not take up.
    package static let configurationRefused = HealthKind("configuration-refused")
    /// The files of a certificate cannot be used.
    package static let certificateRefused = HealthKind("certificate-refused")
    /// The association file answers 503.
    package static let refused = HealthKind("refused")
    /// Another file of a site answers 503, or its links are not used.
    package static let fileRefused = HealthKind("file-refused")
    package static let noCertificate = HealthKind("no-certificate")
    package static let certificateExpired = HealthKind("certificate-expired")
    package static let certificateExpires = HealthKind("certificate-expires")
    /// The newest file is faulty, and the last good one is served.
    package static let stale = HealthKind("stale")
    /// The last good files are in memory only.
    package static let staleUntilRestart = HealthKind("stale-until-restart")
    /// A node of the store has not reported itself for 30 seconds.
    package static let nodeSilent = HealthKind("node-silent")
    /// A node of the store serves an older generation.
    package static let nodeBehind = HealthKind("node-behind")
    /// Fewer nodes follow the store than are expected.
    package static let nodeMissing = HealthKind("node-missing")
    /// Apple's last fetch got something other than the file.
    package static let appleError = HealthKind("apple-error")
    /// Apple has fetched the file since the start, but not lately.
    package static let appleSilent = HealthKind("apple-silent")
    /// The files of a certificate can be used, but hardly as they are meant to.
    package static let certificateFinding = HealthKind("certificate-finding")
    /// A finding without a code, such as a folder that cannot be a site.
    package static let finding = HealthKind("finding")
    /// The validator warns of a file that is served.
    package static let fileWarnings = HealthKind("file-warnings")

    /// In the order of their ranks; the codes of rules come after them.
    package static let known: [HealthKind] = [
        .loopStuck, .notReady, .configurationRefused, .certificateRefused, .refused, .fileRefused, .noCertificate,
        .certificateExpired, .certificateExpires, .stale, .staleUntilRestart, .nodeSilent, .nodeBehind, .nodeMissing,
        .appleError, .appleSilent, .certificateFinding, .finding, .fileWarnings,
    ]

    /// Whether it is about certificates, and not about files or the process.
    package var isAboutCertificates: Bool {
        [.certificateRefused, .noCertificate, .certificateExpired, .certificateExpires, .certificateFinding]
            .contains(self)
    }

    var rank: Int { Self.known.firstIndex(of: self) ?? Self.known.count }
}

/// One thing that is wrong with a server or with one of its sites.
package struct HealthProblem: Equatable, Sendable {
    /// `nil` for a problem of the whole server.
    package let domain: String?
    package let kind: HealthKind
    package let severity: HealthSeverity
    /// A clause, such as `certificate expires in 5 days (2026-11-28)`.
    package let message: String
    /// Since when, in seconds since 1970; nil where that is not known.
    package var since: Int64?
    /// The file, folder or setting that it is about.
    package var path: String?
    /// Counted from 1, as the column.
    package var line: Int?
    package var column: Int?
    /// The way out; nil if there is nothing to do, or the message says it.
    package var help: String?

    package init(
        _ domain: String?, _ kind: HealthKind, _ severity: HealthSeverity, _ message: String,
        since: Int64? = nil, path: String? = nil, help: String? = nil
    ) {
        (self.domain, self.kind, self.severity, self.message) = (domain, kind, severity, message)
        (self.since, self.path, self.help) = (since, path, help)
    }

    /// A problem that is found in a file, a folder or a setting.
    ///
    /// - Parameters:
    ///   - kind: nil for the code of the finding.
    ///   - severity: nil for that of the finding.
    ///   - message: nil for that of the finding.
    init(
        _ finding: LocatedDiagnostic, of domain: String? = nil, as kind: HealthKind? = nil,
        _ severity: HealthSeverity? = nil, _ message: String? = nil, since: Int64? = nil
    ) {
        let code = finding.diagnostic.code == .unnamed ? nil : finding.diagnostic.code.rawValue
        self.init(
            domain, kind ?? code.map(HealthKind.init(rawValue:)) ?? .finding,
            severity ?? (finding.isError ? .critical : .warning), message ?? finding.message, since: since,
            path: finding.path, help: finding.diagnostic.help)
        // What is about a whole file has no line.
        if let start = finding.start, finding.diagnostic.range.end > 0 { (line, column) = (start.line, start.column) }
    }

    /// `PATH:LINE:COLUMN`, or as much of it as is known; nil without a path.
    package var location: String? {
        path.map { path in line.map { "\(path):\($0):\(column ?? 1)" } ?? path }
    }

    /// `example.com: certificate expires in 5 days (2026-11-28) [certificate-expires]`.
    package var sentence: String { "\(domain.map { "\($0): " } ?? "")\(message) [\(kind.rawValue)]" }

    /// Whether it comes before another one: what is worse, then what is about the whole server, then by domain.
    package static func isBefore(_ one: HealthProblem, _ other: HealthProblem) -> Bool {
        if one.severity != other.severity { return one.severity > other.severity }
        let (domain, otherDomain) = (one.domain ?? "", other.domain ?? "")
        if domain != otherDomain { return domain < otherDomain }
        return (one.kind.rank, one.kind.rawValue) < (other.kind.rank, other.kind.rawValue)
    }

    package var members: [String: JSONOutput] {
        [
            "domain": .optional(domain), "kind": .string(kind.rawValue), "severity": .string(severity.word),
            "message": .string(message), "since": .optional(since.map(InternetDate.string)),
            "path": .optional(path), "line": line.map(JSONOutput.number) ?? .null,
            "column": column.map(JSONOutput.number) ?? .null, "help": .optional(help),
        ]
    }
}

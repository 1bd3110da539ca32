/// A finding: what is wrong, where, and what to do.
public struct Diagnostic: Hashable, Sendable {
    public var code: DiagnosticCode
    public var severity: Severity
    /// One clause, lower case, without a final period; the value in single quotes.
    public var message: String
    public var subject: Subject
    /// The remedy, in place of the title of the first fix; nil where that title says it, or there is nothing to do.
    public var advice: String?
    public var notes: [String]
    public var fixIts: [FixIt]
    /// A few words shown after the marks of the subject, which say what to see there.
    public var label: String?
    /// Other ranges of the same text that explain the finding.
    public var labels: [Label]

    /// The subject of a finding.
    public enum Subject: Hashable, Sendable {
        /// Bytes of a text, and where in its JSON, as an RFC 6901 pointer; nil for findings about the syntax. The empty range
        /// at 0 is the text as a whole.
        case text(SourceRange, pointer: String?)
        /// A file or folder as a whole, by its path.
        case file(String)
        /// Something with a name, such as a topic or a certificate, in the file at a path, and its index there, counted from
        /// 0; both nil where there is no file.
        case item(String, path: String?, index: Int?)
    }

    /// A range with a text that says what it has to do with the finding.
    public struct Label: Hashable, Sendable {
        public var range: SourceRange
        /// A few words, lower case, without a final period.
        public var text: String

        public init(_ range: SourceRange, _ text: String) {
            self.range = range
            self.text = text
        }
    }

    public init(
        code: DiagnosticCode, severity: Severity, message: String, subject: Subject, advice: String? = nil,
        notes: [String] = [], fixIts: [FixIt] = [], label: String? = nil, labels: [Label] = []
    ) {
        self.code = code
        self.severity = severity
        self.message = message
        self.subject = subject
        self.advice = advice
        self.notes = notes
        self.fixIts = fixIts
        self.label = label
        self.labels = labels
    }

    /// A finding about a range of a text.
    public init(
        code: DiagnosticCode, severity: Severity, message: String, range: SourceRange, pointer: String? = nil,
        advice: String? = nil, notes: [String] = [], fixIts: [FixIt] = [], label: String? = nil, labels: [Label] = []
    ) {
        self.init(
            code: code, severity: severity, message: message, subject: .text(range, pointer: pointer), advice: advice,
            notes: notes, fixIts: fixIts, label: label, labels: labels)
    }

    /// A finding of a kind, with its usual severity unless another one is given.
    public init(
        _ rule: RuleDescription, as severity: Severity? = nil, _ message: String, subject: Subject,
        advice: String? = nil, notes: [String] = [], fixIts: [FixIt] = [], label: String? = nil, labels: [Label] = []
    ) {
        self.init(
            code: rule.code, severity: severity ?? rule.severity, message: message, subject: subject, advice: advice,
            notes: notes, fixIts: fixIts, label: label, labels: labels)
    }

    /// A finding of a kind about a range of a text; without a range about the text as a whole.
    public init(
        _ rule: RuleDescription, as severity: Severity? = nil, _ message: String,
        range: SourceRange = SourceRange(start: 0, end: 0), pointer: String? = nil, advice: String? = nil,
        notes: [String] = [], fixIts: [FixIt] = [], label: String? = nil, labels: [Label] = []
    ) {
        self.init(
            rule, as: severity, message, subject: .text(range, pointer: pointer), advice: advice, notes: notes,
            fixIts: fixIts, label: label, labels: labels)
    }
}

extension Diagnostic {
    /// Whether it is a finding of this kind.
    public func `is`(_ rule: RuleDescription) -> Bool { code == rule.code }

    /// The range of a finding about a text; otherwise the empty range at 0.
    public var range: SourceRange {
        if case .text(let range, _) = subject { range } else { SourceRange(start: 0, end: 0) }
    }

    /// The RFC 6901 pointer of a finding about a value in a text.
    public var pointer: String? {
        if case .text(_, let pointer) = subject { pointer } else { nil }
    }

    /// The path in the subject; nil for a finding about a text, which has a path of its own.
    public var path: String? {
        switch subject {
        case .text: nil
        case .file(let path): path
        case .item(_, let path, _): path
        }
    }

    /// The remedy: the advice, or the title of the first fix.
    public var help: String? { advice ?? fixIts.first?.title }

    /// The line that tools read: `PATH:LINE:COLUMN: error: message [code]`.
    public func line(in source: SourceText) -> String { line(in: source.path, at: source.position(at: range.start)) }

    func line(in path: String, at position: SourcePosition) -> String {
        "\(path):\(position.line):\(position.column): \(severity.rawValue): \(coded(message))"
    }

    /// The same for a finding that is not about a text: `PATH: error: message [code]`, or without a path.
    public var line: String { (path.map { "\($0): " } ?? "") + "\(severity.rawValue): \(coded(message))" }

    /// All on one line, for logs, which have a level and name the subject themselves: `message [code]; help: what to do`.
    package var logText: String { coded(message) + (help.map { "; help: \($0)" } ?? "") }

    private func coded(_ text: String) -> String { code == .unnamed ? text : "\(text) [\(code)]" }
}

/// The stable name of a kind of finding, like `trailing-comma`.
public struct DiagnosticCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code of findings that are not listed anywhere, such as an error of the system; it is never shown.
    public static let unnamed = DiagnosticCode(rawValue: "")

    public var description: String { rawValue }
}

/// The severity of a finding, from a note up to what is critical.
public enum Severity: String, Sendable, CaseIterable, Comparable {
    /// Good to know.
    case note
    /// It works, but hardly as meant, or not for long.
    case warning
    /// The system ignores or refuses it, it means something else than it says, or it cannot be read.
    case error
    /// Something stops working now or very soon.
    case critical

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        case .critical: 3
        }
    }
}

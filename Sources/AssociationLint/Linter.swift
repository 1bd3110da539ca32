public import Diagnostics
internal import JSONSyntax

/// Checks association files.
///
/// The rules are those of `aasa rules`; each says what Apple's systems do (validation.md, 3).
public struct Linter: Sendable {
    private let options: LintOptions
    let severities: [DiagnosticCode: Severity]
    private let unwrap: (@Sendable ([UInt8]) -> SignedFile?)?

    /// - Parameters:
    ///   - options: What to find.
    ///   - unwrap: Takes the content out of signed (CMS) data, nil for a file that is not signed. Without it such a file
    ///     is no JSON text; this library links no cryptography.
    public init(_ options: LintOptions = LintOptions(), unwrap: (@Sendable ([UInt8]) -> SignedFile?)? = nil) {
        self.options = options
        self.unwrap = unwrap
        severities = options.severities
    }

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - bytes: The file's content. More than 16 MiB are not looked at.
    ///   - path: What messages call the file.
    public func check(_ bytes: [UInt8], path: String = "apple-app-site-association") -> LintResult {
        guard bytes.count <= ReadingLimits.associationFile.hard, let signed = unwrap?(bytes) else {
            return check(bytes, path, fileFindings: [], isSigned: false)
        }
        switch signed {
        case .content(let content, let signer, let issuer, let notAfter):
            let finding = SignatureFindings.signedFile(signer: signer, issuer: issuer, notAfter: notAfter)
            return check(content, path, fileFindings: [finding], isSigned: true)
        case .unreadable(let reason):
            let finding = SignatureFindings.unreadable(reason)
            return result(SourceText(bytes, path: path), [finding], [], isTreeReliable: false, isAsInFile: false)
        }
    }

    /// How many findings about the syntax are kept to be fixed at once.
    static let mostSyntaxFindings = 2_000
    /// How many of the other findings of one code are kept to be fixed at once.
    static let mostFindings = 10_000

    /// As `check`, with all findings about the syntax as far as anybody would fix them, not the first 20.
    func checkAll(_ bytes: [UInt8], path: String) -> LintResult {
        var limits = ReadingLimits.associationFile
        limits.findings = Self.mostSyntaxFindings
        let isSigned = bytes.count <= limits.hard && unwrap?(bytes) != nil
        return check(
            bytes, path, fileFindings: [], isSigned: isSigned, limits: limits, findingLimit: Self.mostFindings)
    }

    /// A larger file is beyond what the system reads by so much that only that is said.
    private static let mostBytes = 1 << 20

    private func check(
        _ bytes: [UInt8], _ path: String, fileFindings: [Diagnostic], isSigned: Bool,
        limits: ReadingLimits = .associationFile, findingLimit: Int = Findings.shownLimit
    ) -> LintResult {
        let json = JSONReader.read(bytes, path: path, limits: limits)
        var syntax = fileFindings + json.findings
        let isAsInFile = !isSigned && json.isAsInFile
        guard json.isTreeReliable, let root = json.root else {
            return result(json.source, syntax, [], isTreeReliable: false, isAsInFile: isAsInFile)
        }
        guard json.source.bytes.count <= Self.mostBytes else {
            for place in syntax.indices where syntax[place].code == SyntaxCode.fileTooLarge.diagnosticCode {
                syntax[place].notes.append("it is not said what else is wrong with a file of more than 1 MiB")
            }
            return result(json.source, syntax, [], isTreeReliable: false, isAsInFile: isAsInFile)
        }
        let file = FileOutline(root, source: json.source, minimumIOS: options.minimumIOS)
        let blamed = syntax.map(\.range).filter { $0.length > 0 }
        var findings = Findings(json.source, severities: severities, limit: findingLimit, blamed: blamed)
        for group in RuleRegistry.groups {
            for rule in group { rule.check(file, &findings) }
            findings.forgive()
        }
        findings.endLists()
        return result(
            json.source, syntax + findings.all, findings.hidden, isTreeReliable: true, isAsInFile: isAsInFile)
    }

    func result(
        _ source: SourceText, _ findings: [Diagnostic], _ hidden: [Diagnostic], isTreeReliable: Bool, isAsInFile: Bool
    ) -> LintResult {
        let hasSettings = !options.settings.isEmpty
        var diagnostics: [Diagnostic] = []
        var ignored: [(diagnostic: Diagnostic, ignore: Ignore)] = []
        for var finding in findings {
            guard let severity = severities[finding.code] else { continue }
            if hasSettings, options.settings[finding.code] != nil { finding.severity = severity }
            if let ignore = options.ignores.first(where: { $0.covers(finding) }) {
                ignored.append((finding, ignore))
            } else {
                diagnostics.append(finding)
            }
        }
        return LintResult(
            source: source, diagnostics: diagnostics.sorted(by: Diagnostic.isInOrder),
            ignored: ignored.sorted { Diagnostic.isInOrder($0.diagnostic, $1.diagnostic) },
            everything: findings + hidden, isTreeReliable: isTreeReliable, isAsInFile: isAsInFile)
    }
}

extension Diagnostic {
    /// By start, end and code.
    fileprivate static func isInOrder(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        (left.range.start, left.range.end, left.code.rawValue)
            < (right.range.start, right.range.end, right.code.rawValue)
    }
}

/// What a check has found.
public struct LintResult: Sendable {
    /// The text that all positions refer to: the file's, or what was unwrapped or converted.
    public let source: SourceText
    /// What is wrong, by start, end and code.
    public let diagnostics: [Diagnostic]
    /// What is wrong but was not to be reported, and the ignore that covers it.
    public let ignored: [(diagnostic: Diagnostic, ignore: Ignore)]

    /// All findings, those too that others or an ignore hide.
    package let everything: [Diagnostic]
    /// Whether the rules about meaning could be applied.
    package let isTreeReliable: Bool
    /// Whether positions are those of the file itself.
    package let isAsInFile: Bool

    /// Whether the system refuses or misunderstands something in the file.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

package import Android
internal import AppSiteAssociation
public import Diagnostics
internal import JSONSyntax

/// Checks association files.
///
/// The rules are those of `aasa rules`; each says what Apple's systems do (validation.md, 3).
public struct Linter: Sendable {
    private let options: LintOptions
    private let severities: [DiagnosticCode: Severity]
    private let unwrap: (@Sendable ([UInt8]) -> SignedFile?)?

    /// - Parameters:
    ///   - options: What is reported, and for which systems.
    ///   - unwrap: Takes the content out of signed (CMS) data, nil for a file that is not signed. Without it such a file
    ///     is not JSON; this library links no cryptography.
    public init(_ options: LintOptions = LintOptions(), unwrap: (@Sendable ([UInt8]) -> SignedFile?)? = nil) {
        self.options = options
        self.unwrap = unwrap
        severities = options.severities
    }

    /// The oldest system that the files are for; nil if that is not known.
    var minimumIOS: SystemVersion? { options.minimumIOS }

    /// The number of findings that are kept.
    private struct Limits {
        /// Findings about the syntax; nil is the limit of the kind of file.
        var syntaxFindings: Int?
        /// Other findings of one code.
        var findings = DiagnosticCollector.shownLimit

        /// As many as are fixed at once.
        static let fixing = Limits(syntaxFindings: Linter.maxSyntaxFindings, findings: Linter.maxFindings)
    }

    /// The number of findings about the syntax that are kept to be fixed at once.
    static let maxSyntaxFindings = 30_000
    /// The number of other findings of one code that are kept to be fixed at once.
    static let maxFindings = 10_000
    /// Whether a result of `checkAll` has nothing that `check` would not show.
    static func isShownWhole(_ result: LintResult, as kind: FileKind) -> Bool {
        guard kind == .association, result.isAsInFile,
            result.everything.count(where: { $0.pointer == nil }) < ReadingLimits.associationFile.findings
        else { return false }
        let counts = Dictionary(result.everything.map { ($0.code, 1) }, uniquingKeysWith: +)
        return counts.values.allSatisfy { $0 <= DiagnosticCollector.shownLimit }
    }

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - bytes: The file's content. More than 16 MiB are not read.
    ///   - path: What messages call the file.
    public func check(_ bytes: [UInt8], path: String = "apple-app-site-association") -> LintResult {
        guard bytes.count <= ReadingLimits.associationFile.hard, let signed = unwrap?(bytes) else {
            return checkContent(bytes, path)
        }
        switch signed {
        case .content(let content, let signer, let issuer, let notAfter):
            let finding = SignatureFindings.signedFile(signer: signer, issuer: issuer, notAfter: notAfter)
            return checkContent(content, path, fileFindings: [finding], isSigned: true)
        case .unreadable(let reason):
            let finding = SignatureFindings.unreadable(reason)
            return result(SourceText(bytes, path: path), [finding], isTreeReliable: false, isAsInFile: false)
        }
    }

    /// The finding about an app ID that is not in a file, such as an argument; nil if it may be the ID of an app.
    package static func problem(ofAppID text: String) -> Diagnostic? {
        let id = JSONEdits.literal(text)
        let file = #"{"applinks":{"details":[{"appIDs":[\#(id)],"components":[{"/":"*"}]}]}}"#
        let codes = Set(RuleRegistry.appIDRules.map { $0.description.code })
        return Linter().check(Array(file.utf8)).diagnostics.first { $0.severity >= .error && codes.contains($0.code) }
    }

    /// Checks a file by the rules of its kind; `.other` has none, those of `.manifest` are about its tree, and those of
    /// `.links` are elsewhere: here it is JSON.
    package func check(_ bytes: [UInt8], path: String, as kind: FileKind) -> LintResult {
        switch kind {
        case .association: check(bytes, path: path)
        case .assetLinks: checkAssetLinks(bytes, path: path)
        case .json, .links: checkJSON(bytes, path: path)
        case .manifest, .other: result(SourceText(bytes, path: path), [], isTreeReliable: false, isAsInFile: true)
        }
    }

    /// Counts the errors of an association file that change which links it opens: those about how its `applinks` are
    /// read. The order of rules is not checked, and takes no time.
    package func countReadingErrors(in bytes: [UInt8]) -> Int {
        let services = AppleService.modelled.dropFirst().map { "/\($0.rawValue)" }
        return checkContent(bytes, "", comparesRules: false).diagnostics.count { finding in
            finding.severity == .error
                && !services.contains { finding.pointer == $0 || finding.pointer?.hasPrefix("\($0)/") == true }
        }
    }

    /// As `check`, with all findings as far as they are fixed at once, not those that people are shown.
    func checkAll(_ bytes: [UInt8], path: String, as kind: FileKind) -> LintResult {
        switch kind {
        case .association:
            let isSigned = bytes.count <= ReadingLimits.associationFile.hard && unwrap?(bytes) != nil
            return checkContent(bytes, path, isSigned: isSigned, limits: .fixing)
        case .assetLinks: return checkAssetLinks(bytes, path, .fixing)
        case .manifest, .json, .links, .other: return check(bytes, path: path, as: kind)
        }
    }

    /// Checks an `assetlinks.json`, the statements of a site for Android (Digital Asset Links).
    ///
    /// - Parameters:
    ///   - bytes: The file's content. More than 16 MiB are not read.
    ///   - path: What messages call the file.
    package func checkAssetLinks(_ bytes: [UInt8], path: String = "assetlinks.json") -> LintResult {
        checkAssetLinks(bytes, path, Limits())
    }

    /// Checks the filters for web links of an Android manifest, whose text is read elsewhere.
    ///
    /// - Parameter isAsInFile: Whether positions are those of the file itself.
    package func checkManifest(_ root: XMLElement, source: SourceText, isAsInFile: Bool) -> LintResult {
        result(
            source,
            ManifestChecker.findings(in: root, minimumAPI: options.minimumAPI)
                + AssetStatementsCheck.findings(in: root), isTreeReliable: true,
            isAsInFile: isAsInFile)
    }

    /// Checks that a file is JSON, whatever it says.
    package func checkJSON(_ bytes: [UInt8], path: String) -> LintResult {
        let json = JSONReader.read(bytes, path: path, limits: .configuration)
        return result(
            json.source, json.findings, isTreeReliable: json.isTreeReliable, isAsInFile: json.isAsInFile)
    }

    /// The result for findings that were made elsewhere. Whatever the options say, an error stays one: nothing could be
    /// served of such a file.
    package func result(of source: SourceText, _ findings: [Diagnostic]) -> LintResult {
        result(source, findings, isTreeReliable: true, isAsInFile: true, keepsErrors: true)
    }
}

extension Linter {
    /// - Parameter fileFindings: What is known about the file that the content was taken out of.
    private func checkContent(
        _ bytes: [UInt8], _ path: String, fileFindings: [Diagnostic] = [], isSigned: Bool = false,
        limits: Limits = Limits(), comparesRules: Bool = true
    ) -> LintResult {
        let json = read(bytes, path, .associationFile, limits)
        var syntax = fileFindings + json.findings
        let isAsInFile = !isSigned && json.isAsInFile
        guard json.isTreeReliable, let root = json.root else {
            return result(json.source, syntax, isTreeReliable: false, isAsInFile: isAsInFile)
        }
        guard json.source.bytes.count <= FileSizes.published else {
            for index in syntax.indices where syntax[index].is(.fileTooLarge) {
                syntax[index].notes.append("files of more than 1 MiB are not checked any further")
            }
            return result(json.source, syntax, isTreeReliable: false, isAsInFile: isAsInFile)
        }
        let context = LintContext(root, source: json.source, minimumIOS: options.minimumIOS)
        var diagnostics = collector(json, syntax, limits)
        for rule in RuleRegistry.structureRules { rule.check(context, &diagnostics) }
        for id in context.appIDs { for rule in RuleRegistry.appIDRules where rule.check(id, &diagnostics) { break } }
        for rule in RuleRegistry.patternRules { rule.check(context, &diagnostics) }
        if comparesRules {
            // That a pattern is wrong and that its rule has no effect are two causes.
            diagnostics.beginGroup()
            RuleOrderCheck.run(context, &diagnostics)
            GenerationsDifferRule.check(context, &diagnostics)
        }
        return result(json.source, syntax, diagnostics, isAsInFile: isAsInFile, document: context.document)
    }

    private func checkAssetLinks(_ bytes: [UInt8], _ path: String, _ limits: Limits) -> LintResult {
        let json = read(bytes, path, .assetLinksFile, limits)
        guard json.isTreeReliable, let root = json.root else {
            return result(json.source, json.findings, isTreeReliable: false, isAsInFile: json.isAsInFile)
        }
        var checker = AssetLinksChecker(collector(json, json.findings, limits), signers: options.signers)
        let document = checker.check(root)
        var result = result(json.source, json.findings, checker.diagnostics, isAsInFile: json.isAsInFile)
        result.assetLinks = document
        return result
    }

    private func read(_ bytes: [UInt8], _ path: String, _ usual: ReadingLimits, _ limits: Limits) -> JSONDocument {
        var reading = usual
        if let findings = limits.syntaxFindings { reading.findings = findings }
        return JSONReader.read(bytes, path: path, limits: reading)
    }

    private func collector(_ json: JSONDocument, _ syntax: [Diagnostic], _ limits: Limits) -> DiagnosticCollector {
        DiagnosticCollector(
            json.source, severities: severities, limit: limits.findings,
            claimedRanges: syntax.map(\.range).filter { $0.length > 0 })
    }

    private func result(
        _ source: SourceText, _ syntax: [Diagnostic], _ collected: DiagnosticCollector, isAsInFile: Bool,
        document: AssociationDocument? = nil
    ) -> LintResult {
        var collected = collected
        collected.endLists()
        var result = result(
            source, syntax + collected.reported, hidden: collected.hidden, isTreeReliable: true, isAsInFile: isAsInFile)
        result.document = document
        result.work += collected.work
        return result
    }

    private func result(
        _ source: SourceText, _ findings: [Diagnostic], hidden: [Diagnostic] = [], isTreeReliable: Bool,
        isAsInFile: Bool, keepsErrors: Bool = false
    ) -> LintResult {
        let hasSettings = !options.settings.isEmpty
        var diagnostics: [Diagnostic] = []
        var ignored: [(diagnostic: Diagnostic, ignore: Ignore)] = []
        for var finding in findings {
            if keepsErrors, finding.severity >= .error {
                diagnostics.append(finding)
                continue
            }
            // A code of other rules has no usual severity here.
            let usual = options.settings[finding.code] == nil ? finding.severity : nil
            guard let severity = severities[finding.code] ?? usual else { continue }
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
            everything: findings + hidden, isTreeReliable: isTreeReliable, isAsInFile: isAsInFile,
            work: CheckCost.base + source.bytes.count * CheckCost.byte
                + (findings.count + hidden.count) * CheckCost.finding)
    }
}

/// The cost of a check besides comparing rules, in units of `WorkBudget`.
private enum CheckCost {
    static let base = 20_000
    static let byte = 12
    static let finding = 200
}

/// The result of a check.
public struct LintResult: Sendable {
    /// The text that all positions refer to: the file's, or what was unwrapped or converted.
    public let source: SourceText
    /// The findings, by start, end and code.
    public internal(set) var diagnostics: [Diagnostic]
    /// The findings that are ignored, each with the ignore that covers it.
    public let ignored: [(diagnostic: Diagnostic, ignore: Ignore)]

    /// All findings, those too that others or an ignore hide.
    package let everything: [Diagnostic]
    /// Whether the rules about meaning could be applied.
    package let isTreeReliable: Bool
    /// Whether positions are those of the file itself.
    package let isAsInFile: Bool
    /// The document as the system reads it; nil if the file is not an association file, or its tree is not reliable.
    var document: AssociationDocument?
    /// The same of an asset links file, as Android reads it.
    var assetLinks: AssetLinksDocument?
    /// The work that the check has taken, in units of `WorkBudget`: the same for the same file on every machine.
    var work: Int

    /// Whether the system refuses or misunderstands something in the file.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The findings for a report, with the reasons of what was ignored.
    ///
    /// - Parameter fixed: The findings that fixes have removed.
    package func report(fixed: [FileReport.Fixed] = []) -> FileReport {
        FileReport(
            source, diagnostics,
            suppressed: ignored.map { FileReport.Suppressed($0.diagnostic, reason: $0.ignore.reason) }, fixed: fixed,
            isConverted: !isAsInFile)
    }
}

extension JSONDocument {
    /// Whether positions are those of the file itself.
    fileprivate var isAsInFile: Bool { !findings.contains { $0.is(.utf16Text) } }
}

extension Diagnostic {
    /// By start, end and code.
    fileprivate static func isInOrder(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        (left.range.start, left.range.end, left.code.rawValue)
            < (right.range.start, right.range.end, right.code.rawValue)
    }
}

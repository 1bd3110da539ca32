import AppSiteAssociation
import AssociationFiles
import AssociationLint
import Diagnostics
import FindingCatalogue
import JSONSyntax
import PatternAnalysis
import PostgreSQLStore
import SystemSupport

/// The judgement of a file that is to be published: that of `aasa validate`, and what the store itself refuses.
struct PublicationCheck {
    /// The most bytes that the store takes.
    static let mostBytes = 1 << 20

    let bytes: [UInt8]
    /// The findings, by file.
    private(set) var report: Report
    /// The text of the `.aasa.json` that it was checked with; nil without one.
    let lint: String?

    var findings: StoreFindings { StoreFindings(errors: report.errorCount, warnings: report.warningCount) }

    /// Checks a file from the disk, with the nearest `.aasa.json`.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input, for which the `.aasa.json` of the working directory is used.
    ///   - name: the name under which it is to be published, which tells its kind.
    init(_ bytes: [UInt8], path: String, name: String) {
        var checker = FileChecker(rules: AllRules.catalogue)
        self.init(bytes, path: path, name: name, checker: &checker)
        report.files += checker.configurationReports()
    }

    /// - Parameter checker: for many files, so that each `.aasa.json` is read once.
    init(_ bytes: [UInt8], path: String, name: String, checker: inout FileChecker) {
        self.bytes = bytes
        let shown = path == "-" ? "<standard input>" : RawPath(argument: path).shown
        let kind = Self.kind(name)
        lint = kind == .other ? nil : checker.configurationText(forFileAt: path, publishedAs: name)
        if let finding = Self.refusal(bytes, name: name) {
            report = Report([FileReport(SourceText([], path: shown), [finding])], fileCount: 1)
            return
        }
        let linter = checker.linter(forFileAt: path)
        let file = linter.check(bytes, path: shown, as: kind).map { checker.report($0, by: linter) }
        report = Report([file].compactMap { $0 }, fileCount: 1)
    }

    /// Checks a version from the store, as nodes do: with the `.aasa.json` that it was published with.
    init(_ bytes: [UInt8], path: String, name: String, lint: String?) {
        self.bytes = bytes
        self.lint = lint
        let kind = Self.kind(name)
        if let finding = Self.refusal(bytes, name: name) {
            report = Report([FileReport(SourceText([], path: path), [finding])], fileCount: 1)
            return
        }
        guard kind != .other else {
            report = Report([], fileCount: 1)
            return
        }
        var options = LintOptions()
        if let lint {
            let configuration = LintConfiguration(
                Array(lint.utf8), path: "\(path)/\(LintConfiguration.fileName)", rules: AllRules.catalogue)
            options.settings = configuration.settings
            options.minimumIOS = configuration.minimumIOS
            options.ignores = configuration.ignores(forFileAt: name)
        }
        let result = Linter(options, unwrap: SignedAssociationFile.unwrap).check(bytes, path: path, as: kind)
        report = Report([FileReport(result.source, result.diagnostics)], fileCount: 1)
    }

    /// Whether it must not be published.
    ///
    /// - Parameter isStrict: whether warnings count as errors.
    func isRefused(isStrict: Bool) -> Bool { report.errorCount > 0 || isStrict && report.warningCount > 0 }

    /// The kind that a file is checked as, by the name that it is published under.
    static func kind(_ name: String) -> FileKind {
        FileKind(path: name) ?? (name.lowercased().hasSuffix(".json") ? .json : .other)
    }

    private static func refusal(_ bytes: [UInt8], name: String) -> Diagnostic? {
        if bytes.count > mostBytes {
            return Diagnostic(
                .fileTooLarge,
                "the file has more than \(grouped(mostBytes)) bytes, which is the most that a store takes")
        }
        // First: what the validator says quotes the text.
        if let finding = PrivateKeyDetector.finding(in: bytes) { return finding }
        if kind(name) == .association, FileKind(path: "", bytes) == .assetLinks {
            return Diagnostic(
                .androidAssetLinks, "the file is an asset links file for Android, not an association file",
                advice: "publish it with '--name assetlinks.json'")
        }
        return nil
    }
}

/// The changes for links when bytes replace others.
struct PublicationDiff {
    let comparison: LinkComparison
    let old: AssociationDocument
    let new: AssociationDocument

    /// - Returns: nil if one of them is no association file that can be read.
    init?(old: [UInt8], oldPath: String, new: [UInt8], newPath: String, host: String) {
        guard let old = Self.document(old, oldPath), let new = Self.document(new, newPath) else { return nil }
        self.old = old
        self.new = new
        comparison = LinkComparison(old: old, new: new, host: host)
    }

    private static func document(_ bytes: [UInt8], _ path: String) -> AssociationDocument? {
        var bytes = bytes
        switch SignedAssociationFile.unwrap(bytes) {
        case .content(let content, _, _, _): bytes = content
        case .unreadable: return nil
        case nil: break
        }
        return try? AssociationDocument(bytes, path: path)
    }
}

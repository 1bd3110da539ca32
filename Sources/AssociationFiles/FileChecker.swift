package import AssociationLint
internal import BoundedText
package import Diagnostics
internal import JSONSyntax
internal import OpenSSL

/// Judges files with the options that are given and those of the nearest `.aasa.json` (validation.md, 4), or of the one that
/// comes with the file.
///
/// It remembers which entries of `.aasa.json` were used, to report the others in the end.
package struct FileChecker {
    private let options: LintOptions
    /// The most bytes that a file may have.
    private let limit: Int
    private let rules: RuleCatalogue
    private var finder: LintConfigurationFinder
    /// The entries that are about a file that was checked, and those that have ignored something.
    private var concerned: [String: Set<Ignore>] = [:]
    private var used: [String: Set<Ignore>] = [:]

    /// - Parameters:
    ///   - options: What wins over `.aasa.json`.
    ///   - configuration: The path of the configuration; nil looks for the nearest `.aasa.json` of each file.
    ///   - limit: The most bytes that a file may have, if that is less than can be published at all.
    ///   - rules: The rules whose codes a configuration may name.
    package init(
        _ options: LintOptions = LintOptions(), configuration: String? = nil, limit: Int = FileSizes.published,
        rules: RuleCatalogue
    ) {
        self.options = options
        self.limit = min(limit, FileSizes.published)
        self.rules = rules
        finder = LintConfigurationFinder(path: configuration, rules: rules)
    }

    /// Whether a configuration was being written while it was read.
    package var hasUnsettledConfiguration: Bool { finder.hasUnsettled }

    /// The configuration that the files in a folder are checked by; nil if there is none.
    package mutating func configuration(forFilesIn folder: String) -> LintConfigurationIdentity? {
        finder.identity(forFilesIn: folder)
    }

    /// The settings for a file on disk, which are those of the nearest `.aasa.json`.
    package mutating func linter(forFileAt path: String) -> FileLinter {
        guard let found = finder.configuration(forFileAt: path) else { return linter }
        return linter(found.configuration, found.identity.path, forFileAt: found.relativePath)
    }

    /// The settings for files without a configuration.
    package var linter: FileLinter { FileLinter(linter: Self.linter(options), limit: limit) }

    /// The settings for a file that comes with its own `.aasa.json`.
    ///
    /// - Parameters:
    ///   - path: The file's path, relative to the folder of the configuration.
    ///   - text: The text of the configuration.
    ///   - place: The path of the configuration in findings about it.
    package func linter(forFileAt path: String, configuredBy text: String, at place: String) -> FileLinter {
        let configuration = LintConfiguration(Array(text.utf8), path: place, rules: rules)
        let findings = configuration.findings(unused: [], options)
        var linter = linter(configuration, nil, forFileAt: path)
        if !findings.isEmpty {
            linter.problems = FileReport(configuration.source, findings, isConfiguration: true)
        }
        return linter
    }

    /// - Parameter place: The path of a configuration whose unused entries are reported; nil for any other.
    private func linter(
        _ configuration: LintConfiguration, _ place: String?, forFileAt path: String
    ) -> FileLinter {
        let ignores = configuration.ignores(forFileAt: path)
        var merged = options
        merged.settings = configuration.settings.merging(options.settings) { _, option in option }
        merged.minimumIOS = options.minimumIOS ?? configuration.minimumIOS
        merged.ignores += ignores
        return FileLinter(
            linter: Self.linter(merged), limit: limit, configuration: place,
            // What no check of a file finds is about a host, a copy, a link, or the app's side.
            entries: place == nil ? [] : ignores.filter { !isFoundByDoctorAlone($0.code) })
    }

    private func isFoundByDoctorAlone(_ code: DiagnosticCode) -> Bool {
        rules[code.rawValue].map { $0.subject.isLive || $0.subject == .app } ?? false
    }

    /// The text of the configuration that a file is checked by, to go with the file where it is published.
    ///
    /// - Parameter name: that it is published under, beside the configuration.
    /// - Returns: Nil if there is none, or it is not text.
    package mutating func configurationText(forFileAt path: String, publishedAs name: String) -> String? {
        guard let found = finder.configuration(forFileAt: path), found.configuration.isRead else { return nil }
        let published = PublishedConfiguration(found.configuration, name: name)
        return String(validUnbounded: published.text(forFileAt: found.relativePath))
    }

    /// Decides about the bytes of a file, and notes what its configuration was needed for.
    ///
    /// - Parameters:
    ///   - path: What messages call the file.
    ///   - links: What a `links.json` is judged by as well; without it, it is judged as JSON.
    package mutating func judge(
        _ bytes: [UInt8], as file: SiteFile, path: String, by linter: FileLinter, links: LinkSurroundings? = nil
    ) -> FileJudgement {
        let judgement = linter.judge(bytes, as: file, path: path, links: links)
        if let use = judgement.suppression { note(use) }
        return judgement
    }

    /// The report of a result, whose use of the configuration is noted.
    package mutating func report(
        _ result: LintResult, fixed: [FileReport.Fixed] = [], by file: FileLinter
    ) -> FileReport {
        if let use = file.use(of: result) { note(use) }
        return result.report(fixed: fixed)
    }

    /// Takes over what an earlier check has found out, with the same configuration.
    package mutating func note(_ use: SuppressionUse) {
        concerned[use.path, default: []].formUnion(use.concerned)
        used[use.path, default: []].formUnion(use.used)
    }

    /// The findings about the configurations themselves, and about their unused entries.
    package func configurationReports() -> [FileReport] {
        finder.all.compactMap { path, configuration in
            let unused = concerned[path, default: []].subtracting(used[path, default: []])
            let diagnostics = configuration.findings(unused: unused, options)
            return diagnostics.isEmpty
                ? nil : FileReport(configuration.source, diagnostics, isConfiguration: true)
        }
    }

    private static func linter(_ options: LintOptions) -> Linter {
        Linter(options, unwrap: SignedAssociationFile.unwrap)
    }
}

/// The settings that one file is judged by.
package struct FileLinter {
    package let linter: Linter
    /// The most bytes that the file may have.
    let limit: Int
    /// The path of the configuration; nil if it has none whose unused entries are reported.
    var configuration: String?
    /// The entries of the configuration that are about the file, and that a check of it can use.
    var entries: [Ignore] = []
    /// The findings in a configuration that comes with the file.
    var problems: FileReport?

    /// Decides about the bytes of a file: the same everywhere, for the same bytes, name and settings.
    ///
    /// - Parameters:
    ///   - path: What messages call the file.
    ///   - links: What a `links.json` is judged by as well.
    func judge(_ bytes: [UInt8], as file: SiteFile, path: String, links: LinkSurroundings?) -> FileJudgement {
        if let report = refusal(of: bytes, as: file, path: path) {
            return FileJudgement(report: report, configuration: nil, suppression: nil)
        }
        if file.kind == .links, let links { return judge(links: bytes, path: path, links) }
        // Nothing else is known about what is neither JSON nor Apple's or Android's.
        guard file.kind != .other else {
            return FileJudgement(
                report: FileReport(SourceText([], path: path), []), configuration: nil, suppression: nil)
        }
        let result = linter.check(bytes, path: path, as: file.kind)
        return FileJudgement(report: result.report(), configuration: problems, suppression: use(of: result))
    }

    /// The report of a file that is not published, whatever the validator would find in it; nil for any other.
    package func refusal(of bytes: [UInt8], as file: SiteFile, path: String) -> FileReport? {
        // A file of links has a limit of its own.
        file.refusal(of: bytes, path: path, limit: file.kind == .links ? .max : limit).map {
            FileReport(SourceText([], path: path), [$0])
        }
    }

    /// Which of the configuration's entries a check used; nil if the file has no configuration.
    func use(of result: LintResult) -> SuppressionUse? {
        configuration.map { path in
            SuppressionUse(
                path: path,
                // A file whose JSON is broken is not checked any further, and what would have been found is unknown.
                concerned: result.isTreeReliable ? entries : [],
                used: result.ignored.map(\.ignore).filter { $0.entry != nil })
        }
    }
}

/// Which entries of an `.aasa.json` are about one file, and which of them it needed.
package struct SuppressionUse: Equatable, Sendable {
    /// The path of the configuration.
    let path: String
    /// The entries that are about the file.
    let concerned: [Ignore]
    /// Those of them that have ignored something.
    let used: [Ignore]
}

/// Takes the content out of files that are signed as iOS 8 wanted it; the library with the linter links no OpenSSL.
package enum SignedAssociationFile {
    /// - Returns: `nil` for a file that is not signed.
    package static func unwrap(_ bytes: [UInt8]) -> SignedFile? {
        guard SignedData.isSigned(bytes) else { return nil }
        do throws(OpenSSLError) {
            let signed = try SignedData.content(bytes)
            return .content(
                signed.content, signer: signed.signer, issuer: signed.issuer, notAfter: signed.notAfter)
        } catch {
            return .unreadable(error.description)
        }
    }
}

package import AssociationLint
internal import BoundedText
package import Diagnostics
internal import OpenSSL

/// Checks files on disk with the options that are given and those of the nearest `.aasa.json` (validation.md, 4).
///
/// It remembers which entries of `.aasa.json` were used, to report the others in the end.
package struct FileChecker {
    private let options: LintOptions
    private let rules: RuleCatalogue
    private var finder: LintConfigurationFinder
    /// The entries that are about a file that was checked, and those that have ignored something.
    private var concerned: [String: Set<Ignore>] = [:]
    private var used: [String: Set<Ignore>] = [:]

    /// - Parameters:
    ///   - options: What wins over `.aasa.json`.
    ///   - configuration: The path of the configuration; nil looks for the nearest `.aasa.json` of each file.
    ///   - rules: The rules whose codes a configuration may name.
    package init(_ options: LintOptions = LintOptions(), configuration: String? = nil, rules: RuleCatalogue) {
        self.options = options
        self.rules = rules
        finder = LintConfigurationFinder(path: configuration, rules: rules)
    }

    /// Whether a configuration was read while somebody wrote it.
    package var hasUnsettledConfiguration: Bool { finder.hasUnsettled }

    /// The configuration that the files in a folder are checked by; nil if there is none.
    package mutating func configuration(forFilesIn folder: String) -> LintConfigurationIdentity? {
        finder.identity(forFilesIn: folder)
    }

    /// The linter for a file, and what is known about its configuration.
    package mutating func linter(forFileAt path: String) -> FileLinter {
        guard let found = finder.configuration(forFileAt: path) else {
            return FileLinter(linter: Self.linter(options), configuration: nil, ignores: [])
        }
        return linter(found.configuration, found.identity, forFileAt: found.relativePath)
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

    /// The linter for files without a configuration.
    package var linter: FileLinter { FileLinter(linter: Self.linter(options), configuration: nil, ignores: []) }

    /// The linter for a file that comes with its own `.aasa.json`.
    ///
    /// - Parameters:
    ///   - path: The file's path, relative to the folder of the configuration.
    ///   - text: The text of the configuration.
    ///   - place: The path of the configuration in findings about it.
    /// - Returns: Also what is wrong with the configuration itself.
    package func linter(
        forFileAt path: String, configuredBy text: [UInt8], at place: String
    ) -> (linter: FileLinter, findings: FileReport?) {
        let configuration = LintConfiguration(text, path: place, rules: rules)
        let findings = configuration.findings(unused: [], options)
        return (
            linter(configuration, Self.identity(of: text, at: place), forFileAt: path),
            findings.isEmpty ? nil : FileReport(configuration.source, findings, isConfiguration: true)
        )
    }

    /// The identity of the text of a configuration.
    package static func identity(of text: [UInt8], at place: String) -> LintConfigurationIdentity {
        LintConfigurationIdentity(path: place, digest: SHA256Digest.hash(text))
    }

    private func linter(
        _ configuration: LintConfiguration, _ identity: LintConfigurationIdentity, forFileAt path: String
    ) -> FileLinter {
        let ignores = configuration.ignores(forFileAt: path)
        var merged = options
        merged.settings = configuration.settings.merging(options.settings) { _, option in option }
        merged.minimumIOS = options.minimumIOS ?? configuration.minimumIOS
        merged.ignores += ignores
        return FileLinter(linter: Self.linter(merged), configuration: identity, ignores: ignores)
    }

    /// The report of a file, with the reasons of what was ignored.
    package mutating func report(
        _ result: LintResult, fixed: [FileReport.Fixed] = [], by file: FileLinter
    ) -> FileReport {
        if let use = use(of: result, by: file) { note(use) }
        return FileReport(
            result.source, result.diagnostics,
            suppressed: result.ignored.map { FileReport.Suppressed($0.diagnostic, reason: $0.ignore.reason) },
            fixed: fixed, isConverted: !result.isAsInFile)
    }

    /// Which of the configuration's entries a check used; nil if the file has no configuration.
    package func use(of result: LintResult, by file: FileLinter) -> SuppressionUse? {
        guard let configuration = file.configuration else { return nil }
        return SuppressionUse(
            path: configuration.path,
            // A file whose JSON is broken is not checked any further, and nobody knows what would have been found.
            concerned: result.isTreeReliable ? file.ignores.filter { !isFoundByDoctorAlone($0.code) } : [],
            used: result.ignored.map(\.ignore).filter { $0.entry != nil })
    }

    /// Whether no check of a file finds a code: it is about a host, a copy, a link, or the app's side.
    private func isFoundByDoctorAlone(_ code: DiagnosticCode) -> Bool {
        rules[code.rawValue].map { $0.subject.isLive || $0.subject == .app } ?? false
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

/// The linter for one file.
package struct FileLinter {
    package let linter: Linter
    /// Nil if it has none.
    let configuration: LintConfigurationIdentity?
    /// The entries of the configuration that are about the file.
    fileprivate let ignores: [Ignore]

    /// - Returns: Nil for a file that nothing is known about.
    package func check(_ bytes: [UInt8], path: String, as kind: FileKind) -> LintResult? {
        kind == .other ? nil : linter.check(bytes, path: path, as: kind)
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

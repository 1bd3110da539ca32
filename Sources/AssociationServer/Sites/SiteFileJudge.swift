internal import AssociationFiles
internal import AssociationLint
internal import BoundedText
package import Diagnostics
internal import JSONSyntax
internal import OpenSSL
internal import SiteStore

/// Decides what is served of the files of sites, wherever they come from: a bad one never replaces a good one.
struct SiteFileJudge {
    /// More than this no system of Apple's reads.
    private static let systemLimit = 131_072

    private let limit: Int
    private let now: Int64
    var checker: FileChecker
    private var budget = FindingBudget()
    private var changes: [LoadedFile] = []

    /// - Parameters:
    ///   - limit: the most bytes that a file may have.
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    ///   - now: seconds since 1970.
    init(limit: Int, rules: RuleCatalogue, now: Int64) {
        checker = FileChecker(rules: rules)
        self.limit = limit
        self.now = now
    }

    /// A file that is judged, with all that it is judged by.
    struct Candidate {
        let file: SiteFile
        /// Names it in findings.
        let path: String
        let basis: LoadedFile.Basis
        let terms: PublishedFile.Terms
        /// The earlier decision about the file.
        let previous: LoadedFile?
        /// The last good file, as it is served from now on.
        let lastGood: PublishedFile?
        /// The `.aasa.json` that comes with it, and its path; nil for the nearest one on disk.
        var configuration: Configuration?

        enum Configuration {
            case none
            case text(String, path: String)
        }
    }

    /// The result of checking the bytes of a file.
    private struct Verdict {
        var findings: [LocatedDiagnostic]
        var isGood: Bool
        var suppression: SuppressionUse?

        init(_ findings: [LocatedDiagnostic], _ suppression: SuppressionUse? = nil) {
            self.findings = findings
            isGood = !findings.contains(where: \.isError)
            self.suppression = suppression
        }
    }

    /// The files since the last call of which there is something new to say.
    mutating func takeChanges() -> [LoadedFile] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }

    /// The findings that there is room for.
    mutating func kept(_ findings: [LocatedDiagnostic]) -> [LocatedDiagnostic] {
        findings.isEmpty ? findings : budget.keep(findings)
    }

    /// Decides about the bytes of a file on disk.
    ///
    /// - Parameter lastModified: seconds since 1970.
    mutating func decide(_ candidate: Candidate, _ bytes: [UInt8], lastModified: Int64) -> LoadedFile {
        let isLastGood = candidate.lastGood?.hasBytes(bytes) == true
        let content =
            isLastGood && candidate.previous?.isRefused == false
            ? LoadedFile.Content.published : .refused(SHA256Digest.hash(bytes))
        if let previous = candidate.previous, previous.content == content, previous.basis == candidate.basis {
            return unchanged(candidate, previous)
        }
        let verdict = check(candidate, bytes)
        let findings = kept(verdict.findings)
        guard verdict.isGood else {
            return refused(candidate, .refused(SHA256Digest.hash(bytes)), findings, verdict.suppression)
        }
        let file =
            candidate.lastGood.flatMap { isLastGood ? $0 : nil }
            // Never later than the answer's date (RFC 9110, section 8.8.2.1).
            ?? PublishedFile(bytes: bytes, lastModified: min(lastModified, now), terms: candidate.terms)
        let previous = candidate.previous
        let loaded = LoadedFile(
            name: candidate.file.name, file: file, content: .published, findings: findings,
            loadedAt: isLastGood ? previous?.loadedAt ?? now : now, refusedAt: 0, basis: candidate.basis,
            suppression: verdict.suppression)
        // Judged by another configuration, the same bytes may be judged as before.
        if content != .published || previous?.findings != findings { changes.append(loaded) }
        return loaded
    }

    /// Decides about a version of a file that a store has.
    ///
    /// - Parameters:
    ///   - isChecked: whether this version of the program has found it good before.
    ///   - publish: makes the file that is served.
    mutating func decide(
        _ candidate: Candidate, _ contents: StoredContents, isChecked: Bool,
        publish: (StoredContents) -> PublishedFile
    ) -> LoadedFile {
        if let previous = candidate.previous, previous.basis == candidate.basis {
            return unchanged(candidate, previous)
        }
        guard contents.isIntact else {
            let message = "the bytes of the file are not those that its SHA-256 stands for"
            return unusable(candidate, .error(candidate.path, message, help: "publish the file again"))
        }
        let verdict = isChecked ? Verdict([]) : check(candidate, contents.bytes)
        let findings = kept(verdict.findings)
        guard verdict.isGood else {
            return refused(candidate, .refused(contents.digest.bytes), findings, verdict.suppression)
        }
        let file = publish(contents)
        let loaded = LoadedFile(
            name: candidate.file.name, file: file, content: .published, findings: findings,
            loadedAt: file === candidate.lastGood ? candidate.previous?.loadedAt ?? now : now, refusedAt: 0,
            basis: candidate.basis, suppression: verdict.suppression)
        changes.append(loaded)
        return loaded
    }

    /// Whether the bytes of an older version are good, so that they can stand in for newer ones.
    mutating func isGood(_ candidate: Candidate, _ contents: StoredContents) -> Bool {
        contents.isIntact && check(candidate, contents.bytes).isGood
    }

    /// The same file, refused, with an older version that is served in its place.
    ///
    /// - Parameter loadedAt: when that was read, in seconds since 1970; nil for now.
    mutating func serve(
        _ older: PublishedFile, inPlaceOf loaded: LoadedFile, since loadedAt: Int64? = nil
    ) -> LoadedFile {
        let stale = loaded.serving(older, since: loadedAt ?? now)
        changes.removeAll { $0 === loaded }
        changes.append(stale)
        return stale
    }

    /// Refuses a file whose bytes nobody has.
    mutating func unusable(_ candidate: Candidate, _ finding: LocatedDiagnostic) -> LoadedFile {
        let content = LoadedFile.Content.unreadable(finding)
        if let previous = candidate.previous, previous.content == content, previous.basis == candidate.basis {
            return unchanged(candidate, previous)
        }
        return refused(candidate, content, kept([finding]), nil)
    }

    private mutating func refused(
        _ candidate: Candidate, _ content: LoadedFile.Content, _ findings: [LocatedDiagnostic],
        _ suppression: SuppressionUse?
    ) -> LoadedFile {
        let previous = candidate.previous
        let isKnown = previous?.content == content && previous?.findings == findings
        let loaded = LoadedFile(
            name: candidate.file.name, file: candidate.lastGood, content: content, findings: findings,
            loadedAt: previous?.loadedAt ?? 0, refusedAt: isKnown ? previous?.refusedAt ?? now : now,
            basis: candidate.basis, suppression: suppression)
        if !isKnown { changes.append(loaded) }
        return loaded
    }

    /// Keeps what was found and decided before.
    mutating func unchanged(_ candidate: Candidate, _ previous: LoadedFile) -> LoadedFile {
        budget.count(previous.findings)
        if let suppression = previous.suppression, candidate.configuration == nil { checker.note(suppression) }
        return previous.serving(candidate.lastGood)
    }

    private mutating func check(_ candidate: Candidate, _ bytes: [UInt8]) -> Verdict {
        guard bytes.count <= limit else { return Verdict([tooLarge(candidate)]) }
        // First: what the validator says quotes the text.
        if let finding = PrivateKeyDetector.finding(in: bytes) {
            return Verdict([LocatedDiagnostic(finding, in: SourceText([], path: candidate.path))])
        }
        if candidate.file.isText, let problem = PlainText.problem(in: bytes, as: candidate.file.contentType) {
            return Verdict([.error(candidate.path, problem)])
        }
        guard case .text(let text, let place) = candidate.configuration else {
            let linter = candidate.configuration == nil ? checker.linter(forFileAt: candidate.path) : checker.linter
            guard let result = linter.check(bytes, path: candidate.path, as: candidate.file.kind) else {
                return Verdict([])
            }
            return Verdict(Self.findings(checker.report(result, by: linter)), checker.use(of: result, by: linter))
        }
        let (linter, problems) = checker.linter(
            forFileAt: candidate.file.name, configuredBy: Array(text.utf8), at: place)
        guard let result = linter.check(bytes, path: candidate.path, as: candidate.file.kind) else {
            return Verdict([])
        }
        var verdict = Verdict(
            result.diagnostics.map { LocatedDiagnostic($0, in: result.source) }, nil)
        // What is wrong with the configuration is no fault of the file.
        verdict.findings += problems.map(Self.findings) ?? []
        return verdict
    }

    static func findings(_ report: FileReport) -> [LocatedDiagnostic] {
        report.diagnostics.map { LocatedDiagnostic($0, in: report.source) }
    }

    private func tooLarge(_ candidate: Candidate) -> LocatedDiagnostic {
        let isBeyondSystem = candidate.file.kind == .association && limit >= Self.systemLimit
        return LocatedDiagnostic(
            Diagnostic(
                .fileTooLarge, "the file has more than \(grouped(limit)) bytes ('limits.fileBytes')",
                notes: isBeyondSystem ? ["the system ignores files of more than \(Self.systemLimit)"] : []),
            in: SourceText([], path: candidate.path))
    }
}

/// The number of findings that are kept: a mistake that thousands of files share must not eat the memory.
package struct FindingBudget {
    /// The number of findings of each file that are kept in any case.
    package static let fewOfOneFile = 3

    private var left: Int

    /// - Parameter most: of all files together; after that only few of each file are kept.
    package init(most: Int = 20_000) { left = most }

    /// The findings of a file that are kept, in their order, and at the end how many there are besides.
    ///
    /// Errors come before warnings: a file that is refused has one that says why.
    package mutating func keep(_ findings: [LocatedDiagnostic]) -> [LocatedDiagnostic] {
        let most = max(left, Self.fewOfOneFile)
        left = max(0, left - findings.count)
        guard findings.count > most + 1 else { return findings }
        let errors = findings.indices.filter { findings[$0].isError }
        let warnings = findings.indices.filter { !findings[$0].isError }
        let kept = Set((errors + warnings).prefix(most))
        let others = findings.indices.filter { !kept.contains($0) }
        let message = "\(grouped(others.count)) more findings are not listed"
        let hasErrors = others.contains { findings[$0].isError }
        let path = findings[0].path
        return findings.indices.filter(kept.contains).map { findings[$0] }
            + [hasErrors ? .error(path, message) : .warning(path, message)]
    }

    /// Counts what an earlier load has kept.
    package mutating func count(_ findings: [LocatedDiagnostic]) { left = max(0, left - findings.count) }
}

/// Decides whether a file that clients take for text is text: whatever else a link may lead to mostly is not.
private enum PlainText {
    /// The problem of a file that is not text; nil if it is.
    static func problem(in bytes: [UInt8], as contentType: String) -> String? {
        isText(bytes)
            ? nil
            : """
            the file is served as '\(contentType)', but is not text; expected UTF-8 without control characters other \
            than tab, line feed and carriage return
            """
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validUnbounded: bytes) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || scalar == "\t" || scalar == "\n" || scalar == "\r"
        }
    }
}

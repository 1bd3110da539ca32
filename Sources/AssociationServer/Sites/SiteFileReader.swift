internal import AssociationFiles
internal import AssociationLint
package import Diagnostics
internal import EventLoops
internal import Glibc
internal import JSONSyntax
internal import OpenSSL
internal import SystemSupport

/// Reads the files of sites, one after the other, and decides what is served of each.
struct SiteFileReader {
    /// More than this no system of Apple's reads.
    private static let systemLimit = 131_072

    private let access: SiteFileAccess
    private let limit: Int
    private let cacheMaxAge: Int
    private let now: Int64
    private var checker: FileChecker
    private var budget = FindingBudget()
    private var hasUnsettledFile = false
    private var changes: [LoadedFile] = []

    /// - Parameters:
    ///   - limit: the most bytes that a file may have.
    ///   - cacheMaxAge: in seconds.
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    ///   - now: seconds since 1970.
    init(_ access: SiteFileAccess, limit: Int, cacheMaxAge: Int, rules: RuleCatalogue, now: Int64) {
        checker = FileChecker(rules: rules)
        self.access = access
        self.limit = limit
        self.cacheMaxAge = cacheMaxAge
        self.now = now
    }

    /// Whether a file was written while it was read.
    var needsRetry: Bool { hasUnsettledFile || checker.hasUnsettledConfiguration }

    /// The files since the last call of which there is something new to say.
    mutating func takeChanges() -> [LoadedFile] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }

    /// The findings in the configurations of the validator.
    func configurationFindings() -> [LocatedDiagnostic] { checker.configurationReports().flatMap(Self.findings) }

    /// The findings that there is room for.
    mutating func kept(_ findings: [LocatedDiagnostic]) -> [LocatedDiagnostic] {
        findings.isEmpty ? findings : budget.keep(findings)
    }

    /// Reads a file that a site need not have.
    ///
    /// - Returns: `nil` if it is not there, and nothing of it is served. One that is gone is an error like another: the
    ///   last good one stays.
    mutating func readOptional(_ file: SiteFile, in folder: String, previous: LoadedFile?) -> LoadedFile? {
        if previous?.file == nil, Path.isMissing("\(folder)/\(file.name)") { return nil }
        return read(file, in: folder, previous: previous)
    }

    /// - Parameter previous: what was read of the file before.
    mutating func read(_ file: SiteFile, in folder: String, previous: LoadedFile?) -> LoadedFile {
        let path = "\(folder)/\(file.name)"
        let configuration = file.kind == .other ? nil : checker.configuration(forFilesIn: folder)
        let candidate = Candidate(
            file: file, folder: folder, path: path,
            basis: LoadedFile.Basis(kind: file.kind, isText: file.isText, limit: limit, configuration: configuration),
            terms: PublishedFile.Terms(contentType: file.contentType, cacheMaxAge: cacheMaxAge), previous: previous)
        do throws(SystemError) {
            let contents =
                previous == nil
                ? try access.readSettled(file.name, in: folder, limit: limit)
                : try access.read(file.name, in: folder, limit: limit)
            if !contents.isSettled {
                hasUnsettledFile = true
                if let previous { return unchanged(candidate, previous) }
            }
            return decide(candidate, contents)
        } catch {
            return unreadable(candidate, error)
        }
    }

    /// A file that is read, with all that it is judged by.
    private struct Candidate {
        let file: SiteFile
        let folder: String
        let path: String
        let basis: LoadedFile.Basis
        let terms: PublishedFile.Terms
        let previous: LoadedFile?
        /// The last good file, as it is served from now on.
        let lastGood: PublishedFile?

        init(
            file: SiteFile, folder: String, path: String, basis: LoadedFile.Basis, terms: PublishedFile.Terms,
            previous: LoadedFile?
        ) {
            self.file = file
            self.folder = folder
            self.path = path
            self.basis = basis
            self.terms = terms
            self.previous = previous
            lastGood = previous?.file?.on(terms)
        }
    }

    private mutating func decide(_ candidate: Candidate, _ contents: FileReader.Contents) -> LoadedFile {
        let bytes = contents.bytes
        let isLastGood = candidate.lastGood?.hasBytes(bytes) == true
        let content =
            isLastGood && candidate.previous?.isRefused == false
            ? LoadedFile.Content.published : .refused(SHA256Digest.hash(bytes))
        if let previous = candidate.previous, previous.content == content, previous.basis == candidate.basis {
            return unchanged(candidate, previous)
        }
        let (all, suppression) = check(candidate, bytes)
        let findings = kept(all)
        guard !all.contains(where: \.isError) else {
            return refused(candidate, .refused(SHA256Digest.hash(bytes)), findings, suppression)
        }
        let file =
            candidate.lastGood.flatMap { isLastGood ? $0 : nil }
            // Never later than the answer's date (RFC 9110, section 8.8.2.1).
            ?? PublishedFile(bytes: bytes, lastModified: min(contents.status.modified, now), terms: candidate.terms)
        let previous = candidate.previous
        let loaded = LoadedFile(
            name: candidate.file.name, file: file, content: .published, findings: findings,
            loadedAt: isLastGood ? previous?.loadedAt ?? now : now, refusedAt: 0, basis: candidate.basis,
            suppression: suppression)
        // Judged by another configuration, the same bytes may be judged as before.
        if content != .published || previous?.findings != findings { changes.append(loaded) }
        return loaded
    }

    private mutating func unreadable(_ candidate: Candidate, _ error: SystemError) -> LoadedFile {
        if Self.passing.contains(error.number), let previous = candidate.previous {
            hasUnsettledFile = true
            return unchanged(candidate, previous)
        }
        var message = "the file cannot be read: \(error.reason)"
        var help: String?
        if !Path.exists(candidate.folder) {
            message = "the file cannot be read: its folder is a broken link, or cannot be entered"
        } else if candidate.file != .association, Path.isMissing(candidate.path) {
            message =
                "the file is gone; its last version is served until the site's folder is removed or the server restarts"
        } else if candidate.file == .association, error.number == ENOENT, Path.isMissing(candidate.path) {
            message = "the site has no file '\(candidate.file.name)'"
            help = AssociationFileSearch.help(forMissingFileIn: candidate.folder)
        }
        let finding = LocatedDiagnostic.error(candidate.path, message, help: help)
        let content = LoadedFile.Content.unreadable(finding)
        if let previous = candidate.previous, previous.content == content, previous.basis == candidate.basis {
            return unchanged(candidate, previous)
        }
        return refused(candidate, content, kept([finding]), nil)
    }

    /// The errors that have nothing to do with the file, and will be gone in a moment.
    private static let passing = [EMFILE, ENFILE, ENOMEM]

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
    private mutating func unchanged(_ candidate: Candidate, _ previous: LoadedFile) -> LoadedFile {
        budget.count(previous.findings)
        if let suppression = previous.suppression { checker.note(suppression) }
        return previous.serving(candidate.lastGood)
    }

    private mutating func check(_ candidate: Candidate, _ bytes: [UInt8]) -> ([LocatedDiagnostic], SuppressionUse?) {
        guard bytes.count <= limit else { return ([tooLarge(candidate)], nil) }
        // First: what the validator says quotes the text.
        if let finding = PrivateKeyDetector.finding(in: bytes) {
            return ([LocatedDiagnostic(finding, in: SourceText([], path: candidate.path))], nil)
        }
        if candidate.file.isText, let problem = PlainText.problem(in: bytes, as: candidate.file.contentType) {
            return ([.error(candidate.path, problem)], nil)
        }
        let linter = checker.linter(forFileAt: candidate.path)
        guard let result = linter.check(bytes, path: candidate.path, as: candidate.file.kind) else { return ([], nil) }
        return (Self.findings(checker.report(result, by: linter)), checker.use(of: result, by: linter))
    }

    private static func findings(_ report: FileReport) -> [LocatedDiagnostic] {
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
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || scalar == "\t" || scalar == "\n" || scalar == "\r"
        }
    }
}

/// Reads the files of sites: whoever may write them need not be allowed to read all that the server's user may.
///
/// A file in the folder of its site is read, whatever leads to that folder: whoever makes folders of sites runs the server. A
/// link within such a folder is followed as far as it stays in that folder or in the folder of all sites.
struct SiteFileAccess {
    /// The folder of all sites.
    let sites: String
    /// Whether links may lead anywhere on the disk.
    let allowsLinksOutside: Bool
    /// The files that this server writes.
    let ownLogs: Set<Inode>

    init(_ configuration: ServerConfiguration) {
        sites = configuration.sites
        allowsLinksOutside = configuration.allowLinksOutside
        var logs = [STDOUT_FILENO, STDERR_FILENO].compactMap { descriptor in
            FileStatus(of: descriptor).flatMap { $0.kind == .regular ? $0.stamp.inode : nil }
        }
        if case .file(let path) = configuration.log.access, let status = FileStatus(at: path) {
            logs.append(status.stamp.inode)
        }
        ownLogs = Set(logs)
    }

    /// Reads a file again if it was written meanwhile, a few times.
    func readSettled(_ name: String, in folder: String, limit: Int) throws(SystemError) -> FileReader.Contents {
        try FileReader.settled { () throws(SystemError) in try read(name, in: folder, limit: limit) }
    }

    /// Reads a regular file, and no more than `limit` bytes of it and one.
    ///
    /// - Parameter name: in the folder, without a `/`.
    func read(_ name: String, in folder: String, limit: Int) throws(SystemError) -> FileReader.Contents {
        let path = "\(folder)/\(name)"
        let (descriptor, isLink) = try open(path)
        defer { close(descriptor) }
        if OpenedFile.isOfKernel(descriptor) {
            throw Self.refusal("it points to a file of the kernel, such as in /proc")
        }
        if isLink, !allowsLinksOutside { try checkLocation(of: descriptor, in: folder) }
        let contents = try FileReader.read(descriptor, limit: limit)
        if ownLogs.contains(contents.status.stamp.inode) { throw Self.refusal("it is a log of this server") }
        return contents
    }

    private func open(_ path: String) throws(SystemError) -> (descriptor: Int32, isLink: Bool) {
        do throws(SystemError) {
            return (try OpenedFile.open(path, followsLink: false), false)
        } catch {
            guard error.number == ELOOP else { throw FileReader.explained(error, path) }
        }
        do throws(SystemError) {
            return (try OpenedFile.open(path, followsLink: true), true)
        } catch {
            guard error.number == ELOOP else { throw FileReader.explained(error, path) }
            throw SystemError(call: error.call, number: ELOOP, reason: "it is a circular link, or one through /proc")
        }
    }

    /// Looks at what was opened and not at the link, which may be another one by now.
    private func checkLocation(of descriptor: Int32, in folder: String) throws(SystemError) {
        guard let path = OpenedFile.path(of: descriptor) else {
            throw Self.refusal("it is a link whose target is unknown, because /proc is not mounted")
        }
        let isInside = [folder, sites].contains { folder in
            guard let folder = Path.resolved(folder) else { return false }
            return path.utf8.starts(with: (folder == "/" ? "/" : "\(folder)/").utf8)
        }
        if isInside { return }
        throw Self.refusal(
            "it is a link that points outside the sites folder; set 'allowLinksOutside' to true if that is intended"
        )
    }

    private static func refusal(_ reason: String) -> SystemError {
        SystemError(call: "open", number: EACCES, reason: reason)
    }
}

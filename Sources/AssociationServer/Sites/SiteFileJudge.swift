internal import AssociationFiles
internal import AssociationLint
package import Diagnostics
internal import OpenSSL
internal import SiteStore

/// Decides what is served of the files of sites, wherever they come from: a bad one never replaces a good one.
struct SiteFileJudge {
    private let now: Int64
    var checker: FileChecker
    private var budget = FindingBudget()
    private var changes: [LoadedFile] = []

    /// - Parameters:
    ///   - limit: the most bytes that a file may have.
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    ///   - now: seconds since 1970.
    init(limit: Int, rules: RuleCatalogue, now: Int64) {
        checker = FileChecker(limit: limit, rules: rules)
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
        let judgement = judge(candidate, bytes)
        let findings = kept(judgement.findings)
        guard judgement.isAcceptable else {
            return refused(candidate, .refused(SHA256Digest.hash(bytes)), findings, judgement.suppression)
        }
        let file =
            candidate.lastGood.flatMap { isLastGood ? $0 : nil }
            // Never later than the answer's date (RFC 9110, section 8.8.2.1).
            ?? PublishedFile(bytes: bytes, lastModified: min(lastModified, now), terms: candidate.terms)
        let previous = candidate.previous
        let loaded = LoadedFile(
            name: candidate.file.name, file: file, content: .published, findings: findings,
            loadedAt: isLastGood ? previous?.loadedAt ?? now : now, refusedAt: 0, basis: candidate.basis,
            suppression: judgement.suppression)
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
        let judgement = isChecked ? nil : judge(candidate, contents.bytes)
        let findings = kept(judgement?.findings ?? [])
        guard judgement?.isAcceptable != false else {
            return refused(candidate, .refused(contents.digest.bytes), findings, judgement?.suppression)
        }
        let file = publish(contents)
        let loaded = LoadedFile(
            name: candidate.file.name, file: file, content: .published, findings: findings,
            loadedAt: file === candidate.lastGood ? candidate.previous?.loadedAt ?? now : now, refusedAt: 0,
            basis: candidate.basis, suppression: judgement?.suppression)
        changes.append(loaded)
        return loaded
    }

    /// Whether the bytes of an older version are good, so that they can stand in for newer ones.
    mutating func isGood(_ candidate: Candidate, _ contents: StoredContents) -> Bool {
        contents.isIntact && judge(candidate, contents.bytes).isAcceptable
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

    private mutating func judge(_ candidate: Candidate, _ bytes: [UInt8]) -> FileJudgement {
        let linter =
            switch candidate.configuration {
            case nil: checker.linter(forFileAt: candidate.path)
            case .some(.none): checker.linter
            case .text(let text, let place):
                checker.linter(forFileAt: candidate.file.name, configuredBy: text, at: place)
            }
        return checker.judge(bytes, as: candidate.file, path: candidate.path, by: linter)
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

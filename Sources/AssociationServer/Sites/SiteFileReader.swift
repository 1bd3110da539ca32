internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import EventLoops
internal import Glibc
internal import SiteStore
package import SystemSupport

/// Reads the files of sites from their folders, one after the other, and has them judged.
struct SiteFileReader {
    private let access: SiteFileAccess
    private let memory: SiteMemory?
    private let limit: Int
    private let cacheMaxAge: Int
    private var judge: SiteFileJudge
    private var hasUnsettledFile = false

    /// - Parameters:
    ///   - memory: the last good files of an earlier process.
    ///   - limit: the most bytes that a file may have.
    ///   - cacheMaxAge: in seconds.
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    ///   - now: seconds since 1970.
    init(
        _ access: SiteFileAccess, memory: SiteMemory?, limit: Int, cacheMaxAge: Int, rules: RuleCatalogue, now: Int64
    ) {
        judge = SiteFileJudge(limit: limit, rules: rules, now: now)
        self.access = access
        self.memory = memory
        self.limit = limit
        self.cacheMaxAge = cacheMaxAge
    }

    /// Whether a file was written while it was read.
    var needsRetry: Bool { hasUnsettledFile || judge.checker.hasUnsettledConfiguration }

    /// The files since the last call of which there is something new to say.
    mutating func takeChanges() -> [LoadedFile] { judge.takeChanges() }

    /// The findings in the configurations of the validator.
    func configurationFindings() -> [LocatedDiagnostic] {
        judge.checker.configurationReports().flatMap(\.located)
    }

    /// The findings that there is room for.
    mutating func kept(_ findings: [LocatedDiagnostic]) -> [LocatedDiagnostic] { judge.kept(findings) }

    /// Reads a file that a site need not have.
    ///
    /// - Returns: `nil` if it is not there, and nothing of it is served. One that is gone is an error like another: the
    ///   last good one stays.
    mutating func readOptional(
        _ file: SiteFile, of domain: String, in folder: String, previous: LoadedFile?
    ) -> LoadedFile? {
        if previous?.file == nil, Path.isMissing("\(folder)/\(file.name)") { return nil }
        return read(file, of: domain, in: folder, previous: previous)
    }

    /// - Parameter previous: what was read of the file before.
    mutating func read(
        _ file: SiteFile, of domain: String, in folder: String, previous: LoadedFile?
    ) -> LoadedFile {
        let configuration = file.kind == .other ? nil : judge.checker.configuration(forFilesIn: folder)
        let terms = PublishedFile.Terms(contentType: file.contentType, cacheMaxAge: cacheMaxAge)
        let candidate = SiteFileJudge.Candidate(
            file: file, path: "\(folder)/\(file.name)",
            basis: LoadedFile.Basis(kind: file.kind, isText: file.isText, limit: limit, configuration: configuration),
            terms: terms, previous: previous, lastGood: previous?.file?.on(terms))
        let loaded = read(candidate, in: folder)
        // One that is gone was removed, by whoever has restarted the server.
        guard previous == nil, loaded.isRefused, let memory, !Path.isMissing(candidate.path),
            let (contents, remembered) = memory.recall(domain, file.name), judge.isGood(candidate, contents)
        else { return loaded }
        let older = PublishedFile(
            bytes: contents.bytes, digest: contents.digest.bytes, lastModified: remembered.lastModified, terms: terms)
        return judge.serve(older, inPlaceOf: loaded, since: remembered.loadedAt)
    }

    private mutating func read(_ candidate: SiteFileJudge.Candidate, in folder: String) -> LoadedFile {
        let (name, previous) = (candidate.file.name, candidate.previous)
        do throws(SystemError) {
            let contents =
                previous == nil
                ? try access.readSettled(name, in: folder, limit: limit)
                : try access.read(name, in: folder, limit: limit)
            if !contents.isSettled {
                hasUnsettledFile = true
                if let previous { return judge.unchanged(candidate, previous) }
            }
            return judge.decide(candidate, contents.bytes, lastModified: contents.status.modified)
        } catch {
            return unreadable(candidate, in: folder, error)
        }
    }

    private mutating func unreadable(
        _ candidate: SiteFileJudge.Candidate, in folder: String, _ error: SystemError
    ) -> LoadedFile {
        if Self.passing.contains(error.number), let previous = candidate.previous {
            hasUnsettledFile = true
            return judge.unchanged(candidate, previous)
        }
        var message = "the file cannot be read: \(error.reason)"
        var help: String?
        if !Path.exists(folder) {
            message = "the file cannot be read: its folder is a broken link, or cannot be entered"
        } else if candidate.file != .association, Path.isMissing(candidate.path) {
            message =
                "the file is gone; its last version is served until the site's folder is removed or the server restarts"
        } else if candidate.file == .association, error.number == ENOENT, Path.isMissing(candidate.path) {
            message = "the site has no file '\(candidate.file.name)'"
            help = AssociationFileSearch.help(forMissingFileIn: folder)
        }
        return judge.unusable(candidate, LocatedDiagnostic.error(candidate.path, message, help: help))
    }

    /// The errors that have nothing to do with the file, and will be gone in a moment.
    private static let passing = [EMFILE, ENFILE, ENOMEM]
}

/// Reads the files of sites: whoever may write them need not be allowed to read all that the server's user may.
///
/// A file in the folder of its site is read, whatever leads to that folder: whoever makes folders of sites runs the server. A
/// link within such a folder is followed as far as it stays in that folder or in the folder of all sites.
package struct SiteFileAccess {
    /// The folder of all sites.
    let sites: String
    /// Whether links may lead anywhere on the disk.
    let allowsLinksOutside: Bool
    /// The files that this server writes.
    let ownLogs: Set<Inode>

    package init(_ configuration: ServerConfiguration) {
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
    package func readSettled(
        _ name: String, in folder: String, limit: Int
    ) throws(SystemError) -> FileReader.Contents {
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

internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import DomainNames
internal import EventLoops
internal import Glibc
internal import SiteStore
internal import SystemSupport

/// The folder of sites as a source of the catalogue (server.md, sections 1 and 5).
struct SiteFolder {
    private let folder: String
    private let access: SiteFileAccess
    private let trustsStamps: Bool
    private let memory: SiteCatalog.Memory

    /// - Parameter trustsStamps: whether files that look as they did are not read again.
    init(_ configuration: ServerConfiguration, trustsStamps: Bool, memory: @escaping SiteCatalog.Memory) {
        folder = configuration.sites
        access = SiteFileAccess(configuration)
        self.trustsStamps = trustsStamps
        self.memory = memory
    }

    /// Hands over all files; sites whose folders are gone end.
    ///
    /// - Throws: `ServerError.Code.unreadable` if the folder itself cannot be read. What is wrong with one site is a
    ///   finding.
    func read(into update: inout SiteUpdate) throws(ServerError) {
        var sites: [(domain: String, name: String)] = []
        for name in try Self.folders(in: folder) {
            do throws(DomainError) {
                sites.append((try Domain(folder: name).identifier, name))
            } catch {
                update.refusedEntries += 1
                guard update.findings.count < update.settings.sites else { continue }
                update.findings.append(
                    .error(Path.join(folder, name), "the folder's name \(error.message)", help: error.help))
            }
        }
        update.keep(only: Set(sites.lazy.map(\.domain)))
        var omitted: [String] = []
        for (domain, name) in sites {
            if update.admits(domain) {
                read(domain, in: Path.join(folder, name), &update)
            } else {
                omitted.append(name)
            }
        }
        guard let first = omitted.first else { return }
        update.refusedEntries += omitted.count
        let others = omitted.count > 1 ? " and \(grouped(omitted.count - 1)) more" : ""
        update.findings.append(
            .error(
                folder,
                "the folder has more than \(grouped(update.settings.sites)) sites; \(quoted(first))\(others) are not loaded",
                help: "raise 'limits.sites' in server.json if the memory allows it, or remove folders"))
    }

    /// Hands over the files of a few sites, by the names of their folders, which costs no more than that.
    ///
    /// Where that may not be all that has changed, everything is read again afterwards.
    func read(only names: Set<String>, into update: inout SiteUpdate) {
        update.isPartial = true
        if names.contains(LintConfiguration.fileName) { update.readAgain() }
        for name in names.sorted() where !Folder.isLeftOut(name) {
            let path = Path.join(folder, name)
            let domain = try? Domain(folder: name).identifier
            if let domain, Self.isSite(at: path), update.admits(domain) {
                read(domain, in: path, &update)
            } else if let domain, Path.isMissing(path), Path.isFolder(folder), !update.hasRefusedEntries {
                for file in update.files(of: domain) { update.remove(file.name, of: domain) }
            } else if FileStatus(at: path)?.kind != .regular || !update.files(of: domain ?? "").isEmpty {
                update.readAgain()
            }
        }
    }

    /// Whether a path counts as the folder of a site: a broken link does, as one is meant to be there.
    private static func isSite(at path: String) -> Bool {
        FileStatus(at: path).map { $0.kind == .folder } ?? Path.isLink(path)
    }

    private static func folders(in folder: String) throws(ServerError) -> [String] {
        do throws(SystemError) {
            return try Folder.folders(in: folder)
        } catch {
            throw ServerError(
                .unreadable, "cannot read the sites folder '\(folder)': \(error.reason)",
                help:
                    "create a folder for each domain, like '\(folder)/example.com', or choose another folder with --sites; "
                    + "'aasa serve --demo' tries a sample"
            )
        }
    }

    /// The domains that there are folders for, without a look into them; sorted.
    ///
    /// - Throws: `ServerError.Code.unreadable`.
    static func domains(_ configuration: ServerConfiguration) throws(ServerError) -> [String] {
        try folders(in: configuration.sites).compactMap { try? Domain(folder: $0).identifier }.sorted()
    }
}

// One site.
extension SiteFolder {
    private func read(_ domain: String, in folder: String, _ update: inout SiteUpdate) {
        for file in update.settings.files {
            let before = update.files(of: domain).first { $0.name == file.name }
            // One that was served and is gone is an error like another: the last good one stays.
            if before?.file == nil, Path.isMissing("\(folder)/\(file.name)"),
                !isNeeded(file, of: domain, in: folder, update)
            {
                update.remove(file.name, of: domain)
            } else {
                read(file, of: domain, in: folder, isKnown: before != nil, &update)
            }
        }
    }

    /// Whether a site has to have a file: an association file, if it has no other one, or if that has a wrong name.
    private func isNeeded(
        _ file: SiteFile, of domain: String, in folder: String, _ update: SiteUpdate
    ) -> Bool {
        guard file == .association else { return false }
        let hasOthers =
            update.files(of: domain).contains { $0.name != file.name && $0.file != nil }
            || update.settings.files.contains { $0 != file && !Path.isMissing("\(folder)/\($0.name)") }
        return !hasOthers || AssociationFileSearch.help(forMissingFileIn: folder) != nil
    }

    private func read(
        _ file: SiteFile, of domain: String, in folder: String, isKnown: Bool, _ update: inout SiteUpdate
    ) {
        let path = "\(folder)/\(file.name)"
        if isKnown, trustsStamps, update.keep(file, of: domain, in: folder, stamp: FileStatus(at: path)?.stamp) {
            return
        }
        let content: SourceFile.Content
        var isSettled = true
        var stamp: FileStamp?
        do throws(SystemError) {
            let limit = update.settings.limit(of: file)
            let contents =
                isKnown
                ? try access.read(file.name, in: folder, limit: limit)
                : try access.readSettled(file.name, in: folder, limit: limit)
            content = .bytes(contents.bytes, lastModified: contents.status.modified)
            isSettled = contents.isSettled
            if isSettled, contents.status.stamp.isConclusive(at: update.now) { stamp = contents.status.stamp }
        } catch {
            content = .unusable(Self.unreadable(file, at: path, in: folder, error))
            isSettled = !Self.passing.contains(error.number)
        }
        func source(_ content: SourceFile.Content) -> SourceFile {
            SourceFile(
                domain: domain, file: file, path: path, content: content, configuration: .nearest(folder: folder),
                images: access.images(in: folder))
        }
        var present = source(content)
        (present.isSettled, present.stamp) = (isSettled, stamp)
        update.set(present) {
            // One that is gone was removed before the server was started again.
            guard !isKnown, !Path.isMissing(path), let last = memory(StoreFileKey(domain: domain, name: file.name))
            else { return [] }
            var version = source(.bytes(last.bytes, lastModified: last.file.lastModified))
            version.loadedAt = last.file.loadedAt
            return [version]
        }
    }

    private static func unreadable(
        _ file: SiteFile, at path: String, in folder: String, _ error: SystemError
    ) -> LocatedDiagnostic {
        var message = "the file cannot be read: \(error.reason)"
        var help: String?
        if !Path.exists(folder) {
            message = "the file cannot be read: its folder is a broken link, or cannot be entered"
        } else if file != .association, Path.isMissing(path) {
            message =
                "the file is gone; its last version is served until the site's folder is removed or the server restarts"
        } else if file == .association, error.number == ENOENT, Path.isMissing(path) {
            message = "the site has no file '\(file.name)'"
            help = AssociationFileSearch.help(forMissingFileIn: folder)
        }
        return .error(path, message, help: help)
    }

    /// The errors that have nothing to do with the file, and will be gone in a moment.
    private static let passing = [EMFILE, ENFILE, ENOMEM]
}

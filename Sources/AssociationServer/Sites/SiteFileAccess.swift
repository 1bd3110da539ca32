internal import AssociationFiles
internal import EventLoops
internal import Glibc
package import LinkPages
package import SystemSupport

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

    /// Finds the images that the file of links in a folder names.
    package func images(in folder: String) -> LinkImageLookup {
        { name, limit in
            LinkImageFile(named: name, limit: limit) { () throws(SystemError) in
                try readSettled(name, in: folder, limit: limit)
            }
        }
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

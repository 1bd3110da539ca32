internal import BoundedText
internal import Glibc

/// An entry of a folder while it is listed.
package struct FolderEntry {
    fileprivate let entry: UnsafeMutablePointer<dirent>
    fileprivate let folder: Int32

    /// The bytes of its name, which need not be UTF-8.
    package var rawName: [UInt8] { withName { RawPath.bytes(of: $0) } }

    /// The name, with bytes repaired that are not UTF-8.
    package var name: String { withName { String(cText: $0) } }

    /// The kind of the entry itself; nil if it is gone by now, or the system does not say.
    package var kind: FileStatus.Kind? {
        // Most file systems tell without being asked.
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): .regular
        case Int(DT_DIR): .folder
        case Int(DT_LNK): .link
        case Int(DT_UNKNOWN): status(AT_SYMLINK_NOFOLLOW)?.kind
        default: .device
        }
    }

    /// The kind of what it leads to; nil if it leads nowhere.
    package var targetKind: FileStatus.Kind? { status(0)?.kind }

    /// Whether it has not gone meanwhile.
    fileprivate var isThere: Bool { status(AT_SYMLINK_NOFOLLOW) != nil }

    private func status(_ flags: Int32) -> FileStatus? {
        var status = stat()
        return withName { fstatat(folder, $0, &status, flags) } == 0 ? FileStatus(status) : nil
    }

    private func withName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { body($0) }
        }
    }
}

/// Lists what is in one folder.
package enum Folder {
    /// Calls `body` with each entry but `.` and `..`, in no order, until it returns false.
    ///
    /// - Throws: What keeps the folder from being opened, or from being read to its end.
    package static func forEachEntry(
        in path: UnsafePointer<CChar>, _ body: (FolderEntry) -> Bool
    ) throws(SystemError) {
        guard let stream = opendir(path) else { throw SystemError(call: "opendir") }
        defer { closedir(stream) }
        try forEachEntry(of: stream, body)
    }

    /// The same for a folder that is open.
    static func forEachEntry(of stream: OpaquePointer, _ body: (FolderEntry) -> Bool) throws(SystemError) {
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError(call: "readdir") }
                return
            }
            let (first, second, third) = (entry.pointee.d_name.0, entry.pointee.d_name.1, entry.pointee.d_name.2)
            let dot = CChar(bitPattern: UInt8(ascii: "."))
            if first == dot, second == 0 || second == dot && third == 0 { continue }
            guard body(FolderEntry(entry: entry, folder: dirfd(stream))) else { return }
        }
    }

    /// The names of the folders in a folder, sorted; hidden ones and editors' leftovers left out.
    ///
    /// A broken link, or in a circle, is a folder that cannot be read: one is meant to be there.
    package static func folders(in path: String) throws(SystemError) -> [String] {
        var names: [String] = []
        // Half a list would look as if folders had gone: all or an error.
        try forEachEntry(in: path) { entry in
            let name = entry.name
            guard !isLeftOut(name) else { return true }
            let isFolder =
                switch entry.kind {
                case .folder: true
                case .link: entry.targetKind.map { $0 == .folder } ?? entry.isThere
                default: false
                }
            if isFolder { names.append(name) }
            return true
        }
        return names.sorted()
    }

    /// Whether a name is hidden, or that of an editor's leftover.
    package static func isLeftOut(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasSuffix("~") || name.hasSuffix(".swp")
    }

    /// Some of the names in a folder, in any order; none if it cannot be read.
    package static func names(in path: String, most: Int) -> [String] {
        var names: [String] = []
        try? forEachEntry(in: path) { entry in
            names.append(entry.name)
            return names.count < most
        }
        return names
    }
}

/// Goes through a folder and the folders in it, in no order; never into a link to a folder, which may lead in a circle.
package struct FolderWalk {
    package struct Entry {
        package let path: RawPath
        /// The last part of the path.
        package let name: [UInt8]
        /// Whether it is a regular file for sure; otherwise it may be anything but a folder.
        fileprivate let isFile: Bool

        /// The kind of what it leads to; nil if it leads nowhere.
        package var targetKind: FileStatus.Kind? {
            isFile ? .regular : FileStatus(at: path.cString)?.kind
        }
    }

    private let skippedNames: Set<[UInt8]>
    private let isFlat: Bool
    private var folders: [RawPath]
    private var entries: [Entry] = []
    /// The folders that could not be read, or not to their end.
    package private(set) var unreadable: [(path: RawPath, error: SystemError)] = []

    /// - Parameters:
    ///   - skipping: The names of folders that are left out.
    ///   - isFlat: Whether all folders are left out.
    package init(_ folder: RawPath, skipping: [String] = [], isFlat: Bool = false) {
        folders = [folder]
        self.isFlat = isFlat
        skippedNames = Set(skipping.map { Array($0.utf8) })
    }

    /// The next entry that is not a folder.
    package mutating func next() -> Entry? {
        while entries.isEmpty, let folder = folders.popLast() { list(folder) }
        return entries.popLast()
    }

    private mutating func list(_ folder: RawPath) {
        var subfolders: [[UInt8]] = []
        var current: [UInt8]?
        do throws(SystemError) {
            try Folder.forEachEntry(in: folder.cString) { entry in
                let name = entry.rawName
                let kind = entry.kind
                guard kind != .folder else {
                    subfolders.append(name)
                    return true
                }
                let path = Self.path(of: name, in: folder)
                if kind == .link, name == Self.currentVolume {
                    current = RawPath.target(ofLinkAt: path.cString)
                }
                entries.append(Entry(path: path, name: name, isFile: kind == .regular))
                return true
            }
        } catch {
            unreadable.append((folder, error))
        }
        guard !isFlat else { return }
        folders += subfolders.filter { $0 != current && !skippedNames.contains($0) }
            .map { Self.path(of: $0, in: folder) }
    }

    /// A volume that Kubernetes fills has this link to a folder with the files, and beside it links to each of them, which are
    /// what people know: the folder would show all of it a second time, under names that change.
    private static let currentVolume = Array("..data".utf8)

    private static func path(of name: [UInt8], in folder: RawPath) -> RawPath {
        // A lone - would be standard input.
        if folder.bytes == [UInt8(ascii: ".")], name != [UInt8(ascii: "-")] { return RawPath(bytes: name) }
        let slash = UInt8(ascii: "/")
        return RawPath(bytes: folder.bytes + (folder.bytes.last == slash ? [] : [slash]) + name)
    }
}

extension FolderWalk {
    /// All that is not a folder in a folder and the folders in it, sorted by the bytes of the paths.
    ///
    /// Links to folders are left out; other links, pipes and the like are not.
    /// - Returns: The paths, among them those of the folders that cannot be read, with the error.
    package static func files(below folder: RawPath) -> [(path: RawPath, error: SystemError?)] {
        var walk = FolderWalk(folder)
        var found: [(path: RawPath, error: SystemError?)] = []
        while let entry = walk.next() {
            if entry.targetKind != .folder { found.append((entry.path, nil)) }
        }
        for (path, error) in walk.unreadable { found.append((path, error)) }
        return found.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// The regular files in a folder, also by way of a link, but not those in the folders in it; sorted by their bytes.
    package static func files(directlyIn folder: RawPath) throws(SystemError) -> [RawPath] {
        var walk = FolderWalk(folder, isFlat: true)
        var found: [RawPath] = []
        while let entry = walk.next() {
            if entry.targetKind == .regular { found.append(entry.path) }
        }
        if let (_, error) = walk.unreadable.first { throw error }
        return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

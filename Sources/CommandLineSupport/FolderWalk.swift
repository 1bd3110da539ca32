internal import Glibc

/// Goes through a folder and the folders in it, in no order; never into a link to a folder.
struct FolderWalk {
    struct Entry {
        let path: RawPath
        /// The last part of the path.
        let name: [UInt8]
        /// Whether it is a regular file for sure; otherwise it may be anything but a folder.
        let isFile: Bool
    }

    private let leavesOut: Set<[UInt8]>
    private let isFlat: Bool
    private var folders: [RawPath]
    private var entries: [Entry] = []
    /// The folders that could not be read, or not to their end.
    private(set) var unreadable: [(path: RawPath, reason: SystemFailure)] = []

    /// - Parameters:
    ///   - leavesOut: The names of folders that are not gone into.
    ///   - isFlat: Whether no folder is gone into at all.
    init(_ folder: RawPath, leavesOut: [String] = [], isFlat: Bool = false) {
        folders = [folder]
        self.isFlat = isFlat
        self.leavesOut = Set(leavesOut.map { Array($0.utf8) })
    }

    mutating func next() -> Entry? {
        while entries.isEmpty, let folder = folders.popLast() { list(folder) }
        return entries.popLast()
    }

    private mutating func list(_ folder: RawPath) {
        guard let stream = folder.withCString({ opendir($0) }) else {
            return unreadable.append((folder, .last))
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        var current: [UInt8]?
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { unreadable.append((folder, .last)) }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { RawPath.bytes(of: $0) }
            }
            guard name != [Self.dot], name != [Self.dot, Self.dot] else { continue }
            let path = Self.path(of: name, in: folder)
            // Most systems tell what an entry is; the others have to be asked.
            let type = Int32(entry.pointee.d_type)
            if type == Int32(DT_DIR)
                || type == Int32(DT_UNKNOWN) && FileSearch.kind(path, followsLinks: false) == S_IFDIR
            {
                names.append(name)
            } else {
                if type == Int32(DT_LNK), name == Self.currentVolume { current = Self.target(of: path) }
                entries.append(Entry(path: path, name: name, isFile: type == Int32(DT_REG)))
            }
        }
        guard !isFlat else { return }
        folders += names.filter { $0 != current && !leavesOut.contains($0) }.map { Self.path(of: $0, in: folder) }
    }

    private static let dot = UInt8(ascii: ".")
    private static let slash = UInt8(ascii: "/")

    /// A volume that Kubernetes fills has this link to a folder with the files, and beside it links to each of them, which are
    /// what people know: the folder would show all of it a second time, under names that change.
    private static let currentVolume = Array("..data".utf8)

    private static func path(of name: [UInt8], in folder: RawPath) -> RawPath {
        // A lone - would be standard input.
        if folder.bytes == [dot], name != [UInt8(ascii: "-")] { return RawPath(bytes: name) }
        return RawPath(bytes: folder.bytes + (folder.bytes.last == slash ? [] : [slash]) + name)
    }

    private static func target(of link: RawPath) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = link.withCString { readlink($0, &buffer, buffer.count) }
        return count > 0 && count < buffer.count ? buffer.prefix(count).map(UInt8.init(bitPattern:)) : nil
    }
}

internal import HTTP1
internal import SystemSupport

/// The sites that are served, ready for requests. It never changes after it was made.
package final class SiteTable: @unchecked Sendable {
    /// The state of a file at a site.
    enum Answer: BitwiseCopyable {
        /// The site has no such file.
        case none
        /// It has one, but never had a good one.
        case faulty
        case served(ServedFile)
    }

    /// One site on the path of a request: no references, no counts.
    struct Entry: BitwiseCopyable {
        /// The number under which loops count its answers.
        let number: Int32
        /// `nil` for a site that never had a good association file.
        let association: ServedFile?
        /// Whether it should have one: a site in a store may have other files only.
        let hasAssociation: Bool
        /// The answers to other paths; nil if there are none. Kept alive by the table.
        let links: Unmanaged<SiteLinks>?
        fileprivate var others: UnsafePointer<Slot>

        /// - Parameter index: of a path among those that the view knows.
        @inline(__always)
        func other(_ index: Int) -> Answer {
            let slot = others[index]
            guard let file = slot.file else { return slot.isFaulty ? .faulty : .none }
            return file._withUnsafeGuaranteedRef { .served(ServedFile($0)) }
        }
    }

    /// One of the other files of a site; most sites have few of them.
    fileprivate struct Slot: BitwiseCopyable {
        var file: Unmanaged<PublishedFile>?
        var isFaulty = false
    }

    /// The view for the path of a request; valid as long as the table is.
    package struct View: BitwiseCopyable {
        fileprivate let hosts: HostTable.View
        fileprivate let chunks: UnsafePointer<UnsafePointer<Entry>>
        /// The paths of the files that some site has below `/.well-known/` only.
        let paths: WellKnownPaths.View

        @inline(__always)
        func find(_ host: HostKey) -> UnsafePointer<Entry>? {
            hosts.find(host).map { chunks[$0 >> SiteList.chunkBits] + ($0 & (SiteList.chunkCount - 1)) }
        }
    }

    /// The entries of a chunk of sites, which it keeps alive.
    private final class Chunk: TableChunk, @unchecked Sendable {
        let view: UnsafePointer<Entry>
        private let entries: UnsafeMutablePointer<Entry>
        private let slots: UnsafeMutablePointer<Slot>
        private let sites: [LoadedSite]

        /// - Parameter indices: of the names of other files.
        init(_ sites: [LoadedSite], _ indices: [String: Int]) {
            self.sites = sites
            slots = .allocate(capacity: max(1, sites.count * indices.count))
            slots.initialize(repeating: Slot(), count: sites.count * indices.count)
            entries = .allocate(capacity: max(1, sites.count))
            view = UnsafePointer(entries)
            for (offset, site) in sites.enumerated() {
                let others = slots + offset * indices.count
                for file in site.wellKnownFiles {
                    guard let index = indices[file.name] else { continue }
                    others[index] = Slot(file: file.file.map(Unmanaged.passUnretained), isFaulty: file.file == nil)
                }
                (entries + offset).initialize(
                    to: Entry(
                        number: Int32(truncatingIfNeeded: site.number), association: site.file.map(ServedFile.init),
                        hasAssociation: site.association != nil,
                        links: site.links?.file?.links.map(Unmanaged.passUnretained), others: UnsafePointer(others)))
            }
        }

        deinit {
            entries.deallocate()
            slots.deallocate()
        }
    }

    /// The domains by the numbers of the sites.
    let names: SiteNames
    package let sites: SiteList
    private let hosts: HostTable
    private let paths: WellKnownPaths
    private let directory: ChunkDirectory<Chunk>
    /// The names of the other files, sorted.
    private let fileNames: [String]

    package let view: View

    package init(_ sites: SiteList) {
        var used: Set<String> = []
        for site in sites { for file in site.wellKnownFiles { used.insert(file.name) } }
        fileNames = used.sorted()
        self.sites = sites
        names = SiteNames(sites)
        hosts = HostTable(sites.enumerated().map { ($0.element.domain, $0.offset) })
        paths = WellKnownPaths(fileNames)
        let indices = Self.indices(fileNames)
        directory = ChunkDirectory(sites.chunks.map { Chunk($0, indices) })
        view = View(hosts: hosts.view, chunks: directory.views, paths: paths.view)
    }

    /// The same table with a few other sites, which costs no more than their chunks, and the lists of chunks.
    ///
    /// - Parameters:
    ///   - sites: what the table has from now on.
    ///   - changed: the indices at which that is not what the other table has, or one of the two has nothing.
    package convenience init(_ other: SiteTable, with sites: SiteList, changed: Set<Int>) {
        let indices = Self.indices(other.fileNames)
        let present = changed.filter { $0 < sites.count }
        // Each path would need another slot at all sites.
        let hasOtherPaths = present.contains { sites[$0].wellKnownFiles.contains { indices[$0.name] == nil } }
        guard !hasOtherPaths, changed.count <= sites.count / 4 else {
            self.init(sites)
            return
        }
        let count = sites.chunks.count
        let chunks = Set(changed.map { $0 >> SiteList.chunkBits }).filter { $0 < count }
        self.init(
            other, sites, NameChanges(from: other.sites, to: sites, at: changed),
            ChunkDirectory(
                other.directory, count: count, with: chunks.map { (index: $0, chunk: Chunk(sites.chunks[$0], indices)) }
            ))
    }

    private init(
        _ other: SiteTable, _ sites: SiteList, _ changes: NameChanges, _ directory: ChunkDirectory<Chunk>
    ) {
        (fileNames, paths) = (other.fileNames, other.paths)
        self.sites = sites
        self.directory = directory
        names = changes.numbers.isEmpty ? other.names : SiteNames(other.names, changes.numbers)
        hosts =
            changes.removed.isEmpty && changes.added.isEmpty
            ? other.hosts : HostTable(other.hosts, removing: changes.removed, adding: changes.added)
        view = View(hosts: hosts.view, chunks: directory.views, paths: paths.view)
    }

    /// The domains that are at other indices, or have other numbers.
    private struct NameChanges {
        var removed: [String] = []
        var added: [(name: String, value: Int)] = []
        /// The domain of each number that has another one, or none.
        var numbers: [Int: String?] = [:]

        init(from old: SiteList, to new: SiteList, at changed: Set<Int>) {
            for index in changed {
                let before = index < old.count ? old[index] : nil
                let after = index < new.count ? new[index] : nil
                if before?.domain == after?.domain, before?.number == after?.number { continue }
                if let before {
                    removed.append(before.domain)
                    // It may be at another index.
                    if numbers[before.number] == nil { numbers[before.number] = .some(nil) }
                }
                if let after {
                    added.append((after.domain, index))
                    numbers[after.number] = after.domain
                }
            }
        }
    }

    private static func indices(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    }

    /// The index of the site that answers for a host; for where time does not count.
    package func index(of host: String) -> Int? { hosts.find(host) }
}

/// A file on the path of a request: no references, no counts.
struct ServedFile: BitwiseCopyable {
    /// Kept alive by the table that it is in; whatever keeps it longer retains it.
    let file: Unmanaged<PublishedFile>
    let found: PreparedResponse
    let notModified: PreparedResponse
    let entityTag: UnsafePointer<UInt8>
    let lastModified: Int64

    init(_ file: PublishedFile) {
        self.file = Unmanaged.passUnretained(file)
        found = file.found
        notModified = file.notModified
        entityTag = file.entityTag
        lastModified = file.lastModified
    }
}

/// The paths of the files that are served below `/.well-known/` only, ready for requests.
final class WellKnownPaths: @unchecked Sendable {
    static let folder: StaticString = "/.well-known/"

    /// The view for the path of a request; valid as long as the paths are.
    struct View: BitwiseCopyable {
        fileprivate let paths: UnsafeBufferPointer<UnsafeBufferPointer<UInt8>>

        var count: Int { paths.count }

        /// The index of the name that a path ends in; `nil` if it is not one of them.
        func find(_ path: RequestHead.Slice, in bytes: Span<UInt8>) -> Int? {
            for index in 0..<paths.count where KnownPath.matches(path, of: bytes, paths[index]) { return index }
            return nil
        }
    }

    let view: View
    private let paths: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>

    init(_ names: [String]) {
        paths = .allocate(capacity: names.count)
        for (index, name) in names.enumerated() {
            let path = Array("\(Self.folder)\(name)".utf8)
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: path.count)
            _ = memory.initialize(from: path)
            paths.initializeElement(at: index, to: UnsafeBufferPointer(memory))
        }
        view = View(paths: UnsafeBufferPointer(paths))
    }

    deinit {
        for path in paths { path.deallocate() }
        paths.deallocate()
    }
}

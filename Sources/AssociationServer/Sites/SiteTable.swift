internal import HTTP1

/// The sites that are served, ready for requests. It never changes after it was made.
package final class SiteTable: @unchecked Sendable {
    /// What a site has of a file.
    enum Answer: BitwiseCopyable {
        /// The site has no such file.
        case none
        /// It has one, but never had a good one.
        case faulty
        case served(ServedFile)
    }

    /// One site on the path of a request: no references, no counts.
    struct Entry: BitwiseCopyable {
        /// What loops count its answers under.
        let number: Int32
        /// `nil` for a site that never had a good association file.
        let association: ServedFile?
        fileprivate let others: UnsafePointer<Slot>

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

    /// What the path of a request looks into; valid as long as the table is.
    package struct View: BitwiseCopyable {
        fileprivate let hosts: HostTable.View
        fileprivate let entries: UnsafePointer<Entry>
        /// The paths of the files that some site has below `/.well-known/` only.
        let paths: WellKnownPaths.View

        @inline(__always)
        func find(_ host: HostKey) -> UnsafePointer<Entry>? { hosts.find(host).map { entries + $0 } }
    }

    package let view: View
    /// The domains by the numbers of the sites.
    let names: SiteNames
    private let hosts: HostTable
    private let paths: WellKnownPaths
    private let entries: UnsafeMutablePointer<Entry>
    private let slots: UnsafeMutablePointer<Slot>
    /// Keeps what the entries point to.
    private let files: [LoadedFile]

    package init(_ sites: [LoadedSite]) {
        var used: Set<String> = []
        for site in sites { for file in site.otherFiles { used.insert(file.name) } }
        let names = used.sorted()
        let indices = Dictionary(names.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        files = sites.flatMap { [$0.association] + $0.otherFiles }
        self.names = SiteNames(sites)
        slots = .allocate(capacity: max(1, sites.count * names.count))
        slots.initialize(repeating: Slot(), count: sites.count * names.count)
        entries = .allocate(capacity: max(1, sites.count))
        for (offset, site) in sites.enumerated() {
            let others = slots + offset * names.count
            for file in site.otherFiles {
                guard let index = indices[file.name] else { continue }
                others[index] = Slot(file: file.file.map(Unmanaged.passUnretained), isFaulty: file.file == nil)
            }
            (entries + offset).initialize(
                to: Entry(
                    number: Int32(truncatingIfNeeded: site.number), association: site.file.map(ServedFile.init),
                    others: UnsafePointer(others)))
        }
        hosts = HostTable(sites.enumerated().map { ($0.element.domain, $0.offset) })
        paths = WellKnownPaths(names)
        view = View(hosts: hosts.view, entries: entries, paths: paths.view)
    }

    /// The index of the site that answers for a host; for where time does not count.
    func index(of host: String) -> Int? { hosts.find(host) }

    deinit {
        entries.deallocate()
        slots.deallocate()
    }
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

    /// What the path of a request looks into; valid as long as the paths are.
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

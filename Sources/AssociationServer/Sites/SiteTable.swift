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
    /// The names of the other files, sorted.
    private let fileNames: [String]
    /// Keeps what the entries point to.
    private let sites: [LoadedSite]

    package init(_ sites: [LoadedSite]) {
        var used: Set<String> = []
        for site in sites { for file in site.otherFiles { used.insert(file.name) } }
        let names = used.sorted()
        fileNames = names
        self.sites = sites
        self.names = SiteNames(sites)
        slots = .allocate(capacity: max(1, sites.count * names.count))
        slots.initialize(repeating: Slot(), count: sites.count * names.count)
        entries = .allocate(capacity: max(1, sites.count))
        hosts = HostTable(sites.enumerated().map { ($0.element.domain, $0.offset) })
        paths = WellKnownPaths(names)
        view = View(hosts: hosts.view, entries: entries, paths: paths.view)
        let indices = Self.indices(names)
        for (offset, site) in sites.enumerated() { (entries + offset).initialize(to: entry(offset, site, indices)) }
    }

    /// The same table with other files at a few sites, which costs no more than to copy it.
    ///
    /// - Parameters:
    ///   - sites: with the same domains and numbers in the same order.
    ///   - changed: the indices of those that have other files.
    /// - Returns: nil if a file has a name that no site had.
    init?(_ other: SiteTable, with sites: [LoadedSite], changed: some Collection<Int>) {
        let indices = Self.indices(other.fileNames)
        guard sites.count == other.sites.count,
            changed.allSatisfy({ index in
                sites.indices.contains(index) && sites[index].otherFiles.allSatisfy { indices[$0.name] != nil }
            })
        else { return nil }
        (fileNames, names, hosts, paths) = (other.fileNames, other.names, other.hosts, other.paths)
        self.sites = sites
        let width = fileNames.count
        slots = .allocate(capacity: max(1, sites.count * width))
        slots.initialize(from: other.slots, count: sites.count * width)
        entries = .allocate(capacity: max(1, sites.count))
        entries.initialize(from: other.entries, count: sites.count)
        view = View(hosts: hosts.view, entries: entries, paths: paths.view)
        for offset in 0..<sites.count { entries[offset].others = UnsafePointer(slots + offset * width) }
        for offset in changed {
            (slots + offset * width).update(repeating: Slot(), count: width)
            entries[offset] = entry(offset, sites[offset], indices)
        }
    }

    private static func indices(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    }

    /// The entry of a site, whose slots are filled.
    private func entry(_ offset: Int, _ site: LoadedSite, _ indices: [String: Int]) -> Entry {
        let others = slots + offset * fileNames.count
        for file in site.otherFiles {
            guard let index = indices[file.name] else { continue }
            others[index] = Slot(file: file.file.map(Unmanaged.passUnretained), isFaulty: file.file == nil)
        }
        return Entry(
            number: Int32(truncatingIfNeeded: site.number), association: site.file.map(ServedFile.init),
            hasAssociation: site.association.content != .absent, others: UnsafePointer(others))
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

/// A number for each domain, the same as long as the site is there: what loops count belongs to numbers.
///
/// The number of a site that is gone is given to another one, so that what is kept for numbers does not grow with the sites
/// that there have ever been.
package final class SiteNumbers: Sendable {
    private struct Given {
        var numbers: [String: Int] = [:]
        /// The free ones below `end`.
        var free: Set<Int> = []
        /// All that were given are below it.
        var end = 0
    }

    private let given = Locked(Given())

    package init() {}

    package func number(of domain: String) -> Int {
        given.withLock { given in
            if let number = given.numbers[domain] { return number }
            let number = given.free.min() ?? given.end
            if given.free.remove(number) == nil { given.end += 1 }
            given.numbers[domain] = number
            return number
        }
    }

    /// Takes the numbers of all other domains back: no loop counts anything under them any more, and what was counted is
    /// forgotten.
    package func retire(allBut domains: [String]) {
        let domains = Set(domains)
        given.withLock { given in
            guard given.numbers.count != domains.count || given.numbers.keys.contains(where: { !domains.contains($0) })
            else { return }
            for (domain, number) in given.numbers where !domains.contains(domain) {
                given.numbers[domain] = nil
                given.free.insert(number)
            }
            while given.free.remove(given.end - 1) != nil { given.end -= 1 }
        }
    }
}

/// The domains of sites by their numbers, as text that stays where it is. It never changes after it was made.
final class SiteNames: @unchecked Sendable {
    /// Empty for a number that no site has.
    let names: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>
    private let text: UnsafeMutablePointer<UInt8>

    init(_ sites: [LoadedSite]) {
        let count = sites.reduce(0) { max($0, $1.number + 1) }
        names = .allocate(capacity: count)
        names.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0))
        text = .allocate(capacity: max(1, sites.reduce(0) { $0 + $1.domain.utf8.count }))
        var end = text
        for site in sites {
            let bytes = Array(site.domain.utf8)
            end.initialize(from: bytes, count: bytes.count)
            names[site.number] = UnsafeBufferPointer(start: end, count: bytes.count)
            end += bytes.count
        }
    }

    deinit {
        names.deallocate()
        text.deallocate()
    }
}

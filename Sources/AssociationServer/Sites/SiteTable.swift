internal import HTTP1

/// The sites that are served, ready for requests. It never changes after it was made.
final class SiteTable: @unchecked Sendable {
    /// One site on the path of a request: no references, no counts.
    struct Entry: BitwiseCopyable {
        /// Kept alive by the table; whoever keeps it longer retains it. `nil` for a site that never had a good file.
        let file: Unmanaged<PublishedFile>?
        let found: PreparedResponse?
        let notModified: PreparedResponse?
        let entityTag: UnsafePointer<UInt8>?
        let lastModified: Int64

        fileprivate init(_ file: PublishedFile?) {
            self.file = file.map(Unmanaged.passUnretained)
            found = file?.found
            notModified = file?.notModified
            entityTag = file?.entityTag
            lastModified = file?.lastModified ?? 0
        }
    }

    /// What the path of a request looks into; valid as long as the table is.
    struct View: BitwiseCopyable {
        fileprivate let hosts: HostTable.View
        fileprivate let entries: UnsafePointer<Entry>

        @inline(__always)
        func find(_ host: HostKey) -> UnsafePointer<Entry>? { hosts.find(host).map { entries + $0 } }
    }

    let view: View
    private let hosts: HostTable
    private let entries: UnsafeMutablePointer<Entry>
    private let files: [PublishedFile?]

    init(_ sites: [LoadedSite]) {
        files = sites.map(\.file)
        entries = .allocate(capacity: max(1, sites.count))
        for (place, file) in files.enumerated() { (entries + place).initialize(to: Entry(file)) }
        hosts = HostTable(sites.enumerated().map { ($0.element.domain, $0.offset) })
        view = View(hosts: hosts.view, entries: entries)
    }

    deinit { entries.deallocate() }
}

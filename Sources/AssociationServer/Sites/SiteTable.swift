internal import HTTP1

/// The sites that are served, ready for requests. It never changes after it was made.
final class SiteTable: @unchecked Sendable {
    /// One site on the path of a request: no references, no counts.
    struct Entry: BitwiseCopyable {
        /// Kept alive by the table; whoever keeps it longer retains it. `nil` for a site that never had a good file.
        let document: Unmanaged<AssociationDocument>?
        let found: PreparedResponse?
        let notModified: PreparedResponse?
        let entityTag: UnsafePointer<UInt8>?
        let lastModified: Int64

        fileprivate init(_ document: AssociationDocument?) {
            self.document = document.map(Unmanaged.passUnretained)
            found = document?.found
            notModified = document?.notModified
            entityTag = document?.entityTag
            lastModified = document?.lastModified ?? 0
        }
    }

    /// What the path of a request looks into.
    struct View: BitwiseCopyable {
        fileprivate let hosts: HostTable.View
        fileprivate let entries: UnsafePointer<Entry>

        @inline(__always)
        func find(_ host: HostKey) -> UnsafePointer<Entry>? { hosts.find(host).map { entries + $0 } }
    }

    let view: View
    private let hosts: HostTable
    private let entries: UnsafeMutablePointer<Entry>
    private let documents: [AssociationDocument?]

    init(_ sites: [LoadedSite]) {
        documents = sites.map(\.document)
        entries = .allocate(capacity: max(1, sites.count))
        for (place, document) in documents.enumerated() { (entries + place).initialize(to: Entry(document)) }
        hosts = HostTable(sites.enumerated().map { ($0.element.domain, $0.offset) })
        view = View(hosts: hosts.view, entries: entries)
    }

    deinit { entries.deallocate() }
}

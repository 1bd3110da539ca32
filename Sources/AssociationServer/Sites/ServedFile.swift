internal import HTTP1

/// A file on the path of a request: no references, no counts.
struct ServedFile: BitwiseCopyable {
    /// Kept alive by the table that it is in; whoever keeps it longer retains it.
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

/// The bounds of what a node keeps of a store.
package struct StoreLimits: Equatable, Sendable {
    /// The most sites.
    package var sites: Int
    /// The most bytes of rows and contents, as `StoreImage.memory` counts them.
    package var bytes: Int
    /// The size of the largest file that can be served, in bytes.
    package var fileBytes: Int

    package init(sites: Int, bytes: Int, fileBytes: Int) {
        self.sites = sites
        self.bytes = bytes
        self.fileBytes = fileBytes
    }
}

/// The files of a store that a node has not taken over, because it would have kept too much.
package struct StoreOmission: Equatable, Sendable {
    /// The bound that was reached.
    package enum Limit: Equatable, Sendable {
        case sites(Int)
        case bytes(Int)
    }

    package let limit: Limit
    /// The first of the files.
    package let first: StoreFileKey
    /// The number of files.
    package private(set) var files = 1

    package init(limit: Limit, first: StoreFileKey) {
        self.limit = limit
        self.first = first
    }

    fileprivate mutating func count() { files += 1 }
}

/// The admission of the rows of one read, one after the other, before a node keeps them or asks for their contents.
///
/// Files that a node has already stay, whatever else a read has: a row that is too much leaves their earlier version.
package struct StoreIntake {
    private let limits: StoreLimits
    private let image: StoreImage?
    /// The domains that the image does not have.
    private var newDomains: Set<String> = []
    /// The contents that the image does not have.
    private var newContents: Set<ContentDigest> = []
    /// The bytes that are kept when all admitted rows are taken over, and what a complete read lacks is not yet gone.
    private var bytes: Int
    /// The number of files that are passed over, and why; nil if there are none.
    package private(set) var omitted: StoreOmission?

    /// - Parameter image: what the node has; nil before anything was read.
    package init(_ limits: StoreLimits, _ image: StoreImage?) {
        self.limits = limits
        self.image = image
        bytes = image?.fileMemory ?? 0
    }

    /// Whether a row is taken over; one that would be too much is counted.
    ///
    /// - Parameters:
    ///   - digest: of its contents; nil for a file that was removed.
    ///   - size: of its contents, in bytes.
    ///   - lint: the size of its `.aasa.json`, in bytes.
    package mutating func admits(_ key: StoreFileKey, digest: ContentDigest?, size: Int, lint: Int) -> Bool {
        let before = image?.files[key]
        // The end of a file that was passed over, or never there, is none.
        guard let digest else { return before != nil }
        let isNewDomain = image?.fileCounts[key.domain] == nil && !newDomains.contains(key.domain)
        if isNewDomain, newDomains.count + (image?.fileCounts.count ?? 0) >= limits.sites {
            return omit(key, .sites(limits.sites))
        }
        var added = StoreImage.rowMemory + lint
        let isNewContent = image?.contents(digest) == nil && !newContents.contains(digest)
        if isNewContent { added += StoreImage.contentMemory + size }
        if let before, let image { added -= image.memory(of: before, replacedBy: digest) }
        guard added <= 0 || bytes + added <= limits.bytes else { return omit(key, .bytes(limits.bytes)) }
        bytes += added
        if isNewDomain { newDomains.insert(key.domain) }
        if isNewContent { newContents.insert(digest) }
        return true
    }

    private mutating func omit(_ key: StoreFileKey, _ limit: StoreOmission.Limit) -> Bool {
        if omitted == nil { omitted = StoreOmission(limit: limit, first: key) } else { omitted?.count() }
        return false
    }
}

extension StoreLimits {
    /// The largest row with its contents, about as the schema bounds it.
    private static let largestRow = 2_200_000

    /// Whether an image may lack files of the store that would have been too much.
    package func mayOmit(from image: StoreImage) -> Bool {
        image.fileCounts.count >= sites || image.fileMemory > bytes - Self.largestRow
    }
}

extension StoreImage {
    /// Whether changes end files, so that others, which were left out, may be taken over after them.
    package func hasRoom(after changes: StoreChanges) -> Bool {
        changes.isComplete
            ? changes.files.count { files[$0.key] != nil } < files.count
            : changes.files.contains { $0.contents == nil }
    }
}

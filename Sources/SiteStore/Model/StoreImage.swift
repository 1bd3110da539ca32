/// The image that a node has of a store: the current files and certificates, and what is served in place of bad ones.
///
/// It is what the cache holds. Files with equal bytes share them. A change costs its own size.
package struct StoreImage: Sendable {
    package private(set) var position: StorePosition
    /// The current versions; those that removed a file are not among them.
    package private(set) var files: [StoreFileKey: StoredFile] = [:]
    /// The older versions that are served because the current ones have errors.
    package private(set) var served: [StoreFileKey: StoredFile] = [:]
    /// The files whose current version has errors, and of which no version is served.
    package private(set) var refused: Set<StoreFileKey> = []
    package private(set) var certificates: [String: StoredCertificate] = [:]
    /// The certificates that are presented because the current ones with their names cannot be used.
    package private(set) var servedCertificates: [String: StoredCertificate] = [:]
    /// The bytes of all distinct contents.
    package private(set) var contentBytes = 0
    /// The number of files of each domain that has any.
    package private(set) var fileCounts: [String: Int] = [:]
    /// The part that the cache does not have yet; nil for everything.
    private(set) var unsaved: Unsaved?
    /// The bytes of the texts of all files' `.aasa.json`.
    private var lintBytes = 0
    private var pool: [ContentDigest: Shared] = [:]

    /// Contents with the number of files that have them.
    private struct Shared {
        let contents: StoredContents
        var users: Int
    }

    /// The names of files and certificates that have changed.
    struct Unsaved: Sendable {
        var files: Set<StoreFileKey> = []
        var certificates: Set<String> = []
    }

    /// Remembers that the cache has all of this image.
    mutating func markSaved() { unsaved = Unsaved() }

    /// An image without files, before anything was read.
    package init(_ position: StorePosition) { self.position = position }

    /// The bytes with this SHA-256, if a file has them.
    package func contents(_ digest: ContentDigest) -> StoredContents? { pool[digest]?.contents }

    /// The digests of which a node has the bytes, of those that it is asked about.
    package func missing(_ digests: some Sequence<ContentDigest>) -> Set<ContentDigest> {
        Set(digests).filter { pool[$0] == nil }
    }

    /// About how much memory it takes, in bytes.
    package var memory: Int {
        [certificates, servedCertificates].joined().reduce(fileMemory) {
            $0 + 256 + $1.value.chain.utf8.count + $1.value.sealedKey.count
        }
    }

    /// About how much memory the files take, in bytes.
    package var fileMemory: Int {
        (files.count + served.count) * Self.rowMemory + pool.count * Self.contentMemory + contentBytes + lintBytes
    }

    /// About how much memory is free once a file has other contents, in bytes.
    func memory(of file: StoredFile, replacedBy digest: ContentDigest) -> Int {
        let row = Self.rowMemory + (file.lint?.utf8.count ?? 0)
        guard let contents = file.contents, contents.digest != digest, pool[contents.digest]?.users == 1 else {
            return row
        }
        return row + Self.contentMemory + contents.bytes.count
    }

    /// About the memory of a row with its texts and its entry in a table, in bytes.
    static let rowMemory = 320
    /// The same for an entry in the table of contents.
    static let contentMemory = 96

    /// Takes changes over. Of a file or certificate that has changed nothing older is served until `keepServed` says so.
    package mutating func apply(_ changes: StoreChanges) {
        if changes.isComplete {
            // What both have is shared with what was there, so that it is not twice in memory.
            let before = pool
            (files, served, refused, certificates, pool, contentBytes) = ([:], [:], [], [:], [:], 0)
            (servedCertificates, fileCounts, lintBytes) = ([:], [:], 0)
            files.reserveCapacity(changes.files.count)
            for file in changes.files { set(file, sharing: before) }
        } else {
            for file in changes.files { set(file, sharing: [:]) }
        }
        for certificate in changes.certificates {
            certificates[certificate.name] = certificate.isRemoved ? nil : certificate
            servedCertificates[certificate.name] = nil
        }
        if changes.isComplete {
            unsaved = nil
        } else {
            for file in changes.files { unsaved?.files.insert(file.key) }
            for certificate in changes.certificates { unsaved?.certificates.insert(certificate.name) }
        }
        position = changes.position
    }

    /// Remembers what a server has made of the changes that were applied last.
    ///
    /// - Parameters:
    ///   - older: the versions that it serves because the current ones have errors; without bytes they are passed over.
    ///   - refused: the files of which it serves nothing.
    ///   - certificates: those that it presents because the current ones cannot be used.
    package mutating func keepServed(
        _ older: [StoredFile], refused names: [StoreFileKey] = [],
        certificates olderCertificates: [StoredCertificate] = []
    ) {
        for key in older.lazy.map(\.key) + names { unsaved?.files.insert(key) }
        for certificate in olderCertificates { unsaved?.certificates.insert(certificate.name) }
        for file in older where file.contents != nil && files[file.key] != nil {
            release(served.removeValue(forKey: file.key)?.contents)
            served[file.key] = shared(file, [:])
            refused.remove(file.key)
        }
        for key in names where files[key] != nil && served[key] == nil { refused.insert(key) }
        for older in olderCertificates where certificates[older.name] != nil { servedCertificates[older.name] = older }
    }

    /// The updates that bring a server, which has nothing yet, to what this image says.
    ///
    /// - Parameter isChecked: whether this version of the program has made it. Then only files that were found bad are
    ///   checked again, in an update of their own.
    package func updates(keys: StoreKeyRing?, isChecked: Bool) -> [StoreUpdate] {
        let doubtful = isChecked ? Set(served.keys).union(refused) : []
        var complete = StoreUpdate(
            changes: StoreChanges(
                position: position, isComplete: true, files: files.values.filter { !doubtful.contains($0.key) },
                certificates: Array(certificates.values)), keys: keys)
        complete.olderCertificates = servedCertificates
        complete.isChecked = isChecked
        if !isChecked { complete.olderVersions = served.mapValues { [$0] } }
        guard !doubtful.isEmpty else { return [complete] }
        var rest = StoreUpdate(
            changes: StoreChanges(
                position: position, isComplete: false, files: doubtful.compactMap { files[$0] }), keys: keys)
        rest.olderVersions = served.mapValues { [$0] }
        return [complete, rest]
    }

    private mutating func set(_ file: StoredFile, sharing before: [ContentDigest: Shared]) {
        let key = file.key
        // Taken first: the new version may have the bytes of the old one.
        let new = file.contents == nil ? nil : shared(file, before)
        let old = new.map { files.updateValue($0, forKey: key) } ?? files.removeValue(forKey: key)
        release(old?.contents)
        lintBytes += (new?.lint?.utf8.count ?? 0) - (old?.lint?.utf8.count ?? 0)
        if new != nil, old == nil { fileCounts[key.domain, default: 0] += 1 }
        if new == nil, old != nil, let count = fileCounts[key.domain] {
            fileCounts[key.domain] = count > 1 ? count - 1 : nil
        }
        if !served.isEmpty { release(served.removeValue(forKey: key)?.contents) }
        if !refused.isEmpty { refused.remove(key) }
    }

    /// The file with contents that are shared with all others that have them.
    private mutating func shared(_ file: StoredFile, _ before: [ContentDigest: Shared]) -> StoredFile {
        guard let own = file.contents else { return file }
        let contents: StoredContents
        if let there = pool[own.digest] {
            // Bytes under the digest of others share nothing: they are an error, and the others are not.
            guard there.contents === own || there.contents.bytes == own.bytes else { return file }
            pool[own.digest]?.users += 1
            contents = there.contents
        } else {
            guard own.isIntact else { return file }
            let known = before[own.digest]?.contents
            contents = known.flatMap { $0.bytes == own.bytes ? $0 : nil } ?? own
            pool[own.digest] = Shared(contents: contents, users: 1)
            contentBytes += contents.bytes.count
        }
        guard contents !== own else { return file }
        return StoredFile(
            key: file.key, version: file.version, contents: contents, lint: file.lint, publishedAt: file.publishedAt,
            generation: file.generation)
    }

    private mutating func release(_ contents: StoredContents?) {
        guard let contents, let users = pool[contents.digest]?.users,
            pool[contents.digest]?.contents === contents
        else { return }
        if users > 1 {
            pool[contents.digest]?.users = users - 1
        } else {
            pool[contents.digest] = nil
            contentBytes -= contents.bytes.count
        }
    }
}

internal import BoundedText
package import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// The folder `storeCache` of a node, from which it serves when the database is away (store.md, section 7).
///
/// It belongs to one thread. Whatever fails, and whenever the process ends, what is on disk is whole.
package final class StoreCache {
    package let path: String
    /// Whether there was a cache of an earlier format, which is not read; it was removed.
    package let hasReplacedOldFormat: Bool
    private let program: String
    private let database: CheckedDatabase

    /// The contents of a cache.
    package struct Contents: Sendable {
        package let image: StoreImage
        /// Whether this version of the program has written it, and checked what is in it.
        package let isChecked: Bool
    }

    /// The name of the database in the folder.
    package static let fileName = "cache.db"
    private static let nodeName = "node-id"
    private static let position = CheckedTable("position", key: ["id"], ["program", "store", "generation", "token"])
    private static let files = CheckedTable(
        "files", key: ["domain", "name", "served"], hasContents: true,
        ["refused", "version", "lint", "published_at", "generation"])
    private static let certificates = CheckedTable(
        "certificates", key: ["name", "served"],
        ["chain", "key_id", "sealed_key", "source", "authority", "generation"])

    /// Makes the folder where it is missing, and locks it.
    ///
    /// - Parameter program: the version of the program.
    package init(_ path: String, program: String) throws(DatabaseError) {
        (self.path, self.program) = (path, program)
        let database = try CheckedDatabase(path, name: Self.fileName, [Self.position, Self.files, Self.certificates])
        let old = ["snapshot", "journal"].filter { (try? database.folder.kind(of: $0)) == .regular }
        for name in old { database.folder.remove(name) }
        (self.database, hasReplacedOldFormat) = (database, !old.isEmpty)
    }

    /// Closes the database and gives the folder back; the cache may not be used after that.
    package func close() { database.close() }

    /// The 8 hexadecimal digits that tell this node from others of its machine; made once.
    package func nodeID() throws(DatabaseError) -> String {
        if let bytes = try? database.folder.read(Self.nodeName, limit: 64) {
            let id = String(text: bytes.prefix { $0 != UInt8(ascii: "\n") })
            if id.utf8.count == 8, id.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) { return id }
        }
        guard let random = try? SecureRandom.bytes(4) else {
            throw DatabaseError(kind: .unusable, path: path, reason: "the system gives no random numbers")
        }
        let id = Hexadecimal.text(random)
        do throws(SystemError) {
            try database.folder.replace(Self.nodeName, with: Array("\(id)\n".utf8), mode: 0o600)
        } catch {
            throw DatabaseError(kind: .unusable, path: "\(path)/\(Self.nodeName)", reason: error.reason)
        }
        return id
    }
}

// MARK: Reading

extension StoreCache {
    /// Reads what was written last; nil if nothing was. Of a cache that is damaged nothing is used.
    package func read() throws(DatabaseError) -> Contents? {
        var found = Rows()
        let isThere = try database.read(contents: true) { (table, row, contents) throws(SQLiteError) in
            switch table.name {
            case Self.position.name: try found.addPosition(row)
            case Self.files.name: try found.addFile(row, contents)
            default: try found.addCertificate(row)
            }
        }
        guard isThere, let (writer, position) = found.position else { return nil }
        var image = StoreImage(position)
        image.apply(
            StoreChanges(
                position: position, isComplete: true, files: found.files, certificates: found.certificates))
        image.keepServed(found.servedFiles, refused: found.refused, certificates: found.servedCertificates)
        let isChecked = writer == program
        // The cache of another version is written anew once it is checked.
        if isChecked { image.markSaved() }
        return Contents(image: image, isChecked: isChecked)
    }

    /// The rows of a cache as they are read.
    private struct Rows {
        var position: (program: String, StorePosition)?
        var (files, servedFiles): ([StoredFile], [StoredFile]) = ([], [])
        var refused: [StoreFileKey] = []
        var (certificates, servedCertificates): ([StoredCertificate], [StoredCertificate]) = ([], [])
        /// The name of the file before: most have the same, and share its memory.
        private var lastName = ""

        mutating func addPosition(_ row: [SQLiteValue]) throws(SQLiteError) {
            let position = StorePosition(
                storeID: try row[2].text, generation: try row[3].integer, token: try row[4].text)
            self.position = (try row[1].text, position)
        }

        mutating func addFile(_ row: [SQLiteValue], _ contents: StoredContents?) throws(SQLiteError) {
            let name = try row[1].text
            if name != lastName { lastName = name }
            // Bytes that the store has under the digest of others are not kept: the file is refused without them.
            let digest = try row[3].digest
            let file = StoredFile(
                key: StoreFileKey(domain: try row[0].text, name: lastName), version: try row[6].integer,
                contents: contents ?? StoredContents(digest: digest, bytes: []), lint: try row[7].optionalText,
                publishedAt: try row[8].integer,
                generation: try row[9].integer)
            if try row[2].flag { servedFiles.append(file) } else { files.append(file) }
            if try row[5].flag { refused.append(file.key) }
        }

        mutating func addCertificate(_ row: [SQLiteValue]) throws(SQLiteError) {
            guard let source = StoredCertificate.Source(rawValue: try row[5].text) else { throw .unexpectedValue }
            let certificate = StoredCertificate(
                name: try row[0].text, chain: try row[2].text, keyID: try row[3].text, sealedKey: try row[4].bytes,
                source: source, authority: try row[6].optionalText, generation: try row[7].integer, isRemoved: false)
            if try row[1].flag { servedCertificates.append(certificate) } else { certificates.append(certificate) }
        }
    }
}

// MARK: Writing

extension StoreCache {
    /// Writes what has changed in an image since it was saved or read; all of it where the cache cannot be continued.
    ///
    /// If it cannot be written, the cache has what it had before, and the next call writes it.
    package func save(_ image: inout StoreImage) throws(DatabaseError) {
        try database.change { (needsEverything) throws(SQLiteError) in
            let unsaved = needsEverything ? nil : image.unsaved
            if !needsEverything, unsaved == nil { try database.removeAll() }
            // In the order of the table, which is written from its beginning to its end.
            for key in (unsaved.map { Array($0.files) } ?? Array(image.files.keys)).sorted() {
                try put(key, of: image)
            }
            for name in unsaved.map({ Array($0.certificates) }) ?? Array(image.certificates.keys) {
                try put(certificate: name, of: image)
            }
            let position = image.position
            try database.put(
                [.integer(0)],
                [
                    .text(program), .text(position.storeID), .integer(position.generation), .text(position.token),
                ], in: Self.position)
        }
        image.markSaved()
    }

    private func put(_ key: StoreFileKey, of image: StoreImage) throws(SQLiteError) {
        for (served, file) in [image.files[key], image.served[key]].enumerated() {
            let name: [SQLiteValue] = [.text(key.domain), .text(key.name), .integer(Int64(served))]
            guard let file, let contents = file.contents else {
                try database.remove(name, in: Self.files)
                continue
            }
            // Only bytes that are those of their digest are shared.
            let isIntact = image.contents(contents.digest) === contents
            try database.put(
                name, contents: (contents.digest, isIntact ? contents.bytes : nil),
                [
                    .flag(served == 0 && image.refused.contains(key)), .integer(file.version), .optional(file.lint),
                    .integer(file.publishedAt), .integer(file.generation),
                ], in: Self.files)
        }
    }

    private func put(certificate name: String, of image: StoreImage) throws(SQLiteError) {
        for (served, certificate) in [image.certificates[name], image.servedCertificates[name]].enumerated() {
            let key: [SQLiteValue] = [.text(name), .integer(Int64(served))]
            guard let certificate else {
                try database.remove(key, in: Self.certificates)
                continue
            }
            try database.put(
                key,
                [
                    .text(certificate.chain), .text(certificate.keyID), .bytes(certificate.sealedKey),
                    .text(certificate.source.rawValue), .optional(certificate.authority),
                    .integer(certificate.generation),
                ], in: Self.certificates)
        }
    }
}

// MARK: Findings

extension DatabaseError {
    /// The finding about a cache that was not read.
    package var readingFinding: LocatedDiagnostic {
        let problem = kind == .damaged ? "the cache is damaged: \(reason)" : "the cache cannot be read: \(reason)"
        return LocatedDiagnostic(
            .storeCacheDamaged, path, "\(problem); all of it is ignored, and the store is read anew")
    }

    /// The finding about a cache that was not written.
    package var writingFinding: LocatedDiagnostic { LocatedDiagnostic(.storeCacheUnwritable, path, cacheMessage) }

    /// One clause about a cache, without the path.
    package var cacheMessage: String {
        switch kind {
        case .inUse: "another process uses this cache; each node needs a folder of its own"
        case .missingLibrary: reason
        case .unusable, .damaged: "the cache cannot be written: \(reason)"
        }
    }
}

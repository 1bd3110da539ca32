internal import OpenSSL
internal import SystemSupport

/// The format of `journal`: the changes since a snapshot, one record each.
///
/// A record is its length twice, the second time inverted, its contents, and the SHA-256 of all that. So a record that was
/// not written to its end can be told from one that was damaged later.
package enum JournalFormat {
    private static let magic = Array("AASAJRNL".utf8)
    private static let format: UInt32 = 1
    private static let frameCount = 8

    /// The beginning of the journal of a snapshot.
    package static func header(snapshot digest: [UInt8]) -> [UInt8] {
        var output = CacheOutput()
        output.put(fixed: magic)
        output.put(format)
        output.put(fixed: digest)
        return output.bytes + SHA256Digest.hash(output.bytes)
    }

    /// The record of a change.
    ///
    /// - Parameters:
    ///   - held: the position before it.
    ///   - image: as it is afterwards; what it says of the files that have changed is in the record.
    package static func record(_ changes: StoreChanges, after held: StorePosition, in image: StoreImage) -> [UInt8] {
        let keys = changes.files.map(\.key)
        let served = keys.compactMap { image.served[$0] }
        let refused = keys.filter { image.refused.contains($0) }
        var output = CacheOutput()
        output.put(held.generation)
        output.put(held.token)
        output.put(changes.position.generation)
        output.put(changes.position.token)
        let table = ContentTable(changes.files + served)
        output.put(count: table.contents.count)
        for contents in table.contents { output.put(contents) }
        for files in [changes.files, served] {
            output.put(count: files.count)
            for file in files { output.put(file, contents: table.index(of: file)) }
        }
        output.put(count: refused.count)
        for key in refused { output.put(key) }
        for certificates in [
            changes.certificates, changes.certificates.compactMap { image.servedCertificates[$0.name] },
        ] {
            output.put(count: certificates.count)
            for certificate in certificates { output.put(certificate) }
        }
        let length = UInt32(clamping: output.bytes.count)
        let framed = CacheOutput.bytes(length) + CacheOutput.bytes(~length) + output.bytes
        return framed + SHA256Digest.hash(framed)
    }

    /// Applies the records of a journal to the snapshot that it belongs to; if one is damaged, those before it.
    ///
    /// - Returns: the bytes of it that are whole; nil if it belongs to an earlier snapshot, which has the changes in it.
    package static func replay(
        _ bytes: [UInt8], path: String, onto snapshot: inout SnapshotFormat.Contents
    ) throws(StoreCacheDamage) -> Int? {
        let expected = header(snapshot: snapshot.digest)
        guard bytes.count >= expected.count else {
            // Not even its beginning was written to its end.
            guard expected.starts(with: bytes) else { throw damage(path, "it does not begin as a journal does") }
            return 0
        }
        guard bytes.starts(with: expected) else {
            let other = Array(bytes[(magic.count + 4)..<(magic.count + 4 + SnapshotFormat.digestCount)])
            guard bytes.starts(with: header(snapshot: other)) else {
                throw damage(path, "it does not begin as a journal does")
            }
            return nil
        }
        var image = snapshot.image
        var index = expected.count
        // Each record follows the one before it, and has a checksum: what is before the damage is as it was written.
        defer { snapshot.image = image }
        while let end = try wholeRecord(bytes, at: index, path) {
            let payload = Array(bytes[(index + frameCount)..<(end - SnapshotFormat.digestCount)])
            try apply(payload, path, to: &image)
            index = end
        }
        return index
    }

    /// The end of the record that begins there; nil if there is none, or it was not written to its end.
    private static func wholeRecord(_ bytes: [UInt8], at start: Int, _ path: String) throws(StoreCacheDamage) -> Int? {
        let rest = bytes.count - start
        guard rest >= frameCount else { return nil }
        func number(_ index: Int) -> UInt32 { bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let length = number(start)
        guard length == ~number(start + 4) else {
            // After a loss of power a file can have got its length and not its bytes.
            if bytes[start...].allSatisfy({ $0 == 0 }) { return nil }
            throw damage(path, "the length of a record does not match")
        }
        guard Int(length) <= rest - frameCount - SnapshotFormat.digestCount else { return nil }
        let digestStart = start + frameCount + Int(length)
        let end = digestStart + SnapshotFormat.digestCount
        let digest = bytes[digestStart..<end]
        guard SHA256Digest.hash(Array(bytes[start..<digestStart])).elementsEqual(digest) else {
            if end == bytes.count, digest.allSatisfy({ $0 == 0 }) { return nil }
            throw damage(path, "the checksum of a record does not match")
        }
        return end
    }

    private static func apply(
        _ payload: [UInt8], _ path: String, to image: inout StoreImage
    ) throws(StoreCacheDamage) {
        var input = try CacheInput(payload, path: path, exceptLast: 0)
        let heldGeneration = try input.longNumber()
        let heldToken = try input.text()
        guard heldGeneration == image.position.generation, heldToken == image.position.token else {
            throw damage(path, "a record does not follow the one before it")
        }
        let position = StorePosition(
            storeID: image.position.storeID, generation: try input.longNumber(), token: try input.text())
        let contents = try input.contents()
        let files = try input.files(contents, isPresent: false)
        let served = try input.files(contents, isPresent: true)
        let refused = try input.keys()
        let certificates = try input.certificates()
        let servedCertificates = try input.certificates()
        guard input.remaining == 0 else { throw damage(path, "there is more in a record than there should be") }
        image.apply(StoreChanges(position: position, isComplete: false, files: files, certificates: certificates))
        image.keepServed(served, refused: refused, certificates: servedCertificates)
    }

    private static func damage(_ path: String, _ problem: String) -> StoreCacheDamage {
        StoreCacheDamage(path: path, problem: problem)
    }
}

internal import OpenSSL
package import SystemSupport

/// The format of `snapshot`: a complete image, with the SHA-256 of all that is before it at the end.
package enum SnapshotFormat {
    private static let magic = Array("AASASNAP".utf8)
    private static let format: UInt32 = 1
    static let digestCount = ContentDigest.count
    /// The size of the pieces that are written, in bytes.
    private static let pieceCount = 1 << 18

    /// The contents of a snapshot.
    package struct Contents: Sendable {
        package var image: StoreImage
        /// The version of the program that has written it.
        package let program: String
        /// The SHA-256 at its end, by which the journal names it.
        package let digest: [UInt8]
        /// In bytes.
        package let size: Int
    }

    /// Writes a snapshot, in pieces: of equal images the same.
    ///
    /// - Returns: its digest and its size in bytes.
    package static func write(
        _ image: StoreImage, program: String,
        to put: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) -> (digest: [UInt8], size: Int) {
        let hash: SHA256Digest.Running
        do throws(OpenSSLError) {
            hash = try SHA256Digest.Running()
        } catch {
            throw SystemError(call: "digest", number: 0, reason: error.message)
        }
        var output = CacheOutput()
        var size = 0
        func flush(over limit: Int) throws(SystemError) {
            guard output.bytes.count > limit else { return }
            size += output.bytes.count
            try output.bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
                hash.add(bytes)
                try put(bytes)
            }
            output.removeAll()
        }
        output.put(fixed: magic)
        output.put(format)
        output.put(program)
        output.put(image.position.storeID)
        output.put(image.position.generation)
        output.put(image.position.token)
        let rows = [image.files, image.served].map { files in
            files.values.sorted { $0.key < $1.key }
        }
        let table = ContentTable(rows.joined())
        output.put(count: table.contents.count)
        for contents in table.contents {
            output.put(contents)
            try flush(over: pieceCount)
        }
        for files in rows {
            output.put(count: files.count)
            for file in files {
                output.put(file, contents: table.index(of: file))
                try flush(over: pieceCount)
            }
        }
        output.put(count: image.refused.count)
        for key in image.refused.sorted() { output.put(key) }
        for certificates in [image.certificates, image.servedCertificates] {
            output.put(count: certificates.count)
            for certificate in certificates.values.sorted(by: { $0.name < $1.name }) {
                output.put(certificate)
                try flush(over: pieceCount)
            }
        }
        try flush(over: 0)
        let digest = hash.finish()
        try digest.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in try put(bytes) }
        return (digest, size + digest.count)
    }

    static func read(_ stream: FileStream, path: String) throws(StoreCacheDamage) -> Contents {
        var input = try CacheInput(stream, path: path, exceptLast: digestCount)
        return try read(&input, size: Int(clamping: stream.size))
    }

    /// Reads the bytes of a snapshot.
    package static func read(_ bytes: [UInt8], path: String) throws(StoreCacheDamage) -> Contents {
        var input = try CacheInput(bytes, path: path, exceptLast: digestCount)
        return try read(&input, size: bytes.count)
    }

    private static func read(_ input: inout CacheInput, size: Int) throws(StoreCacheDamage) -> Contents {
        guard try input.fixed(magic.count) == magic else { throw input.damage("it does not begin as a snapshot does") }
        let number = try input.number()
        guard number == format else { throw input.damage("it has format \(number), expected \(format)") }
        let program = try input.text()
        let position = StorePosition(
            storeID: try input.text(), generation: try input.longNumber(), token: try input.text())
        let contents = try input.contents()
        let files = try input.files(contents, isPresent: true)
        let served = try input.files(contents, isPresent: true)
        let refused = try input.keys()
        let certificates = try input.certificates()
        let servedCertificates = try input.certificates()
        guard input.remaining == 0 else { throw input.damage("there is more in it than there should be") }
        let digest = input.digest()
        // Nothing of it is used before this is sure.
        guard try input.trailer(digestCount) == digest else { throw input.damage("the checksum does not match") }
        var image = StoreImage(position)
        image.apply(
            StoreChanges(position: position, isComplete: true, files: files, certificates: certificates))
        image.keepServed(served, refused: refused, certificates: servedCertificates)
        return Contents(image: image, program: program, digest: digest, size: size)
    }
}

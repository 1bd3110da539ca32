internal import OpenSSL
internal import SystemSupport

/// The bytes of a cache file on their way to it: numbers in big-endian order, texts and bytes after their length.
struct CacheOutput {
    private(set) var bytes: [UInt8] = []

    /// The content index of a row without contents.
    static let noContents = UInt32.max

    mutating func put(_ number: UInt8) { bytes.append(number) }

    mutating func put(_ number: UInt32) { bytes.append(contentsOf: Self.bytes(number)) }

    mutating func put(_ number: Int64) {
        let bits = UInt64(bitPattern: number)
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    mutating func put(count: Int) { put(UInt32(clamping: count)) }

    mutating func put(_ text: String) {
        put(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ value: [UInt8]) {
        put(count: value.count)
        bytes.append(contentsOf: value)
    }

    /// Bytes whose number the reader knows.
    mutating func put(fixed value: [UInt8]) { bytes.append(contentsOf: value) }

    mutating func put(_ contents: StoredContents) {
        put(fixed: contents.digest.bytes)
        put(contents.bytes)
    }

    mutating func put(_ key: StoreFileKey) {
        put(key.domain)
        put(key.name)
    }

    mutating func put(_ file: StoredFile, contents index: UInt32) {
        put(file.key)
        put(file.version)
        put(index)
        put(UInt8(file.lint == nil ? 0 : 1))
        if let lint = file.lint { put(lint) }
        put(file.publishedAt)
        put(file.generation)
    }

    mutating func put(_ certificate: StoredCertificate) {
        put(certificate.name)
        put(certificate.chain)
        put(certificate.keyID)
        put(certificate.sealedKey)
        put(certificate.source.rawValue)
        put(UInt8(certificate.authority == nil ? 0 : 1))
        if let authority = certificate.authority { put(authority) }
        put(certificate.generation)
        put(UInt8(certificate.isRemoved ? 1 : 0))
    }

    /// Forgets the bytes, which were written.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// Distinct contents in the order in which rows of a cache file number them.
struct ContentTable {
    private(set) var contents: [StoredContents] = []
    private var indices: [ObjectIdentifier: UInt32] = [:]

    init(_ files: some Sequence<StoredFile>) {
        for file in files {
            guard let own = file.contents, indices[ObjectIdentifier(own)] == nil else { continue }
            indices[ObjectIdentifier(own)] = UInt32(clamping: contents.count)
            contents.append(own)
        }
    }

    func index(of file: StoredFile) -> UInt32 {
        file.contents.flatMap { indices[ObjectIdentifier($0)] } ?? CacheOutput.noContents
    }
}

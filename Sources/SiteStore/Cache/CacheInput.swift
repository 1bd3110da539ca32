internal import BoundedText
package import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// Why a cache cannot be used.
package struct StoreCacheDamage: Error, Equatable, Sendable {
    /// The file that is damaged.
    package let path: String
    /// One clause.
    package let problem: String
    /// Whether what is before the damage is used.
    package let isPartial: Bool

    package init(path: String, problem: String, isPartial: Bool = false) {
        self.path = path
        self.problem = problem
        self.isPartial = isPartial
    }

    package var finding: LocatedDiagnostic {
        LocatedDiagnostic(
            .storeCacheDamaged, path,
            "the cache is damaged: \(problem); "
                + (isPartial
                    ? "what is before that is used, and newer changes are read from the store"
                    : "all of it is ignored, and the store is read anew"))
    }
}

/// Bytes of a cache file as they are read, with their SHA-256.
///
/// No more memory is taken than the file has bytes, whatever its numbers say.
struct CacheInput: ~Copyable {
    let path: String
    private let stream: FileStream?
    private var buffer: [UInt8]
    private var index = 0
    private var end: Int
    /// The bytes of the buffer before it are in the hash.
    private var hashedEnd = 0
    private var isHashing = true
    /// The name of the file that was read last: most have the same.
    private var lastName = ""
    /// The bytes that are still to come of what is read.
    private(set) var remaining: Int
    private let hash: SHA256Digest.Running

    private static let bufferCount = 1 << 18

    /// Reads a file but for its last bytes.
    init(_ stream: FileStream, path: String, exceptLast rest: Int) throws(StoreCacheDamage) {
        try self.init(
            path: path, stream: stream, buffer: [UInt8](repeating: 0, count: Self.bufferCount), end: 0,
            remaining: Int(clamping: stream.size) - rest)
    }

    /// Reads bytes but for the last ones.
    init(_ bytes: [UInt8], path: String, exceptLast rest: Int) throws(StoreCacheDamage) {
        try self.init(path: path, stream: nil, buffer: bytes, end: bytes.count, remaining: bytes.count - rest)
    }

    private init(
        path: String, stream: FileStream?, buffer: [UInt8], end: Int, remaining: Int
    ) throws(StoreCacheDamage) {
        guard remaining >= 0 else { throw StoreCacheDamage(path: path, problem: "it is too short") }
        let hash: SHA256Digest.Running
        do throws(OpenSSLError) {
            hash = try SHA256Digest.Running()
        } catch {
            throw StoreCacheDamage(path: path, problem: error.message)
        }
        (self.path, self.stream, self.buffer, self.end, self.remaining) = (path, stream, buffer, end, remaining)
        self.hash = hash
    }

    func damage(_ problem: String) -> StoreCacheDamage { StoreCacheDamage(path: path, problem: problem) }

    /// Reads bytes of a number that is known.
    mutating func fixed(_ count: Int) throws(StoreCacheDamage) -> [UInt8] {
        guard count <= remaining else { throw damage("it ends too early") }
        remaining -= count
        return try raw(count)
    }

    mutating func byte() throws(StoreCacheDamage) -> UInt8 { UInt8(truncatingIfNeeded: try bits(1)) }

    mutating func number() throws(StoreCacheDamage) -> UInt32 { UInt32(truncatingIfNeeded: try bits(4)) }

    mutating func longNumber() throws(StoreCacheDamage) -> Int64 { Int64(bitPattern: try bits(8)) }

    /// A number of so many bytes.
    private mutating func bits(_ count: Int) throws(StoreCacheDamage) -> UInt64 {
        guard count <= remaining, count <= end - index else {
            return try fixed(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        var value: UInt64 = 0
        for offset in 0..<count { value = value << 8 | UInt64(buffer[index + offset]) }
        index += count
        remaining -= count
        return value
    }

    /// A number of things that have at least so many bytes each.
    mutating func count(ofAtLeast bytes: Int) throws(StoreCacheDamage) -> Int {
        let count = Int(try number())
        guard count <= remaining / bytes else { throw damage("a number is larger than the file") }
        return count
    }

    mutating func bytes() throws(StoreCacheDamage) -> [UInt8] { try fixed(Int(try number())) }

    mutating func text() throws(StoreCacheDamage) -> String {
        guard let text = String(validText: try bytes()) else { throw damage("a text is not UTF-8") }
        return text
    }

    mutating func flag() throws(StoreCacheDamage) -> Bool {
        let byte = try byte()
        guard byte <= 1 else { throw damage("a flag is neither 0 nor 1") }
        return byte == 1
    }

    /// The SHA-256 of what was read; nothing more may be read afterwards but what is after it.
    mutating func digest() -> [UInt8] {
        addToHash()
        isHashing = false
        return hash.finish()
    }

    private mutating func addToHash() {
        if isHashing { buffer[hashedEnd..<index].withUnsafeBytes { hash.add($0) } }
        hashedEnd = index
    }

    /// Reads what is after the end of what is hashed.
    mutating func trailer(_ count: Int) throws(StoreCacheDamage) -> [UInt8] { try raw(count) }

    private mutating func raw(_ count: Int) throws(StoreCacheDamage) -> [UInt8] {
        if count <= end - index {
            index += count
            return Array(buffer[index - count..<index])
        }
        var bytes = Array(buffer[index..<end])
        bytes.reserveCapacity(count)
        index = end
        addToHash()
        (index, end, hashedEnd) = (0, 0, 0)
        guard let stream else { throw damage("it ends too early") }
        while bytes.count < count {
            do throws(SystemError) {
                end = try stream.read(into: &buffer)
            } catch {
                throw damage("it cannot be read: \(error.reason)")
            }
            guard end > 0 else { throw damage("it ends too early") }
            hashedEnd = 0
            index = min(end, count - bytes.count)
            bytes.append(contentsOf: buffer[..<index])
            if index == end { addToHash() }
        }
        return bytes
    }
}

extension CacheInput {
    private static let smallestContents = ContentDigest.count + 4
    private static let smallestKey = 8
    private static let smallestFile = smallestKey + 29
    private static let smallestCertificate = 30

    mutating func contents() throws(StoreCacheDamage) -> [StoredContents] {
        var contents: [StoredContents] = []
        for _ in 0..<(try count(ofAtLeast: Self.smallestContents)) {
            guard let digest = ContentDigest(try fixed(ContentDigest.count)) else {
                throw damage("a digest is missing")
            }
            contents.append(StoredContents(digest: digest, bytes: try bytes()))
        }
        return contents
    }

    mutating func key() throws(StoreCacheDamage) -> StoreFileKey {
        let domain = try text()
        let name = try text()
        if name != lastName { lastName = name }
        return StoreFileKey(domain: domain, name: lastName)
    }

    mutating func keys() throws(StoreCacheDamage) -> [StoreFileKey] {
        var keys: [StoreFileKey] = []
        for _ in 0..<(try count(ofAtLeast: Self.smallestKey)) { keys.append(try key()) }
        return keys
    }

    /// - Parameter isPresent: whether all of them must have contents.
    mutating func files(_ contents: [StoredContents], isPresent: Bool) throws(StoreCacheDamage) -> [StoredFile] {
        var files: [StoredFile] = []
        for _ in 0..<(try count(ofAtLeast: Self.smallestFile)) {
            let key = try key()
            let version = try longNumber()
            let index = try number()
            let hasContents = index != CacheOutput.noContents
            guard hasContents ? index < contents.count : !isPresent else {
                throw damage("a row has contents that are not there")
            }
            files.append(
                StoredFile(
                    key: key, version: version, contents: hasContents ? contents[Int(index)] : nil,
                    lint: try flag() ? try text() : nil, publishedAt: try longNumber(), generation: try longNumber()))
        }
        return files
    }

    mutating func certificates() throws(StoreCacheDamage) -> [StoredCertificate] {
        var certificates: [StoredCertificate] = []
        for _ in 0..<(try count(ofAtLeast: Self.smallestCertificate)) {
            let (name, chain, keyID, sealedKey) = (try text(), try text(), try text(), try bytes())
            guard let source = StoredCertificate.Source(rawValue: try text()) else {
                throw damage("a certificate has an unknown source")
            }
            certificates.append(
                StoredCertificate(
                    name: name, chain: chain, keyID: keyID, sealedKey: sealedKey, source: source,
                    authority: try flag() ? try text() : nil, generation: try longNumber(),
                    isRemoved: try flag()))
        }
        return certificates
    }
}

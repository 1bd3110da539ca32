internal import Diagnostics
internal import SystemSupport

/// The signing block of an APK, which is between its entries and its directory (source.android.com, "APK Signature Scheme
/// v2", "APK Signing Block").
struct SigningBlock {
    /// The blocks of the signature schemes.
    let schemes: [(scheme: SigningCertificate.Scheme, value: ArraySlice<UInt8>)]

    /// The largest block that is read, in bytes.
    static let maximumSize = 16 << 20

    /// The name of the block in messages.
    private static let name = "the signing block"
    private static let magic = Array("APK Sig Block 42".utf8)
    /// A size, and the magic.
    private static let footerCount = 24
    private static let sizeCount = 8
    private static let identifiers: [Int: SigningCertificate.Scheme] = [
        0x7109_871A: .v2, 0xF053_68C0: .v3, 0x1B93_AD61: .v31, 0x70E1_C89F: .v32,
    ]

    /// Reads the block that ends where the directory of an archive begins; nil if there is none.
    init?(before directory: Int, of file: RandomAccessFile) throws(SignatureError) {
        let footer = try SignatureError.reading { () throws(SystemError) in
            try file.bytes(at: directory - Self.footerCount, count: Self.footerCount)
        }
        guard let footer, footer.suffix(Self.magic.count).elementsEqual(Self.magic) else { return nil }
        var footerReader = BlockReader(footer[...], of: Self.name)
        let size = try footerReader.number64()
        guard size <= Self.maximumSize else {
            throw SignatureError(
                .tooLarge,
                size == .max
                    ? "the signing block is larger than \(Self.maximumSize >> 20) MiB"
                    : "the signing block has \(grouped(size)) bytes, more than \(grouped(Self.maximumSize))")
        }
        // The first size does not count itself.
        let count = size + Self.sizeCount
        guard size >= Self.footerCount, count <= directory else {
            throw .damaged(
                Self.name, "its size is \(grouped(size)), which does not fit before the directory of the archive")
        }
        let found = try SignatureError.reading { () throws(SystemError) in
            try file.bytes(at: directory - count, count: count)
        }
        guard let bytes = found else { throw .damaged(Self.name, "the file became shorter while it was read") }
        var reader = BlockReader(bytes[...], of: Self.name)
        guard try reader.number64() == size else {
            throw .damaged(Self.name, "the sizes at its beginning and its end differ")
        }
        schemes = try Self.schemes(in: BlockReader(bytes[Self.sizeCount..<count - Self.footerCount], of: Self.name))
    }

    /// The first block of each identifier, as systems take it.
    private static func schemes(
        in pairs: BlockReader
    ) throws(SignatureError) -> [(scheme: SigningCertificate.Scheme, value: ArraySlice<UInt8>)] {
        var pairs = pairs
        var schemes: [(scheme: SigningCertificate.Scheme, value: ArraySlice<UInt8>)] = []
        while !pairs.isAtEnd {
            var pair = try pairs.block(length: try pairs.number64())
            guard let scheme = identifiers[try pair.number32()] else { continue }
            if !schemes.contains(where: { $0.scheme == scheme }) { schemes.append((scheme, pair.rest)) }
        }
        return schemes
    }
}

/// Reads little endian numbers, and blocks that begin with their length, one after another.
struct BlockReader {
    private(set) var rest: ArraySlice<UInt8>

    /// The name of the bytes, for the message that they are damaged.
    private let subject: String

    init(_ bytes: ArraySlice<UInt8>, of subject: String) {
        rest = bytes
        self.subject = subject
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number8() throws(SignatureError) -> Int { try number(1) }

    mutating func number16() throws(SignatureError) -> Int { try number(2) }

    mutating func number32() throws(SignatureError) -> Int { try number(4) }

    /// One that no length can be is the largest.
    mutating func number64() throws(SignatureError) -> Int { try number(8) }

    private mutating func number(_ size: Int) throws(SignatureError) -> Int {
        guard rest.count >= size else { throw tooLong }
        let number = rest.prefix(size).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(size)
        return Int(clamping: number)
    }

    /// The next bytes.
    mutating func block(length: Int) throws(SignatureError) -> BlockReader {
        guard length >= 0, length <= rest.count else { throw tooLong }
        defer { rest = rest.dropFirst(length) }
        return BlockReader(rest.prefix(length), of: subject)
    }

    /// The next block, before which its length is in 32 bits.
    mutating func block() throws(SignatureError) -> BlockReader { try block(length: try number32()) }

    private var tooLong: SignatureError { .damaged(subject, "a length in it is larger than what contains it") }
}

internal import BoundedText
internal import CZlib
internal import SystemSupport

/// An entry that is read from its beginning, as far as the caller wants.
package final class ZipEntry {
    /// The number of bytes of the entry, as the archive says; there never come more.
    package let size: Int
    private let content: Content
    private let expected: UInt32
    private let zlib: c_zlib_table
    private var checksum: UInt32 = 0
    private var position = 0

    private enum Content {
        case stored(EntryInput)
        case deflated(Inflation)
    }

    /// The functions of zlib.
    private nonisolated(unsafe) static let zlib = Result { () throws(MissingLibrary) -> c_zlib_table in
        try OpenedLibrary.functions("libz.so.1", name: "zlib", package: "zlib1g", into: c_zlib()) {
            c_zlib_open($0, $1).map { String(cText: $0) }
        }
    }

    private static let headerMark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let headerLength = 30
    private static let (stored, deflated) = (0, 8)

    /// - Parameter index: From 0, less than the count of the archive.
    package init(_ index: Int, of archive: ZipArchive) throws(ZipError) {
        let directory = archive.directory
        guard directory.records.indices.contains(index) else { throw .unusable("no such entry") }
        let entry = try directory.entry(directory.records[index])
        guard !entry.isEncrypted, entry.method == Self.stored || entry.method == Self.deflated else {
            throw .unusable("an entry is encrypted, or compressed in an unsupported way")
        }
        do throws(MissingLibrary) { zlib = try Self.zlib.get() } catch { throw .missingLibrary(error) }
        let file = archive.file
        let found = try ZipError.reading { () throws(SystemError) in
            try file.bytes(at: entry.offset, count: Self.headerLength)
        }
        guard let header = found, header.starts(with: Self.headerMark)
        else { throw .unusable("the archive is damaged: an entry is not where the directory says") }
        let start = entry.offset + Self.headerLength + header.little(26, 2) + header.little(28, 2)
        guard start <= directory.start, entry.compressedSize <= directory.start - start,
            entry.method == Self.deflated || entry.size == entry.compressedSize
        else { throw .unusable("the archive is damaged: an entry is not as large as the directory says") }
        let input = EntryInput(file, start..<start + entry.compressedSize)
        content = entry.method == Self.stored ? .stored(input) : .deflated(try Inflation(zlib, input))
        size = entry.size
        expected = entry.checksum
    }

    /// Fills a buffer, and returns how much of it; 0 at the end of the entry.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
        // One byte more shows whether the content ends where it has to.
        guard position < size || (position == size && isDeflated) else { return 0 }
        let count =
            switch content {
            case .stored(let input): try input.read(into: buffer)
            case .deflated(let inflation): try inflation.read(into: buffer)
            }
        guard count <= size - position, count > 0 || position == size || buffer.isEmpty else {
            throw .unusable("the archive is damaged: an entry is not as large as the directory says")
        }
        position += count
        checksum = c_crc32(
            zlib, checksum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
            UInt32(clamping: count))
        guard position < size || checksum == expected else {
            throw .unusable("the archive is damaged: the checksum of an entry is wrong")
        }
        return count
    }

    private var isDeflated: Bool { if case .deflated = content { true } else { false } }
}

/// The bytes of an entry in the file, one part after the other.
private final class EntryInput {
    private let file: RandomAccessFile
    private var rest: Range<Int>

    init(_ file: RandomAccessFile, _ range: Range<Int>) {
        self.file = file
        rest = range
    }

    /// Fills a buffer as far as there is something.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest.count))
        let start = rest.lowerBound
        let count = try ZipError.reading { () throws(SystemError) in try file.read(at: start, into: wanted) }
        guard count == wanted.count else {
            throw .unusable("the archive is damaged: it became shorter while it was read")
        }
        rest = rest.dropFirst(wanted.count)
        return wanted.count
    }
}

/// Inflates the bytes of an entry (RFC 1951).
private final class Inflation {
    private let zlib: c_zlib_table
    private let input: EntryInput
    /// At an address that does not change, which zlib insists on.
    private let stream: UnsafeMutablePointer<z_stream>
    private let buffer: UnsafeMutableRawBufferPointer
    private var isAtEnd = false

    init(_ zlib: c_zlib_table, _ input: EntryInput) throws(ZipError) {
        self.zlib = zlib
        self.input = input
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        buffer = .allocate(byteCount: 1 << 16, alignment: 1)
        guard c_inflate_init(zlib, stream) == Z_OK else { throw .unusable("there is not enough memory") }
    }

    deinit {
        c_inflate_end(zlib, stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Fills a buffer; less only at the end.
    func read(into output: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: output.count)
        while stream.pointee.avail_out > 0, !isAtEnd {
            if stream.pointee.avail_in == 0 {
                stream.pointee.avail_in = UInt32(clamping: try input.read(into: buffer))
                stream.pointee.next_in = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            }
            switch c_inflate(zlib, stream) {
            case Z_OK: break
            case Z_STREAM_END: isAtEnd = true
            case Z_MEM_ERROR: throw .unusable("there is not enough memory")
            // Also where it goes on after its last byte.
            default: throw .unusable("the archive is damaged: an entry cannot be inflated")
            }
        }
        return output.count - Int(stream.pointee.avail_out)
    }
}

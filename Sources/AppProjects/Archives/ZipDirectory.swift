internal import SystemSupport

/// The directory of an archive (APPNOTE.TXT, sections 4.3.12 to 4.3.16).
struct ZipDirectory {
    /// The facts that are needed to read an entry.
    struct Entry {
        let isEncrypted: Bool
        let method: Int
        let checksum: UInt32
        let compressedSize: Int
        let size: Int
        /// The offset of its header in the file.
        let offset: Int
    }

    private let bytes: [UInt8]
    /// Where the record of each entry begins in the directory.
    let records: [Int]
    /// The length of what is before the archive in the file, such as a program that unpacks it.
    let base: Int
    /// Where the entries end in the file.
    let start: Int

    private static let recordMark: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
    /// The length of a record without a name.
    private static let recordLength = 46

    /// - Parameter limit: The most bytes.
    init(_ file: RandomAccessFile, limit: Int) throws(ZipError) {
        let end = try ZipEnd(file)
        guard end.directorySize <= limit else {
            throw .tooLarge("the directory of the archive is larger than \(limit >> 20) MiB")
        }
        guard end.entries <= end.directorySize / Self.recordLength else {
            throw .unusable("the archive is damaged: its directory is smaller than its entries")
        }
        // Where something was put before the archive, the offsets do not count it.
        start = end.offset - end.directorySize
        base = max(0, start) - end.directoryOffset
        let (start, size) = (start, end.directorySize)
        guard start >= 0, base >= 0,
            let bytes = try ZipError.reading({ () throws(SystemError) in try file.bytes(at: start, count: size) })
        else {
            throw .unusable("the archive is damaged: its directory cannot be found")
        }
        self.bytes = bytes
        var records: [Int] = []
        records.reserveCapacity(end.entries)
        var offset = 0
        while records.count < end.entries {
            let length =
                Self.recordLength + bytes.little(offset + 28, 2) + bytes.little(offset + 30, 2)
                + bytes.little(offset + 32, 2)
            guard bytes.dropFirst(offset).starts(with: Self.recordMark), length <= bytes.count - offset else {
                throw .unusable("the archive is damaged: its directory is not complete")
            }
            records.append(offset)
            offset += length
        }
        self.records = records
    }

    func name(of record: Int) -> [UInt8] { Array(lentName(of: record)) }

    func lentName(of record: Int) -> ArraySlice<UInt8> {
        let start = record + Self.recordLength
        return bytes[start..<start + bytes.little(record + 28, 2)]
    }

    func entry(_ record: Int) throws(ZipError) -> Entry {
        var size = bytes.little(record + 24, 4)
        var compressedSize = bytes.little(record + 20, 4)
        var offset = bytes.little(record + 42, 4)
        // What has no place there is in an extra field, in this order.
        var wide = wideNumbers(record)[...]
        if size == 0xFFFF_FFFF { size = wide.popFirst() ?? size }
        if compressedSize == 0xFFFF_FFFF { compressedSize = wide.popFirst() ?? compressedSize }
        if offset == 0xFFFF_FFFF { offset = wide.popFirst() ?? offset }
        guard offset <= start - base else {
            throw .unusable("the archive is damaged: an entry is not where the directory says")
        }
        return Entry(
            // Of the entry itself, strongly, or of the directory.
            isEncrypted: bytes.little(record + 8, 2) & 0x2041 != 0, method: bytes.little(record + 10, 2),
            checksum: UInt32(truncatingIfNeeded: bytes.little(record + 16, 4)), compressedSize: compressedSize,
            size: size, offset: base + offset)
    }

    /// The numbers of the extra field for large archives (section 4.5.3).
    private func wideNumbers(_ record: Int) -> [Int] {
        var field = record + Self.recordLength + bytes.little(record + 28, 2)
        let end = field + bytes.little(record + 30, 2)
        while field + 4 <= end {
            let length = bytes.little(field + 2, 2)
            guard field + 4 + length <= end else { break }
            if bytes.little(field, 2) == 1 { return (0..<length / 8).map { bytes.little(field + 4 + 8 * $0, 8) } }
            field += 4 + length
        }
        return []
    }
}

/// The end of an archive, which says where its directory is.
private struct ZipEnd {
    let entries: Int
    let directorySize: Int
    /// The offset as it is written in the archive.
    let directoryOffset: Int
    /// Where it begins in the file, which is where the directory ends.
    let offset: Int

    private static let mark: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    private static let locatorMark: [UInt8] = [0x50, 0x4B, 0x06, 0x07]
    private static let wideMark: [UInt8] = [0x50, 0x4B, 0x06, 0x06]
    private static let length = 22
    private static let locatorLength = 20
    private static let wideLength = 56
    private static let longestComment = 65_535

    init(_ file: RandomAccessFile) throws(ZipError) {
        func bytes(at offset: Int, count: Int) throws(ZipError) -> [UInt8]? {
            try ZipError.reading { () throws(SystemError) in try file.bytes(at: offset, count: count) }
        }
        let tailLength = min(file.size, Self.length + Self.longestComment + Self.locatorLength)
        let tail = try bytes(at: file.size - tailLength, count: tailLength) ?? []
        guard let start = Self.start(in: tail) else { throw .unusable("the archive is damaged: it has no directory") }
        let entries = tail.little(start + 10, 2)
        let directorySize = tail.little(start + 12, 4)
        let directoryOffset = tail.little(start + 16, 4)
        guard start >= Self.locatorLength,
            tail[(start - Self.locatorLength)...].starts(with: Self.locatorMark)
        else {
            (self.entries, self.directorySize, self.directoryOffset) = (entries, directorySize, directoryOffset)
            offset = file.size - tailLength + start
            return
        }
        // The wide form, whose numbers count where the others are too small.
        offset = tail.little(start - Self.locatorLength + 8, 8)
        guard let wide = try bytes(at: offset, count: Self.wideLength), wide.starts(with: Self.wideMark) else {
            throw .unusable("the archive is damaged: its directory cannot be found")
        }
        self.entries = entries == 0xFFFF ? wide.little(32, 8) : entries
        self.directorySize = directorySize == 0xFFFF_FFFF ? wide.little(40, 8) : directorySize
        self.directoryOffset = directoryOffset == 0xFFFF_FFFF ? wide.little(48, 8) : directoryOffset
    }

    /// The last end whose comment reaches the end of the file; the mark can be in a comment, too.
    private static func start(in tail: [UInt8]) -> Int? {
        tail.indices.dropLast(length - 1).last { start in
            tail[start] == mark[0] && tail[start...].starts(with: mark)
                && start + length + tail.little(start + 20, 2) == tail.count
        }
    }
}

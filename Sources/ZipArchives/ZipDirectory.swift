internal import Glibc
internal import SystemSupport

/// What the end of an archive says about its directory (APPNOTE.TXT, sections 4.3.14 to 4.3.16).
///
/// libzip believes these numbers, and asks for memory by them before it has read any entry; so they are looked at
/// first.
enum ZipDirectory {
    private static let endMark: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    private static let locatorMark: [UInt8] = [0x50, 0x4B, 0x06, 0x07]
    private static let wideEndMark: [UInt8] = [0x50, 0x4B, 0x06, 0x06]
    private static let endLength = 22
    private static let locatorLength = 20
    private static let wideEndLength = 56
    private static let longestComment = 65_535
    /// The shortest record of an entry.
    private static let entryLength: UInt64 = 46

    /// Refuses what is not a regular file, has no end of a directory, or one of which too much is said. Of several ends
    /// any may be the one that counts.
    static func check(_ descriptor: Int32) throws(ZipError) {
        guard let status = FileStatus(of: descriptor) else { throw .unreadable(SystemError(call: "fstat")) }
        guard status.kind == .regular else {
            throw .unreadable(SystemError(call: "open", number: EINVAL, reason: "not a regular file"))
        }
        let size = Int(status.stamp.size)
        let tailLength = min(size, endLength + longestComment + locatorLength)
        let tail = try read(descriptor, at: size - tailLength, tailLength)
        var total: UInt64 = 0
        var found = false
        for start in tail.indices.dropLast(endLength - 1) where tail[start...].starts(with: endMark) {
            found = true
            var entries = tail.number(at: start + 10, bytes: 2)
            var length = tail.number(at: start + 12, bytes: 4)
            if start >= locatorLength, tail[(start - locatorLength)...].starts(with: locatorMark) {
                let offset = tail.number(at: start - locatorLength + 8, bytes: 8)
                let end =
                    offset <= UInt64(max(0, size - wideEndLength))
                    ? try read(descriptor, at: Int(offset), wideEndLength) : []
                guard end.count == wideEndLength, end.starts(with: wideEndMark) else {
                    throw .unusable("the archive is damaged: its directory cannot be found")
                }
                entries = max(entries == 0xFFFF ? 0 : entries, end.number(at: 32, bytes: 8))
                length = max(length == 0xFFFF_FFFF ? 0 : length, end.number(at: 40, bytes: 8))
            }
            let (needed, overflows) = entries.multipliedReportingOverflow(by: entryLength)
            guard !overflows, needed <= length else {
                throw .unusable("the archive is damaged: its directory is smaller than its entries")
            }
            total = total.addingReportingOverflow(length).overflow ? .max : total + length
        }
        guard found else { throw .unusable("the archive is damaged: it has no directory") }
        guard total <= UInt64(ZipArchive.maximumDirectory) else {
            throw .unusable("the directory of the archive is larger than \(ZipArchive.maximumDirectory >> 20) MiB")
        }
    }

    private static func read(_ descriptor: Int32, at offset: Int, _ count: Int) throws(ZipError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw .unreadable(SystemError(call: "read")) }
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}

extension [UInt8] {
    /// A little endian number; 0 if it is not in the bytes.
    fileprivate func number(at offset: Int, bytes: Int) -> UInt64 {
        guard offset >= 0, offset + bytes <= count else { return 0 }
        return self[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

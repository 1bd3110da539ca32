package import SystemSupport

/// An archive that is open for reading. Nothing in it is ever written to a disk, and no name in it is used as a path.
///
/// Only the inflating is left to a library: libzip 1.7 needs a minute to open an archive whose names collide in its
/// table.
package final class ZipArchive {
    let file: RandomAccessFile
    let directory: ZipDirectory

    /// The largest directory that is read unless the caller wants more of it: it is held in memory while the archive is
    /// open.
    package static let maximumDirectory = 16 << 20

    /// Whether bytes begin like an archive.
    package static func isArchive(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    package convenience init(path: String) throws(ZipError) {
        try self.init(try ZipError.reading { () throws(SystemError) in try RandomAccessFile(path) })
    }

    /// Reads the directory of an archive.
    ///
    /// - Parameter maximumDirectory: The bytes that it may have.
    package init(
        _ file: RandomAccessFile, maximumDirectory: Int = ZipArchive.maximumDirectory
    ) throws(ZipError) {
        self.file = file
        directory = try ZipDirectory(file, limit: maximumDirectory)
    }

    /// The offset in the file at which the directory begins.
    package var directoryStart: Int { directory.start }

    /// The number of bytes in the file that are before the archive itself, which do not count in its offsets.
    package var prefixCount: Int { directory.base }

    /// The number of entries.
    package var count: Int { directory.records.count }

    /// The name of an entry as it is in the archive: bytes, which need not be UTF-8; nil if there is no such entry.
    ///
    /// - Parameter index: From 0, less than ``count``.
    package func name(_ index: Int) -> [UInt8]? {
        directory.records.indices.contains(index) ? directory.name(of: directory.records[index]) : nil
    }

    /// The entries with names that the caller wants, in the order of the directory; each name is lent, without a copy.
    package func indices(where isWanted: (ArraySlice<UInt8>) -> Bool) -> [Int] {
        directory.records.indices.filter { isWanted(directory.lentName(of: directory.records[$0])) }
    }

    /// The content of an entry.
    ///
    /// - Parameters:
    ///   - index: From 0, less than ``count``.
    ///   - limit: More bytes than this are not read, whatever the archive says about the size.
    package func read(_ index: Int, limit: Int) throws(ZipError) -> [UInt8] {
        let entry = try ZipEntry(index, of: self)
        guard entry.size <= limit else { throw .tooLarge("an entry is larger than \(limit >> 20) MiB") }
        var content: [UInt8] = []
        content.reserveCapacity(entry.size)
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { chunk.deallocate() }
        while true {
            let count = try entry.read(into: chunk)
            guard count > 0 else { return content }
            content += chunk[..<count]
        }
    }
}

extension [UInt8] {
    /// A little endian number that is in the bytes, 0 if it is not; one that no offset can be is the largest.
    func little(_ offset: Int, _ size: Int) -> Int {
        guard offset >= 0, offset <= count - size else { return 0 }
        return Int(clamping: self[offset..<offset + size].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}

/// Why an archive, or something in it, cannot be read.
package enum ZipError: Error, Sendable {
    /// The file cannot be opened or read.
    case unreadable(SystemError)
    /// It is damaged: one clause, lower case, without a full stop.
    case unusable(String)
    /// It has more of something than is read: a clause as well.
    case tooLarge(String)
    /// zlib is not on this machine.
    case missingLibrary(MissingLibrary)

    /// Runs what reads a file.
    static func reading<Value>(_ body: () throws(SystemError) -> Value) throws(ZipError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw .unreadable(error)
        }
    }
}

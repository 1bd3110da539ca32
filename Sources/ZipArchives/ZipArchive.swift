internal import Glibc
package import SystemSupport

/// An archive that is open for reading. Nothing in it is ever written to a disk, and no name in it is used as a path.
///
/// Only the inflating is left to a library: libzip 1.7 needs a minute to open an archive whose names collide in its
/// table.
package final class ZipArchive {
    let file: ArchiveFile
    let directory: ZipDirectory

    /// The directory of an archive is held in memory while it is open.
    package static let maximumDirectory = 16 << 20

    /// Whether bytes begin like an archive.
    package static func isArchive(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    package init(path: String) throws(ZipError) {
        file = try ArchiveFile(path)
        directory = try ZipDirectory(file)
    }

    /// The number of entries.
    package var count: Int { directory.records.count }

    /// The name of an entry as it is in the archive: bytes, which need not be UTF-8; nil if there is no such entry.
    ///
    /// - Parameter index: From 0, less than ``count``.
    package func name(_ index: Int) -> [UInt8]? {
        directory.records.indices.contains(index) ? directory.name(of: directory.records[index]) : nil
    }

    /// The content of an entry.
    ///
    /// - Parameters:
    ///   - index: From 0, less than ``count``.
    ///   - limit: More bytes than this are not read, whatever the archive says about the size.
    package func read(_ index: Int, limit: Int) throws(ZipError) -> [UInt8] {
        let entry = try ZipEntry(index, of: self)
        guard entry.size <= limit else { throw .unusable("an entry is larger than \(limit >> 20) MiB") }
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

/// The file of an archive, of which parts are read.
final class ArchiveFile {
    private let descriptor: Int32
    let size: Int

    /// Anything but a regular file is refused, and nothing is waited for.
    init(_ path: String) throws(ZipError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(FileReader.explained(SystemError(call: "open"), path)) }
        guard let status = FileStatus(of: descriptor), status.kind == .regular else {
            close(descriptor)
            throw .unreadable(SystemError(call: "open", number: EINVAL, reason: "not a regular file"))
        }
        self.descriptor = descriptor
        size = Int(status.stamp.size)
    }

    deinit { close(descriptor) }

    /// Fills a buffer from an offset, as far as the file goes; returns how much.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let more = pread(
                descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(offset + filled))
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw .unreadable(SystemError(call: "read")) }
            if more == 0 { break }
            filled += more
        }
        return filled
    }

    /// - Returns: Nil if the file does not have these bytes.
    ///
    /// - Parameter count: Bounded before.
    func bytes(at offset: Int, count: Int) throws(ZipError) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= size, offset <= size - count else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        guard try read(at: offset, into: buffer) == count else { return nil }
        return Array(buffer)
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
    /// It is damaged or has more of something than is read: one clause, lower case, without a full stop.
    case unusable(String)
    /// libzip is not on this machine.
    case missingLibrary(MissingLibrary)
}

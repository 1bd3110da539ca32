internal import CZip
internal import Glibc
internal import SystemSupport

/// An archive that is open for reading. Nothing in it is ever written to a disk, and no name in it is used as a path.
package final class ZipArchive {
    fileprivate let functions: c_zip_table
    fileprivate let archive: OpaquePointer
    /// How many entries there are.
    package let count: Int

    /// The directory of an archive is held in memory while it is open, and takes up to ten times its size.
    package static let maximumDirectory = 16 << 20

    /// Whether bytes begin like an archive.
    package static func isArchive(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    package init(path: String) throws(ZipError) {
        do throws(MissingLibrary) { functions = try ZipLibrary.shared.get().functions } catch {
            throw .missingLibrary(error)
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .unreadable(FileReader.explained(SystemError(call: "open"), path))
        }
        do throws(ZipError) { try ZipDirectory.check(descriptor) } catch {
            close(descriptor)
            throw error
        }
        var code: Int32 = 0
        // Takes the descriptor only if it succeeds.
        guard let archive = c_zip_fdopen(functions, descriptor, &code) else {
            close(descriptor)
            throw .unusable(code == ZIP_ER_MEMORY ? "there is not enough memory" : "the archive is damaged")
        }
        self.archive = archive
        count = max(0, Int(c_zip_get_num_entries(functions, archive)))
    }

    deinit { c_zip_discard(functions, archive) }

    /// The name of an entry as it is in the archive: bytes, which need not be UTF-8; nil if it has none.
    ///
    /// - Parameter index: From 0, less than ``count``.
    package func name(_ index: Int) -> [UInt8]? {
        guard let index = UInt64(exactly: index), let name = c_zip_get_name(functions, archive, index) else {
            return nil
        }
        return Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(name), count: strlen(name)))
    }

    /// The content of an entry.
    ///
    /// - Parameters:
    ///   - index: From 0, less than ``count``.
    ///   - limit: More bytes than this are not read, whatever the archive says about the size.
    package func read(_ index: Int, limit: Int) throws(ZipError) -> [UInt8] {
        let entry = try ZipEntry(index, of: self)
        var content: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { chunk.deallocate() }
        while true {
            let count = try entry.read(into: chunk)
            guard count > 0 else { return content }
            guard content.count + count <= limit else {
                throw .unusable("an entry is larger than \(limit >> 20) MiB")
            }
            content += chunk[..<count]
        }
    }
}

/// An entry that is read from its beginning, as far as somebody wants.
package final class ZipEntry {
    /// Closing it would end the entry.
    private let archive: ZipArchive
    private let file: OpaquePointer

    /// - Parameter index: From 0, less than the count of the archive.
    package init(_ index: Int, of archive: ZipArchive) throws(ZipError) {
        guard let position = UInt64(exactly: index), index < archive.count else { throw .unusable("no such entry") }
        let functions = archive.functions
        // Others ask for as much memory as the archive likes.
        guard [ZIP_CM_STORE, ZIP_CM_DEFLATE].contains(c_zip_method(functions, archive.archive, position)) else {
            throw .unusable("an entry is encrypted, or compressed in a way that is not read")
        }
        guard let file = c_zip_fopen_index(functions, archive.archive, position) else {
            throw .unusable(ZipError.reason(c_zip_strerror(functions, archive.archive)))
        }
        self.archive = archive
        self.file = file
    }

    deinit { c_zip_fclose(archive.functions, file) }

    /// Fills a buffer, and returns how much of it; 0 at the end of the entry.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        let count = c_zip_fread(archive.functions, file, start, UInt64(buffer.count))
        guard count >= 0 else { throw .unusable(ZipError.reason(c_zip_file_strerror(archive.functions, file))) }
        return min(Int(count), buffer.count)
    }
}

extension ZipError {
    fileprivate static func reason(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "the archive is damaged" }
        return "the archive is damaged: \(String(cString: text).lowercased())"
    }
}

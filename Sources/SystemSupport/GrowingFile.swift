internal import Glibc

/// A file that grows by whole pieces: of one that cannot be written in full nothing stays.
package final class GrowingFile {
    private let descriptor: Int32
    /// The size in bytes.
    package private(set) var size: Int64

    /// Takes over the descriptor of a regular file.
    init(descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        guard let status = FileStatus(of: descriptor) else {
            let error = SystemError(call: "fstat")
            close(descriptor)
            throw error
        }
        size = status.stamp.size
    }

    deinit { close(descriptor) }

    /// Adds a piece, and waits until it would survive a loss of power.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        try FileWriter.withoutInterruption { () throws(SystemError) in
            do throws(SystemError) {
                guard lseek(descriptor, off_t(size), SEEK_SET) >= 0 else { throw SystemError(call: "lseek") }
                try FileWriter.write(bytes, to: descriptor)
                guard fdatasync(descriptor) == 0 else { throw SystemError(call: "fdatasync") }
            } catch {
                // The next reader also cuts off an incomplete record.
                ftruncate(descriptor, off_t(size))
                throw error
            }
        }
        size += Int64(bytes.count)
    }

    /// Removes what is after the first bytes.
    package func cut(to size: Int64) throws(SystemError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemError(call: "ftruncate") }
        self.size = size
    }
}

/// A regular file that is read from its beginning to its end, in pieces.
package final class FileStream {
    private let descriptor: Int32
    /// The size in bytes when the file was opened.
    package let size: Int64

    /// Takes over a descriptor.
    init(descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        guard let status = FileStatus(of: descriptor), status.kind == .regular else {
            close(descriptor)
            throw SystemError(call: "open", number: EINVAL, reason: "not a regular file")
        }
        size = status.stamp.size
    }

    deinit { close(descriptor) }

    /// Reads until a buffer is full, or the file ends.
    ///
    /// - Returns: the number of bytes that came.
    package func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
        guard let count = buffer.withUnsafeMutableBytes({ FileReader.fill($0, from: descriptor) }) else {
            throw SystemError(call: "read")
        }
        return count
    }
}

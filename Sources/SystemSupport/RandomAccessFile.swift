internal import Glibc

/// A file of which parts are read, at any offset; what is read is never more than what was asked for.
package final class RandomAccessFile {
    private enum Storage {
        case descriptor(Int32, isOwned: Bool)
        case bytes([UInt8])
    }

    private let storage: Storage
    /// In bytes, when it was opened.
    package let size: Int

    /// Opens a regular file. Anything else is refused, and nothing is waited for.
    package convenience init(_ path: String) throws(SystemError) { try self.init(RawPath(path)) }

    /// Opens a regular file. Anything else is refused, and nothing is waited for.
    package init(_ path: RawPath) throws(SystemError) {
        let descriptor = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw FileReader.explained(SystemError(call: "open"), path.text) }
        guard let status = FileStatus(of: descriptor), status.kind == .regular else {
            let isFolder = FileStatus(of: descriptor)?.kind == .folder
            close(descriptor)
            throw isFolder
                ? SystemError(call: "read", number: EISDIR)
                : SystemError(call: "open", number: EINVAL, reason: "not a regular file")
        }
        storage = .descriptor(descriptor, isOwned: true)
        size = Int(status.stamp.size)
    }

    /// Takes standard input: as it is if it is a regular file, and read to its end otherwise.
    ///
    /// - Parameter limit: No more bytes than this and one are read of what is not a regular file.
    package init(standardInput limit: Int) throws(SystemError) {
        if let status = FileStatus(of: STDIN_FILENO), status.kind == .regular {
            storage = .descriptor(STDIN_FILENO, isOwned: false)
            size = Int(status.stamp.size)
        } else {
            let bytes = try FileReader.readToEnd(STDIN_FILENO, limit: limit)
            storage = .bytes(bytes)
            size = bytes.count
        }
    }

    /// Opens a regular file, or reads a pipe to its end, which is waited for.
    ///
    /// - Parameter limit: No more bytes than this and one are read of a pipe.
    package convenience init(_ path: RawPath, pipeLimit limit: Int) throws(SystemError) {
        if FileStatus(at: path.cString)?.kind == .pipe {
            self.init(bytes: try FileReader.readToEnd(path, limit: limit))
        } else {
            try self.init(path)
        }
    }

    /// Takes what was read before.
    package init(bytes: [UInt8]) {
        storage = .bytes(bytes)
        size = bytes.count
    }

    deinit {
        if case .descriptor(let descriptor, isOwned: true) = storage { close(descriptor) }
    }

    /// Fills a buffer from an offset, as far as the file goes; returns how much.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        guard offset >= 0 else { return 0 }
        switch storage {
        case .bytes(let bytes):
            let part = bytes.dropFirst(offset).prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        case .descriptor(let descriptor, _):
            var filled = 0
            while filled < buffer.count {
                let more = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(offset + filled))
                if more < 0, errno == EINTR { continue }
                guard more >= 0 else { throw SystemError(call: "read") }
                if more == 0 { break }
                filled += more
            }
            return filled
        }
    }

    /// - Parameter count: Bounded before.
    /// - Returns: Nil if the file does not have these bytes.
    package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= size, offset <= size - count else { return nil }
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes.count == count ? bytes : nil
    }
}

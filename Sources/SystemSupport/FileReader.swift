internal import Glibc

/// Reads files, never more of them than was asked for.
package enum FileReader {
    /// The bytes that were read of a regular file.
    package struct Contents: Sendable {
        package let bytes: [UInt8]
        /// The status from before the file was read.
        package let status: FileStatus
        /// Whether it does not seem to have been written meanwhile.
        package let isSettled: Bool

        package init(bytes: [UInt8], status: FileStatus, isSettled: Bool) {
            self.bytes = bytes
            self.status = status
            self.isSettled = isSettled
        }
    }

    /// The number of times that a file is read which changes meanwhile.
    private static let maxReads = 5

    /// Reads a regular file again if it was written meanwhile, a few times.
    package static func readSettled(_ path: String, limit: Int) throws(SystemError) -> Contents {
        try settled { () throws(SystemError) in try read(path, limit: limit) }
    }

    /// Reads again what was written meanwhile, a few times.
    package static func settled(_ read: () throws(SystemError) -> Contents) throws(SystemError) -> Contents {
        var contents = try read()
        for _ in 1..<maxReads where !contents.isSettled { contents = try read() }
        return contents
    }

    /// Reads a regular file, and no more than `limit` bytes of it and one.
    ///
    /// Nothing else is read, and nothing waited for: a pipe in the place of a file must not stop a server.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> Contents {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw explained(SystemError(call: "open"), path) }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    /// Reads an open file, if it is a regular one.
    package static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> Contents {
        guard let status = FileStatus(of: descriptor) else { throw SystemError(call: "fstat") }
        guard status.kind != .folder else { throw SystemError(call: "read", number: EISDIR) }
        guard status.kind == .regular else {
            throw SystemError(call: "read", number: EINVAL, reason: "not a regular file")
        }
        let bytes = try readToEnd(descriptor, expected: Int(status.stamp.size), limit: limit)
        guard let after = FileStatus(of: descriptor)?.stamp else { throw SystemError(call: "fstat") }
        return Contents(
            bytes: bytes, status: status,
            isSettled: after.size == status.stamp.size && after.modified == status.stamp.modified)
    }

    /// An error of opening a path, in words that say more where that is possible.
    package static func explained(_ error: SystemError, _ path: String) -> SystemError {
        error.number == ENOENT && !Path.isMissing(path)
            ? SystemError(call: error.call, number: error.number, reason: "it is a broken link") : error
    }
}

extension FileReader {
    /// Reads a file of any kind, which may be a pipe that is waited for; no more than `limit` bytes and one.
    package static func readToEnd(_ path: RawPath, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = open(path.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(call: "open") }
        defer { close(descriptor) }
        return try readToEnd(descriptor, limit: limit)
    }

    /// Reads what comes from a descriptor; no more than `limit` bytes and one.
    ///
    /// - Parameter expected: How many bytes there probably are.
    package static func readToEnd(
        _ descriptor: Int32, expected: Int = 1 << 16, limit: Int
    ) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(max(0, expected), limit) + 1)
        var count = 0
        while true {
            let more = bytes.withUnsafeMutableBytes {
                fill(UnsafeMutableRawBufferPointer(rebasing: $0[count...]), from: descriptor)
            }
            guard let more else { throw SystemError(call: "read") }
            count += more
            if count < bytes.count || count > limit { break }
            // There is more of it than expected.
            bytes += [UInt8](repeating: 0, count: min(max(count, 1 << 16), limit + 1 - count))
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Reads until a buffer is full or nothing more comes, and waits for it.
    ///
    /// - Returns: How many bytes came; nil if the system refused, and then `errno` says why.
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int? {
        var count = 0
        while count < buffer.count {
            let more = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            if more == 0 { break }
            if more > 0 {
                count += more
            } else if errno == EAGAIN {
                // Another process may have made the descriptor nonblocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                return nil
            }
        }
        return count
    }
}

/// The steps that writing files has in common, wherever they are written.
package enum FileWriter {
    /// Writes all of the bytes.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in try write(bytes, to: descriptor) }
    }

    /// Writes all of the bytes.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SystemError(call: "write")
            }
        }
    }

    /// Runs something that is not to be left half done: signals that would end the process wait until it is done, and a
    /// limit on the size of files is an error like a full disk.
    package static func withoutInterruption<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var signals = sigset_t()
        var limit = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        sigemptyset(&limit)
        sigaddset(&limit, SIGXFSZ)
        signals = limit
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGXFSZ) == 1
        defer {
            let number = errno
            // A signal that a write of this thread raised is taken here: only this thread gets it.
            var now = timespec()
            if !wasPending { sigtimedwait(&limit, nil, &now) }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            errno = number
        }
        return try body()
    }
}

import ArgumentParser
import Glibc

/// A file that always holds what is being checked, so that it is there after a crash.
struct FuzzFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw ValidationError("'\(path)' cannot be written") }
    }

    func set(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Keeps it under a name that lasts.
    func keep(as name: String) { rename(path, name) }

    deinit {
        close(descriptor)
        unlink(path)
    }
}

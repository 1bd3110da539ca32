import ArgumentParser
import Glibc

/// A file that says which input is being checked, so that it is known after a crash; it costs a copy to memory.
struct LatestInput: ~Copyable {
    private static let capacity = 256
    private let path: String
    private let memory: UnsafeMutableRawPointer

    init(_ path: String) throws {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        defer { close(descriptor) }
        guard descriptor >= 0, ftruncate(descriptor, Self.capacity) == 0,
            let memory = mmap(nil, Self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { throw ValidationError("'\(path)' cannot be written") }
        self.memory = memory
    }

    /// Writes the command that checks this input again.
    func set(_ command: String) {
        var text = command
        text += String(repeating: " ", count: max(0, Self.capacity - 1 - text.utf8.count)) + "\n"
        let bytes = Array(text.utf8.prefix(Self.capacity))
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
    }

    deinit {
        munmap(memory, Self.capacity)
        unlink(path)
    }
}

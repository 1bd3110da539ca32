internal import COpenSSL
internal import Glibc

/// The memory that the library gives back.
package enum FreedMemory {
    /// From now on everything is wiped that the library gives back, for the whole process.
    ///
    /// The library wipes most of what was secret itself, but not all: the encoded key stays behind where one is read or
    /// written. For programs that do little else; each release costs a little.
    /// - Returns: Whether it was in time: nothing may have been done with the library before.
    @discardableResult
    package static func wipe() -> Bool {
        CRYPTO_set_mem_functions(
            { count, _, _ in FreedMemory.allocate(count) },
            { memory, count, _, _ in FreedMemory.reallocate(memory, count) },
            { memory, _, _ in FreedMemory.free(memory) }) == 1
    }

    private static func allocate(_ count: Int) -> UnsafeMutableRawPointer? { count == 0 ? nil : malloc(count) }

    private static func free(_ memory: UnsafeMutableRawPointer?) {
        guard let memory else { return }
        OPENSSL_cleanse(memory, malloc_usable_size(memory))
        Glibc.free(memory)
    }

    private static func reallocate(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        guard let memory else { return allocate(count) }
        let size = malloc_usable_size(memory)
        if count <= size, count >= size / 2, count > 0 {
            OPENSSL_cleanse(memory + count, size - count)
            return memory
        }
        let other = allocate(count)
        other?.copyMemory(from: memory, byteCount: min(size, count))
        // Without room for the new one the old one stays.
        if other != nil || count == 0 { free(memory) }
        return other
    }
}

internal import BoundedText
internal import COpenSSL
internal import Glibc

/// Bytes that must not be found in memory later, as of a password or a private key; wiped with the last reference to them.
package final class SecretBytes: Sendable {
    // Only lent, never given away: another holder of the array would keep a copy of what is wiped here.
    private nonisolated(unsafe) var storage: [UInt8]

    /// Takes the bytes over and leaves nothing behind.
    package init(taking bytes: inout [UInt8]) {
        storage = []
        swap(&storage, &bytes)
    }

    /// Copies the bytes.
    package init(_ bytes: some Sequence<UInt8>) {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if copy.count == copy.capacity {
                // Growing by itself it would leave what it moves from behind.
                var longer: [UInt8] = []
                longer.reserveCapacity(max(64, copy.count * 2))
                longer += copy
                swap(&copy, &longer)
                Self.wipe(&longer)
            }
            copy.append(byte)
        }
        storage = copy
    }

    /// - Parameter fill: Writes to a buffer of `capacity` bytes and returns how many there are; nil makes the whole thing nil.
    package init?(capacity: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Int?) {
        var isFilled = true
        storage = Array(unsafeUninitializedCapacity: capacity) { buffer, count in
            buffer.initialize(repeating: 0)
            let filled = fill(buffer)
            isFilled = filled != nil
            count = min(max(filled ?? 0, 0), capacity)
            // Bytes after the end would not be wiped.
            OPENSSL_cleanse(buffer.baseAddress.map { $0 + count }, capacity - count)
        }
        if !isFilled { return nil }
    }

    package var count: Int { storage.count }

    /// Lends the bytes; neither they nor slices of them may outlive the call.
    package func withBytes<Result, Failure>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage)
    }

    /// Lends the bytes as text, which is overwritten afterwards as far as that can be done: a short one has no memory of its
    /// own.
    package func withText<Result>(_ body: (String) -> Result) -> Result {
        var text = String(unbounded: storage)
        defer {
            // Made here and not given away, so this is its only copy.
            text.withUTF8 { OPENSSL_cleanse(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) }
        }
        return body(text)
    }

    deinit { Self.wipe(&storage) }

    /// Overwrites bytes with zeros.
    package static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}

extension SecretBytes: Equatable {
    /// Compares in a time that does not depend on the bytes.
    package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.withBytes { left in right.withBytes { MessageAuthentication.isEqual(left, $0) } }
    }
}

/// The memory that the library gives back.
package enum FreedMemory {
    /// Has all memory wiped that the library releases from now on, in the whole process.
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

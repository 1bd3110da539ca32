internal import COpenSSL

/// Bytes that nobody may find in memory later, as of a password or a private key; wiped when the last one forgets them.
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
            // What stands behind the end would not be wiped.
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
        var text = String(decoding: storage, as: UTF8.self)
        defer {
            // Made here and given to nobody, so this is where it stands, and nothing else stands there.
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

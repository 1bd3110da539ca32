internal import OpenSSL
internal import SystemSupport

/// A SHA-256, in 32 bytes without memory of its own.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package static let count = 32

    /// - Returns: nil unless there are 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        self.init(exactly: bytes)
    }

    /// The SHA-256 of bytes.
    package init(of bytes: [UInt8]) { self.init(exactly: SHA256Digest.hash(bytes)) }

    /// - Parameter bytes: 32 of them.
    private init(exactly bytes: some Collection<UInt8>) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for byte in bytes {
            words.0 = words.0 << 8 | words.1 >> 56
            words.1 = words.1 << 8 | words.2 >> 56
            words.2 = words.2 << 8 | words.3 >> 56
            words.3 = words.3 << 8 | UInt64(byte)
        }
        self.words = words
    }

    /// Reads 64 hexadecimal digits of any case; nil for anything else.
    package init?(hex text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.count else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Hexadecimal.value(digits[index]), let low = Hexadecimal.value(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.init(bytes)
    }

    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }

    /// 64 lowercase hexadecimal digits.
    package var hex: String { Hexadecimal.text(bytes) }

    package var description: String { hex }

    package static func == (left: ContentDigest, right: ContentDigest) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

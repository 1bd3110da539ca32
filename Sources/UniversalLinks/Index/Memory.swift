extension UnsafeRawPointer {
    /// The 8 bytes at an offset, the first one lowest.
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The 4 bytes at an offset, the first one lowest.
    @inline(__always)
    func half(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        load(fromByteOffset: offset, as: UInt8.self)
    }

    /// A number that was stored in 4 bytes.
    @inline(__always)
    func int(_ offset: Int) -> Int {
        Int(half(offset))
    }
}

/// Looks at 8 bytes at a time.
enum Word {
    /// A word whose bytes are all the same.
    @inline(__always)
    static func repeating(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The highest bit of each byte that is equal to that of the pattern.
    @inline(__always)
    static func equalBytes(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let difference = word ^ pattern
        return ~(((difference & low) &+ low) | difference | low)
    }

    /// The highest bit of the first byte that is equal to that of the pattern; those above it are undefined.
    @inline(__always)
    static func firstEqualByte(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- repeating(0x01)) & ~difference & repeating(0x80)
    }

    /// The highest bits of the bytes, gathered into the lowest 8 bits.
    @inline(__always)
    static func gather(_ highBits: UInt64) -> UInt64 { (highBits &* 0x0002_0408_1020_4081) &>> 56 }

    /// The word's first bytes; all, if there are 8 or more. Without a branch: lengths of segments are hard to predict.
    @inline(__always)
    static func mask(_ count: Int) -> UInt64 {
        let half = UInt64(truncatingIfNeeded: min(count, 8) &* 4)
        return ~((~0 &<< half) &<< half)
    }

    /// Folds uppercase ASCII letters to lowercase.
    @inline(__always)
    static func lowercased(_ word: UInt64) -> UInt64 {
        let low = word & 0x7F7F_7F7F_7F7F_7F7F
        let fromA = low &+ repeating(0x80 - UInt8(ascii: "A"))
        let afterZ = low &+ repeating(0x7F - UInt8(ascii: "Z"))
        let uppercase = (fromA & ~afterZ & ~word) & 0x8080_8080_8080_8080
        return word | (uppercase &>> 2)
    }

    /// Mixes two words into one, so that every bit of both counts.
    @inline(__always)
    static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = (a ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: b ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}

/// Memory that is written once, record by record, and then only read.
///
/// References into it are offsets, so that it may move while it grows. Offset 0 is never handed out: it says "none".
struct Arena {
    private(set) var bytes: [UInt8] = Array(repeating: 0, count: 64)
    /// Where lists of words are that have been written, by the storage of the list: patterns share the lists of variables.
    var wordLists: [UnsafeRawPointer: Int] = [:]

    /// Makes room for a record of zeros and returns its offset.
    mutating func reserve(_ count: Int, alignment: Int = 8) -> Int {
        let start = (bytes.count + alignment - 1) / alignment * alignment
        bytes += [UInt8](repeating: 0, count: start - bytes.count + count)
        return start
    }

    mutating func append(_ text: [UInt8]) -> Int {
        let start = reserve(text.count)
        bytes.replaceSubrange(start..<(start + text.count), with: text)
        return start
    }

    mutating func store(_ value: UInt64, at offset: Int) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self) }
    }

    mutating func store(_ value: UInt32, at offset: Int) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self) }
    }

    mutating func store(_ value: Int, at offset: Int) {
        store(UInt32(truncatingIfNeeded: value), at: offset)
    }

    /// The memory, moved to where it stays: at a cache line, with 64 more bytes after it. The caller owns it.
    func freeze() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 64, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes.count + 64)
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        return memory
    }
}

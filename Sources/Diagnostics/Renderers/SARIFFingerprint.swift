/// What tells a finding from others when lines have moved: its code, where it is in the tree, and what stands there.
struct SARIFFingerprint: Hashable {
    /// The 64-bit hash FNV-1a: no secret, but the same on every machine and in every release.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ diagnostic: Diagnostic, in source: SourceText) {
        let count = source.bytes.count
        let start = min(max(0, diagnostic.range.start), count)
        let end = min(max(start, diagnostic.range.end), count)
        add(diagnostic.code.rawValue.utf8)
        add((diagnostic.pointer ?? "").utf8)
        // The beginning tells enough of a large value, and values lie in each other.
        add(source.bytes[start..<min(end, start + 4096)])
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        // No part runs into the next one: UTF-8 never has this byte.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// The hash in 16 digits.
    var text: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

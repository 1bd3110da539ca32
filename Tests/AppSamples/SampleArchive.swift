/// Writes zip archives.
public struct SampleArchive: Sendable {
    /// The content of an entry.
    public enum Content: Sendable {
        /// Not compressed.
        case stored([UInt8])
        /// Up to 65,535 bytes and then so many zero bytes, deflated; of these a thousandth is in the archive.
        case zeros(Int, after: [UInt8] = [])
        /// As it is, with any number for the method and the sizes.
        case raw([UInt8], method: Int, size: Int)
        case encrypted([UInt8], Encryption)
    }

    /// The encryption of entries (APPNOTE.TXT, section 6.1; WinZip, "AES Encryption Information").
    public enum Encryption: Sendable {
        case traditional, aes
    }

    public var entries: [(name: [UInt8], content: Content)] = []

    public init() {}

    public mutating func add(_ name: String, _ content: [UInt8]) {
        entries.append((Array(name.utf8), .stored(content)))
    }
    public mutating func add(_ name: String, _ content: Content) { entries.append((Array(name.utf8), content)) }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for (name, content) in entries {
            let offset = bytes.count
            let (data, method, size, checksum): ([UInt8], Int, Int, UInt32) =
                switch content {
                case .stored(let data): (data, 0, data.count, Self.checksum(data))
                case .zeros(let count, let start):
                    (
                        Self.deflatedZeros(count, after: start), 8, start.count + count,
                        Self.checksumOfZeros(count, after: start)
                    )
                case .raw(let data, let method, let size): (data, method, size, 0)
                case .encrypted(let data, let encryption): (data, encryption == .aes ? 99 : 0, data.count - 28, 0)
                }
            var (flags, more): (UInt8, [UInt8]) = (0, [])
            if case .encrypted(_, let encryption) = content {
                flags = 1
                if encryption == .aes { more = Self.little(0x9901, 2) + [7, 0, 2, 0, 0x41, 0x45, 3, 0, 0] }
            }
            let common =
                [flags, 0] + Self.little(method, 2) + [0, 0, 0x21, 0x28] + Self.little(Int(checksum), 4)
                + Self.little(data.count, 4) + Self.little(size, 4) + Self.little(name.count, 2)
                + Self.little(more.count, 2)
            bytes += [0x50, 0x4B, 3, 4, 20, 0] + common + name + more + data
            directory += [0x50, 0x4B, 1, 2, 20, 3, 20, 0] + common
            directory += [UInt8](repeating: 0, count: 10) + Self.little(offset, 4) + name + more
        }
        return bytes + directory + Self.end(entries: entries.count, size: directory.count, offset: bytes.count)
    }

    /// The end of the directory, with any numbers.
    public static func end(entries: Int, size: Int, offset: Int) -> [UInt8] {
        [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + little(entries, 2) + little(entries, 2) + little(size, 4) + little(offset, 4)
            + [0, 0]
    }

    public static func little(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { step($0, $1) }
    }

    /// The sum after a number of zero bytes. Their effect is linear: it is squared as often as the number of them has
    /// bits.
    private static func checksumOfZeros(_ count: Int, after start: [UInt8]) -> UInt32 {
        func applied(_ map: [UInt32], to sum: UInt32) -> UInt32 {
            map.indices.reduce(0) { sum >> $1 & 1 == 1 ? $0 ^ map[$1] : $0 }
        }
        var map = (0..<32).map { step(1 << $0, 0) }
        var sum = ~checksum(start)
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { sum = applied(map, to: sum) }
            map = map.map { applied(map, to: $0) }
            rest >>= 1
        }
        return ~sum
    }

    private static func step(_ sum: UInt32, _ byte: UInt8) -> UInt32 {
        table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8
    }

    /// ISO 3309.
    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    /// Zeros as one block with the fixed codes of RFC 1951: one literal, then copies of 258 bytes from one byte before.
    static func deflatedZeros(_ count: Int, after start: [UInt8]) -> [UInt8] {
        // Before them a block that is not compressed.
        let stored = start.isEmpty ? [] : [0] + little(start.count, 2) + little(~start.count, 2) + start
        var writer = BitWriter(stored)
        writer.add(0b011, bits: 3)
        let copies = max(0, count - 1) / 258
        for _ in 0..<(count - copies * 258) { writer.add(reversed: 0x30, bits: 8) }
        // A copy has 13 bits, so that eight of them are the same bytes again and again.
        for _ in 0..<(copies < 24 ? copies : 16 + copies % 8) {
            writer.add(reversed: 0b1100_0101, bits: 8)
            writer.add(0, bits: 5)
        }
        if copies >= 24 { writer.repeatBytes(13, times: copies / 8 - 2) }
        writer.add(0, bits: 7)
        return writer.bytes
    }

    private struct BitWriter {
        private(set) var bytes: [UInt8]
        private var used = 8

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func add(_ value: Int, bits: Int) { for bit in 0..<bits { add(value >> bit & 1) } }

        /// Adds the latest whole bytes again, at the same bit.
        mutating func repeatBytes(_ count: Int, times: Int) {
            let rest = used < 8 ? bytes.popLast() : nil
            bytes.reserveCapacity(bytes.count + count * times + 1)
            let latest = bytes.suffix(count)
            for _ in 0..<times { bytes += latest }
            if let rest { bytes.append(rest) }
        }

        /// Huffman codes come with their highest bit first.
        mutating func add(reversed value: Int, bits: Int) { for bit in (0..<bits).reversed() { add(value >> bit & 1) } }

        private mutating func add(_ bit: Int) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(bit) << UInt8(used)
            used += 1
        }
    }
}

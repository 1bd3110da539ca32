/// Writes zip archives.
public struct SampleArchive: Sendable {
    /// What is in an entry.
    public enum Content: Sendable {
        /// Not compressed.
        case stored([UInt8])
        /// So many zero bytes, deflated; a thousandth of it in the archive.
        case zeros(Int)
        /// As it is, with any number for the method and the sizes.
        case raw([UInt8], method: Int, size: Int)
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
                case .zeros(let count): (Self.deflatedZeros(count), 8, count, Self.checksumOfZeros(count))
                case .raw(let data, let method, let size): (data, method, size, 0)
                }
            let common =
                Self.little(method, 2) + [0, 0, 0x21, 0x28] + Self.little(Int(checksum), 4)
                + Self.little(data.count, 4) + Self.little(size, 4) + Self.little(name.count, 2)
            bytes += [0x50, 0x4B, 3, 4, 20, 0, 0, 0] + common + [0, 0] + name + data
            directory += [0x50, 0x4B, 1, 2, 20, 3, 20, 0, 0, 0] + common
            directory += [UInt8](repeating: 0, count: 12) + Self.little(offset, 4) + name
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

    private static func checksumOfZeros(_ count: Int) -> UInt32 {
        var sum = UInt32.max
        for _ in 0..<count { sum = table[Int(sum & 0xFF)] ^ sum >> 8 }
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
    static func deflatedZeros(_ count: Int) -> [UInt8] {
        var writer = BitWriter()
        writer.add(0b011, bits: 3)
        let copies = max(0, count - 1) / 258
        for _ in 0..<(count - copies * 258) { writer.add(reversed: 0x30, bits: 8) }
        for _ in 0..<copies {
            writer.add(reversed: 0b1100_0101, bits: 8)
            writer.add(0, bits: 5)
        }
        writer.add(0, bits: 7)
        return writer.bytes
    }

    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var used = 8

        mutating func add(_ value: Int, bits: Int) { for bit in 0..<bits { add(value >> bit & 1) } }

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

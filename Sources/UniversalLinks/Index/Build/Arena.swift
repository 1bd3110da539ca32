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
        bytes.append(contentsOf: repeatElement(0, count: start - bytes.count + count))
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

    /// The memory, moved to where it stays: at a cache line, with 64 more bytes behind it. The caller owns it.
    func freeze() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 64, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes.count + 64)
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        return memory
    }
}

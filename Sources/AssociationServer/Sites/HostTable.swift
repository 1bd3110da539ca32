/// Finds the number of a host name, or of the wildcard that covers it, in constant time.
///
/// It never changes after it was made; a copy with a few other names shares the rest with the original. Names are compared
/// in lowercase; `*.example.com` covers one label more than `example.com`, and an exact name wins over a wildcard.
package final class HostTable: @unchecked Sendable {
    /// The view for the path of a request, which counts no reference.
    package struct View: BitwiseCopyable {
        fileprivate let chunks: UnsafePointer<HostChunk.View>
        fileprivate let mask: Int
        fileprivate let hasWildcards: Bool

        /// - Returns: `nil` if neither the name nor a wildcard for it is there.
        @inline(__always)
        func find(_ key: HostKey) -> Int? {
            // A leading dot is how wildcards are kept, and in no name.
            if key.bytes[0] == HostChunk.dot { return nil }
            if let exact = exact(key) { return exact }
            guard hasWildcards, let parent = key.parent else { return nil }
            return exact(parent)
        }

        @inline(__always)
        func contains(_ key: HostKey) -> Bool { find(key) != nil }

        @inline(__always)
        private func exact(_ key: HostKey) -> Int? { chunks[Int(truncatingIfNeeded: key.hash) & mask].find(key) }
    }

    /// The names in a chunk of a new table, at most.
    private static let fewNames = 64
    /// A table with more names in a chunk, on average, is made anew.
    private static let manyNames = 128

    private let directory: ChunkDirectory<HostChunk>
    private let count: Int
    private let wildcardCount: Int

    package let view: View

    /// - Parameter names: in lowercase; of equal ones the first counts; wildcards as `*.example.com`.
    package convenience init(_ names: [(name: String, value: Int)]) {
        self.init(names.map { HostChunk.Name($0.name, $0.value) })
    }

    private convenience init(_ names: [HostChunk.Name]) {
        var size = 1
        while size * Self.fewNames < names.count { size *= 2 }
        var groups = [[HostChunk.Name]](repeating: [], count: size)
        for name in names {
            guard let hash = name.hash else { continue }
            groups[Int(truncatingIfNeeded: hash) & (size - 1)].append(name)
        }
        let chunks = groups.map { HostChunk($0) }
        self.init(
            ChunkDirectory(chunks), count: chunks.reduce(0) { $0 + $1.count },
            wildcardCount: chunks.reduce(0) { $0 + $1.wildcardCount })
    }

    /// The same table without some names, and then with others, which costs no more than their chunks.
    package convenience init(_ other: HostTable, removing removed: [String], adding added: [(name: String, value: Int)])
    {
        var changes: [Int: HostChunk.Change] = [:]
        let mask = other.directory.chunks.count - 1
        func index(_ name: HostChunk.Name) -> Int? { name.hash.map { Int(truncatingIfNeeded: $0) & mask } }
        for name in removed.map({ HostChunk.Name($0, 0) }) {
            if let index = index(name) { changes[index, default: .init()].removed.insert(name.text) }
        }
        for name in added.map({ HostChunk.Name($0.name, $0.value) }) {
            if let index = index(name) { changes[index, default: .init()].added.append(name) }
        }
        let changed = changes.map { (index: $0, chunk: HostChunk(other.directory.chunks[$0], $1)) }
        var (count, wildcardCount) = (other.count, other.wildcardCount)
        for (index, chunk) in changed {
            let before = other.directory.chunks[index]
            count += chunk.count - before.count
            wildcardCount += chunk.wildcardCount - before.wildcardCount
        }
        let size = other.directory.chunks.count
        let directory = ChunkDirectory(other.directory, count: size, with: changed)
        if count > size * Self.manyNames {
            self.init(directory.chunks.flatMap(\.names))
        } else {
            self.init(directory, count: count, wildcardCount: wildcardCount)
        }
    }

    private init(_ directory: ChunkDirectory<HostChunk>, count: Int, wildcardCount: Int) {
        self.directory = directory
        self.count = count
        self.wildcardCount = wildcardCount
        view = View(
            chunks: directory.views, mask: directory.chunks.count - 1, hasWildcards: wildcardCount > 0)
    }

    /// The number of a name, folded; for the paths where time does not count.
    package func find(_ name: String) -> Int? { HostKey.with(Array(name.utf8)) { view.find($0) } }
}

/// The names whose hashes end in the same bits: a small table with open addressing.
private final class HostChunk: TableChunk, @unchecked Sendable {
    struct View: BitwiseCopyable {
        fileprivate let slots: UnsafePointer<Slot>
        fileprivate let text: UnsafePointer<UInt8>
        fileprivate let mask: Int

        @inline(__always)
        func find(_ key: HostKey) -> Int? {
            var index = HostChunk.firstIndex(key.hash, mask)
            while slots[index].count > 0 {
                let slot = slots[index]
                if slot.hash == UInt32(truncatingIfNeeded: key.hash >> 32),
                    key.equals(text + Int(slot.start), count: Int(slot.count))
                {
                    return Int(slot.value)
                }
                index = (index &+ 1) & mask
            }
            return nil
        }
    }

    fileprivate struct Slot: BitwiseCopyable {
        var hash: UInt32 = 0
        var start: UInt32 = 0
        /// 0 marks a free slot.
        var count: Int32 = 0
        var value: Int32 = 0
    }

    /// A name as it is kept: a wildcard begins with its dot.
    struct Name {
        let text: [UInt8]
        let value: Int

        init(_ name: String, _ value: Int) {
            text = name.hasPrefix("*.") ? Array(name.utf8.dropFirst()) : Array(name.utf8)
            self.value = value
        }

        init(text: [UInt8], value: Int) {
            self.text = text
            self.value = value
        }

        /// Nil for a text that can be no name.
        var hash: UInt64? { HostKey.with(text) { $0.hash } }
    }

    /// The names that are others in a copy.
    struct Change {
        var removed: Set<[UInt8]> = []
        var added: [Name] = []
    }

    static let dot = UInt8(ascii: ".")

    /// The lower bits choose the chunk.
    @inline(__always)
    static func firstIndex(_ hash: UInt64, _ mask: Int) -> Int { Int(truncatingIfNeeded: hash >> 24) & mask }

    let view: View
    private(set) var count = 0
    private(set) var wildcardCount = 0
    private let memory: UnsafeMutableRawPointer

    /// - Parameter names: of equal ones the first counts.
    init(_ names: [Name]) {
        // At most half full.
        var capacity = names.count == 0 ? 1 : 4
        while capacity < names.count * 2 { capacity *= 2 }
        let slotBytes = capacity * MemoryLayout<Slot>.stride
        memory = .allocate(
            byteCount: slotBytes + names.reduce(0) { $0 + $1.text.count }, alignment: MemoryLayout<Slot>.alignment)
        let slots = memory.bindMemory(to: Slot.self, capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
        let text = (memory + slotBytes).assumingMemoryBound(to: UInt8.self)
        view = View(slots: slots, text: text, mask: capacity - 1)
        var end = 0
        for name in names {
            _ = HostKey.with(name.text) { key in
                guard view.find(key) == nil else { return }
                (text + end).initialize(from: key.bytes, count: key.count)
                var index = Self.firstIndex(key.hash, view.mask)
                while slots[index].count > 0 { index = (index + 1) & view.mask }
                slots[index] = Slot(
                    hash: UInt32(truncatingIfNeeded: key.hash >> 32), start: UInt32(end), count: Int32(key.count),
                    value: Int32(name.value))
                end += key.count
                count += 1
                if name.text.first == Self.dot { wildcardCount += 1 }
            }
        }
    }

    convenience init(_ other: HostChunk, _ change: Change) {
        self.init(other.names.filter { !change.removed.contains($0.text) } + change.added)
    }

    deinit { memory.deallocate() }

    var names: [Name] {
        (0...view.mask).compactMap { index in
            let slot = view.slots[index]
            guard slot.count > 0 else { return nil }
            let text = UnsafeBufferPointer(start: view.text + Int(slot.start), count: Int(slot.count))
            return Name(text: Array(text), value: Int(slot.value))
        }
    }
}

/// Finds the number of a host name, or of the wildcard that covers it, in constant time.
///
/// It never changes after it was made. Names are compared in lowercase; `*.example.com` covers one label more than
/// `example.com`, and an exact name wins over a wildcard.
package final class HostTable: @unchecked Sendable {
    /// The view for the path of a request, which counts no reference.
    package struct View: BitwiseCopyable {
        fileprivate let slots: UnsafePointer<Slot>
        fileprivate let text: UnsafePointer<UInt8>
        fileprivate let mask: Int
        fileprivate let hasWildcards: Bool

        /// - Returns: `nil` if neither the name nor a wildcard for it is there.
        @inline(__always)
        func find(_ key: HostKey) -> Int? {
            // A leading dot is how wildcards are kept, and in no name.
            if key.bytes[0] == UInt8(ascii: ".") { return nil }
            if let exact = exact(key) { return exact }
            guard hasWildcards, let parent = key.parent else { return nil }
            return exact(parent)
        }

        @inline(__always)
        func contains(_ key: HostKey) -> Bool { find(key) != nil }

        @inline(__always)
        private func exact(_ key: HostKey) -> Int? {
            let hash = key.hash
            var index = Int(truncatingIfNeeded: hash) & mask
            while slots[index].count > 0 {
                let slot = slots[index]
                if slot.hash == UInt32(truncatingIfNeeded: hash >> 32),
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

    package let view: View
    private let slots: UnsafeMutablePointer<Slot>
    private let text: UnsafeMutablePointer<UInt8>

    /// - Parameter names: in lowercase; of equal ones the first counts; wildcards as `*.example.com`.
    package init(_ names: [(name: String, value: Int)]) {
        // At most half full.
        var capacity = 4
        while capacity < names.count * 2 { capacity *= 2 }
        let keys = names.map {
            ($0.name.hasPrefix("*.") ? Array($0.name.utf8.dropFirst()) : Array($0.name.utf8), $0.value)
        }
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
        text = .allocate(capacity: keys.reduce(1) { $0 + $1.0.count })
        view = View(
            slots: slots, text: text, mask: capacity - 1,
            hasWildcards: names.contains { $0.name.hasPrefix("*.") })
        var end = 0
        for (key, value) in keys {
            guard let start = insert(key, value, textEnd: end) else { continue }
            end = start + key.count
        }
    }

    deinit {
        slots.deallocate()
        text.deallocate()
    }

    private func insert(_ key: [UInt8], _ value: Int, textEnd: Int) -> Int? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HostKey.scratchCount) { scratch -> Int? in
            key.withUnsafeBufferPointer { bytes -> Int? in
                guard let start = scratch.baseAddress, let key = HostKey(bytes, scratch: start) else { return nil }
                let hash = key.hash
                var index = Int(truncatingIfNeeded: hash) & view.mask
                while slots[index].count > 0 {
                    if key.equals(text + Int(slots[index].start), count: Int(slots[index].count)) { return nil }
                    index = (index + 1) & view.mask
                }
                (text + textEnd).initialize(from: key.bytes, count: key.count)
                slots[index] = Slot(
                    hash: UInt32(truncatingIfNeeded: hash >> 32), start: UInt32(textEnd), count: Int32(key.count),
                    value: Int32(value))
                return textEnd
            }
        }
    }

    /// The number of a name, folded; for the paths where time does not count.
    package func find(_ name: String) -> Int? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HostKey.scratchCount) { scratch -> Int? in
            Array(name.utf8).withUnsafeBufferPointer { bytes -> Int? in
                guard let start = scratch.baseAddress, let key = HostKey(bytes, scratch: start) else { return nil }
                return view.find(key)
            }
        }
    }
}

/// A host name in lowercase, ready to be looked up.
///
/// It borrows the scratch memory that it was folded into.
package struct HostKey: BitwiseCopyable {
    static let longest = 255
    /// The longest name, and zeros after it for whole words.
    package static let scratchCount = 272

    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// The same for all tables of the process, and another in each process: nobody can prepare collisions.
    let hash: UInt64

    private static let seed = UInt64.random(in: .min ... .max)

    /// - Returns: `nil` if the name is empty or too long to be one.
    @inline(__always)
    package init?(_ name: UnsafeBufferPointer<UInt8>, scratch: UnsafeMutablePointer<UInt8>) {
        guard !name.isEmpty, name.count <= Self.longest else { return nil }
        for index in 0..<name.count {
            let byte = name[index]
            scratch[index] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
        }
        UnsafeMutableRawPointer(scratch + name.count).storeBytes(of: 0, as: UInt64.self)
        self.init(bytes: UnsafePointer(scratch), count: name.count)
    }

    @inline(__always)
    private init(bytes: UnsafePointer<UInt8>, count: Int) {
        self.bytes = bytes
        self.count = count
        // Eight bytes a step; those after the name are zero.
        var hash = Self.seed ^ UInt64(truncatingIfNeeded: count)
        var index = 0
        while index < count {
            let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
            index &+= 8
        }
        self.hash = hash ^ hash >> 32
    }

    /// The name from its first dot on: what a wildcard one label above it is kept under.
    var parent: HostKey? {
        for index in 0..<count where bytes[index] == UInt8(ascii: ".") {
            return index == 0 ? nil : HostKey(bytes: bytes + index, count: count &- index)
        }
        return nil
    }

    @inline(__always)
    func equals(_ other: UnsafePointer<UInt8>, count otherCount: Int) -> Bool {
        guard count == otherCount else { return false }
        for index in 0..<count where bytes[index] != other[index] { return false }
        return true
    }
}

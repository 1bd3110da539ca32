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

    var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    /// Whether it has the characters of names of hosts only, and an underscore.
    var isName: Bool {
        buffer.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// The hash of the name together with other bytes.
    func hash(with other: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = hash
        for byte in other { hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 ^ hash >> 32 }
        return hash ^ hash >> 29
    }

    @inline(__always)
    func equals(_ other: UnsafePointer<UInt8>, count otherCount: Int) -> Bool {
        guard count == otherCount else { return false }
        for index in 0..<count where bytes[index] != other[index] { return false }
        return true
    }
}

extension HostKey {
    /// Lends a key to a body, for the paths where time does not count.
    ///
    /// - Returns: `nil` if the name is empty or too long to be one.
    static func with<Result>(_ name: [UInt8], _ body: (HostKey) -> Result?) -> Result? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: scratchCount) { scratch -> Result? in
            name.withUnsafeBufferPointer { bytes -> Result? in
                guard let start = scratch.baseAddress, let key = HostKey(bytes, scratch: start) else { return nil }
                return body(key)
            }
        }
    }
}

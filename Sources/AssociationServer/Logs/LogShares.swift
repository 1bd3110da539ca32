internal import EventLoops

/// How much each client has lately written to the access log of one loop, by the hash of its address.
///
/// The table does not grow with the number of clients. Two that share a place share what they may write, which a client
/// cannot bring about on purpose: the hash is another one in each process.
final class LogShares: @unchecked Sendable {
    /// After so long half of what was written is forgotten.
    static let milliseconds: Int64 = 1_000

    private static var count: Int { 1_024 }

    private let seed = UInt64.random(in: .min ... .max)
    private let bytes: UInt32
    private let used: UnsafeMutablePointer<UInt32>

    /// - Parameter bytes: what a client may write before its lines give way to those of others, when room is scarce.
    init(bytes: Int) {
        self.bytes = UInt32(clamping: bytes)
        used = .allocate(capacity: Self.count)
        used.initialize(repeating: 0, count: Self.count)
    }

    deinit { used.deallocate() }

    @inline(__always)
    func place(of address: PeerAddress) -> Int {
        Int(truncatingIfNeeded: address.key.hash(seed: seed) >> 54)
    }

    @inline(__always)
    func isUsedUp(_ place: Int) -> Bool { used[place] > bytes }

    @inline(__always)
    func use(_ count: Int, by place: Int) { used[place] &+= UInt32(truncatingIfNeeded: count) }

    func renew() { for place in 0..<Self.count { used[place] >>= 1 } }
}

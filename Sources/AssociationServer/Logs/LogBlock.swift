/// Memory for many lines. At any time it is in one hand: the loop's, the writer's, or free.
final class LogBlock: @unchecked Sendable {
    let bytes: UnsafeMutablePointer<UInt8>
    /// Those of the lines in it.
    var count = 0

    init(capacity: Int) { bytes = .allocate(capacity: capacity) }

    deinit { bytes.deallocate() }

    var lines: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }
}

internal import CNGHTTP2
internal import Glibc

/// The memory of the sessions of a loop: what a stream needs is there from the stream before it.
///
/// Blocks of up to 1,024 bytes are kept by size, in steps of 64 bytes, up to a bound; others are the system's.
struct MemoryPool {
    private static let step = 64
    private static let sizes = 16
    /// The most bytes that are kept for later.
    private static let mostSpare = 262_144

    private struct Spare {
        var next: UnsafeMutablePointer<Spare>?
    }

    /// The lists of free blocks, by size.
    private let lists = UnsafeMutablePointer<UnsafeMutablePointer<Spare>?>.allocate(capacity: MemoryPool.sizes + 1)
    private var spareBytes = 0

    init() { lists.initialize(repeating: nil, count: Self.sizes + 1) }

    func deallocate() {
        for size in 0...Self.sizes {
            while let block = lists[size] {
                lists[size] = block.pointee.next
                free(block)
            }
        }
        lists.deallocate()
    }

    mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        let size = max(1, (count &+ Self.step &- 1) / Self.step)
        guard size <= Self.sizes else { return malloc(count) }
        guard let block = lists[size] else { return malloc(size &* Self.step) }
        lists[size] = block.pointee.next
        spareBytes &-= size &* Self.step
        return UnsafeMutableRawPointer(block)
    }

    mutating func release(_ memory: UnsafeMutableRawPointer?) {
        guard let memory else { return }
        // What the system calls usable is at least what was asked for, which was a multiple of a step.
        let size = malloc_usable_size(memory) / Self.step
        guard 1...Self.sizes ~= size, spareBytes < Self.mostSpare else { return free(memory) }
        let block = memory.bindMemory(to: Spare.self, capacity: 1)
        block.initialize(to: Spare(next: lists[size]))
        lists[size] = block
        spareBytes &+= size &* Self.step
    }

    mutating func resize(_ memory: UnsafeMutableRawPointer?, to count: Int) -> UnsafeMutableRawPointer? {
        guard let memory else { return allocate(count) }
        let usable = malloc_usable_size(memory)
        if usable >= count { return memory }
        guard let larger = allocate(count) else { return nil }
        larger.copyMemory(from: memory, byteCount: usable)
        release(memory)
        return larger
    }

    /// The functions that the library asks for memory.
    ///
    /// - Parameter pool: must outlive all sessions.
    static func functions(_ pool: UnsafeMutablePointer<MemoryPool>) -> nghttp2_mem {
        nghttp2_mem(
            mem_user_data: pool,
            malloc: { count, pool in pool?.assumingMemoryBound(to: MemoryPool.self).pointee.allocate(count) },
            free: { memory, pool in pool?.assumingMemoryBound(to: MemoryPool.self).pointee.release(memory) },
            calloc: { count, size, pool in
                let (total, isTooMuch) = count.multipliedReportingOverflow(by: size)
                guard !isTooMuch, let memory = pool?.assumingMemoryBound(to: MemoryPool.self).pointee.allocate(total)
                else { return nil }
                return memset(memory, 0, total)
            },
            realloc: { memory, count, pool in
                pool?.assumingMemoryBound(to: MemoryPool.self).pointee.resize(memory, to: count)
            })
    }
}

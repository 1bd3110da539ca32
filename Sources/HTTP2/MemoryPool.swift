internal import CNGHTTP2
internal import Glibc

/// The memory of the sessions of a loop: what a stream needs is there from the stream before it.
///
/// Blocks of up to 1,024 bytes are kept by size, in steps of 64 bytes, up to a bound; others are the system's.
struct MemoryPool {
    private static let step = 64
    private static let sizes = 16
    /// The most bytes that are kept for later.
    private static let maxSpare = 262_144
    /// The size from which a block is mapped. The library's buffer for frames has more, and seldom are more than its first
    /// bytes used: on the heap, it would be where TLS buffers were before, and all of it in memory.
    private static let leastMapped = 16_384

    /// The beginning of each block. A block that is kept is in a list.
    private struct Header {
        /// The bytes of the block, the header among them.
        var size: Int
        var isMapped: Bool
        var next: UnsafeMutablePointer<Header>?

        static let length = 32
    }

    /// The lists of free blocks, by size.
    private let lists = UnsafeMutablePointer<UnsafeMutablePointer<Header>?>.allocate(capacity: MemoryPool.sizes + 1)
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
        let size = (count &+ Header.length &+ Self.step &- 1) / Self.step
        guard size <= Self.sizes else { return Self.large(count &+ Header.length) }
        guard let block = lists[size] else { return Self.block(malloc(size &* Self.step), size &* Self.step) }
        lists[size] = block.pointee.next
        spareBytes &-= block.pointee.size
        return UnsafeMutableRawPointer(block) + Header.length
    }

    private static func large(_ size: Int) -> UnsafeMutableRawPointer? {
        guard size >= leastMapped else { return block(malloc(size), size) }
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return mapped == MAP_FAILED ? block(malloc(size), size) : block(mapped, size, isMapped: true)
    }

    private static func block(
        _ memory: UnsafeMutableRawPointer?, _ size: Int, isMapped: Bool = false
    ) -> UnsafeMutableRawPointer? {
        guard let memory else { return nil }
        memory.bindMemory(to: Header.self, capacity: 1).initialize(to: Header(size: size, isMapped: isMapped))
        return memory + Header.length
    }

    mutating func release(_ memory: UnsafeMutableRawPointer?) {
        guard let memory else { return }
        let block = (memory - Header.length).assumingMemoryBound(to: Header.self)
        let size = block.pointee.size
        if block.pointee.isMapped {
            munmap(block, size)
        } else if size <= Self.sizes &* Self.step, spareBytes < Self.maxSpare {
            block.pointee.next = lists[size / Self.step]
            lists[size / Self.step] = block
            spareBytes &+= size
        } else {
            free(block)
        }
    }

    mutating func resize(_ memory: UnsafeMutableRawPointer?, to count: Int) -> UnsafeMutableRawPointer? {
        guard let memory else { return allocate(count) }
        let usable = (memory - Header.length).assumingMemoryBound(to: Header.self).pointee.size &- Header.length
        if usable >= count { return memory }
        guard let larger = allocate(count) else { return nil }
        larger.copyMemory(from: memory, byteCount: usable)
        release(memory)
        return larger
    }

    /// The bytes of a block, as `allocate` gave it.
    private static func size(of memory: UnsafeMutableRawPointer?) -> Int {
        guard let memory else { return 0 }
        return (memory - Header.length).assumingMemoryBound(to: Header.self).pointee.size
    }

    /// The functions that the library asks for memory, from the pool of a session, which counts it.
    ///
    /// - Parameter session: must outlive the library's session.
    static func functions(_ session: UnsafeMutablePointer<SessionMemory>) -> nghttp2_mem {
        nghttp2_mem(
            mem_user_data: session,
            malloc: { count, session in MemoryPool.change(session, nil) { pool, _ in pool.pointee.allocate(count) } },
            free: { memory, session in
                _ = MemoryPool.change(session, memory) { pool, memory in
                    pool.pointee.release(memory)
                    return nil
                }
            },
            calloc: { count, size, session in
                let (total, isTooMuch) = count.multipliedReportingOverflow(by: size)
                guard !isTooMuch,
                    let memory = MemoryPool.change(session, nil, { pool, _ in pool.pointee.allocate(total) })
                else { return nil }
                return memset(memory, 0, total)
            },
            realloc: { memory, count, session in
                MemoryPool.change(session, memory) { pool, memory in pool.pointee.resize(memory, to: count) }
            })
    }

    /// Has the pool of a session exchange a block for another one, and counts the difference.
    @inline(__always)
    private static func change(
        _ session: UnsafeMutableRawPointer?, _ memory: UnsafeMutableRawPointer?,
        _ exchange: (UnsafeMutablePointer<MemoryPool>, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let session = session?.assumingMemoryBound(to: SessionMemory.self) else { return nil }
        let before = size(of: memory)
        let block = exchange(session.pointee.buffers.pointee.pool, memory)
        session.pointee.libraryBytes &+= size(of: block) &- before
        return block
    }
}

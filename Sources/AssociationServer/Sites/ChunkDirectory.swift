/// A part of a table, with its view for the path of a request.
protocol TableChunk: AnyObject, Sendable {
    associatedtype View: BitwiseCopyable

    /// Valid as long as the chunk is.
    var view: View { get }
}

/// The chunks of a table, and their views one after the other in memory. It never changes after it was made.
///
/// A copy with some other chunks shares the rest, so that a change of a large table costs a chunk and a list of chunks.
final class ChunkDirectory<Chunk: TableChunk>: @unchecked Sendable {
    let chunks: [Chunk]
    private let memory: UnsafeMutablePointer<Chunk.View>

    var views: UnsafePointer<Chunk.View> { UnsafePointer(memory) }

    init(_ chunks: [Chunk]) {
        self.chunks = chunks
        memory = .allocate(capacity: max(1, chunks.count))
        for (index, chunk) in chunks.enumerated() { (memory + index).initialize(to: chunk.view) }
    }

    /// - Parameters:
    ///   - count: the number of chunks; those above are dropped, and those that are missing are among the changed ones.
    ///   - changed: with their indices.
    init(_ other: ChunkDirectory, count: Int, with changed: [(index: Int, chunk: Chunk)]) {
        var chunks = other.chunks
        if count < chunks.count { chunks.removeLast(chunks.count - count) }
        chunks.reserveCapacity(count)
        memory = .allocate(capacity: max(1, count))
        memory.initialize(from: other.memory, count: chunks.count)
        for (index, chunk) in changed.sorted(by: { $0.index < $1.index }) {
            if index < chunks.count { chunks[index] = chunk } else { chunks.append(chunk) }
            (memory + index).initialize(to: chunk.view)
        }
        self.chunks = chunks
    }

    deinit { memory.deallocate() }
}

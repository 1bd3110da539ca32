internal import AppSiteAssociation

/// A pattern of single bytes: literals, `?` for one byte, `*` for any run.
struct Glob: Equatable {
    /// Bytes of which some may be anything.
    struct Chunk: Equatable {
        var bytes: [UInt8] = []
        /// 0xFF where the byte counts, 0 where any does.
        var mask: [UInt8] = []

        var count: Int { bytes.count }

        /// The literal bytes at a place, if there are as many in a row.
        func literal(at offset: Int, count: Int) -> [UInt8]? {
            guard offset >= 0, offset + count <= bytes.count else { return nil }
            let range = offset..<(offset + count)
            return mask[range].allSatisfy { $0 == 0xFF } ? Array(bytes[range]) : nil
        }
    }

    /// The chunks between the stars; one more than there are stars.
    private(set) var chunks: [Chunk]

    /// Nil if the pattern has other elements than these.
    init?(_ elements: some Sequence<PatternElement>) {
        var chunks = [Chunk()]
        for element in elements {
            switch element {
            case .byte(let byte):
                chunks[chunks.count - 1].bytes.append(byte)
                chunks[chunks.count - 1].mask.append(0xFF)
            case .anyCharacter:
                chunks[chunks.count - 1].bytes.append(0)
                chunks[chunks.count - 1].mask.append(0)
            case .anyRun:
                chunks.append(Chunk())
            case .segmentCharacter, .segmentRun, .character, .oneOf:
                return nil
            }
        }
        // Stars in a row are one star.
        let inner = chunks.count > 2 ? chunks[1..<(chunks.count - 1)].filter { $0.count > 0 } : []
        self.chunks = chunks.count > 1 ? [chunks[0]] + inner + [chunks[chunks.count - 1]] : chunks
    }

    var hasStar: Bool { chunks.count > 1 }
    var head: Chunk { chunks[0] }
    var tail: Chunk { hasStar ? chunks[chunks.count - 1] : Chunk() }
    /// The chunks with a star on both sides.
    var middle: ArraySlice<Chunk> { hasStar ? chunks[1..<(chunks.count - 1)] : [] }
    var minimumLength: Int { chunks.reduce(0) { $0 + $1.count } }
}

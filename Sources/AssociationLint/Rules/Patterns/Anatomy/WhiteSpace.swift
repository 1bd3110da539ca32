/// White space in UTF-8, that which nobody sees too.
enum WhiteSpace {
    /// The first offset at or behind `start` with no white space.
    static func end(from start: Int, in bytes: [UInt8]) -> Int {
        var offset = start
        while offset < bytes.count, !bytes[offset].isGraphic {
            let length = (1...3).first { offset + $0 <= bytes.count && isSpace(bytes[offset..<offset + $0]) }
            guard let length else { break }
            offset += length
        }
        return offset
    }

    /// The first offset, not before `limit`, with nothing but white space from there to `end`.
    static func start(of end: Int, in bytes: [UInt8], notBefore limit: Int) -> Int {
        var offset = end
        while offset > limit, !bytes[offset - 1].isGraphic {
            let length = (1...3).first { offset - $0 >= limit && isSpace(bytes[offset - $0..<offset]) }
            guard let length else { break }
            offset -= length
        }
        return offset
    }

    private static func isSpace(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return false }
        switch bytes.count {
        case 1: return first == 0x20 || (0x09...0x0D).contains(first)
        case 2: return first == 0xC2 && (last == 0x85 || last == 0xA0)
        default:
            switch (first, bytes[bytes.startIndex + 1]) {
            case (0xE1, 0x9A): return last == 0x80
            case (0xE2, 0x80): return (0x80...0x8B).contains(last) || [0xA8, 0xA9, 0xAF].contains(last)
            case (0xE2, 0x81): return last == 0x9F || last == 0xA0
            case (0xE3, 0x80): return last == 0x80
            case (0xEF, 0xBB): return last == 0xBF
            default: return false
            }
        }
    }
}

extension UInt8 {
    fileprivate var isGraphic: Bool { (0x21...0x7E).contains(self) }
}

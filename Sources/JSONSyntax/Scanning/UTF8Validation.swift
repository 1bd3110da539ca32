extension ByteView {
    /// The first byte of the first sequence that is not UTF-8 (Unicode, table 3-7), or nil.
    func firstInvalidUTF8() -> Int? {
        var index = endOfASCII(from: 0)
        while index < count {
            guard let length = lengthOfSequence(at: index) else { return index }
            index += length
            if self[index] < 0x80 { index = endOfASCII(from: index) }
        }
        return nil
    }

    private func lengthOfSequence(at offset: Int) -> Int? {
        let second = self[offset + 1]
        func isTail(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
        switch self[offset] {
        case 0xC2...0xDF:
            return isTail(second) ? 2 : nil
        case 0xE0...0xEF:
            let isShortest = self[offset] != 0xE0 || second >= 0xA0
            let isNoSurrogate = self[offset] != 0xED || second < 0xA0
            return isShortest && isNoSurrogate && isTail(second) && isTail(self[offset + 2]) ? 3 : nil
        case 0xF0...0xF4:
            let isShortest = self[offset] != 0xF0 || second >= 0x90
            let isInRange = self[offset] != 0xF4 || second < 0x90
            let hasTail = isTail(second) && isTail(self[offset + 2]) && isTail(self[offset + 3])
            return isShortest && isInRange && hasTail ? 4 : nil
        default:
            return nil
        }
    }
}

/// Bytes with their escapes decoded, and where each of them stood.
struct DecodedText {
    private(set) var bytes: [UInt8] = []
    /// For each byte the offset in the text where it, or its escape, begins; then the length of the text.
    private(set) var starts: [Int] = []

    init(_ text: [UInt8]) {
        bytes.reserveCapacity(text.count)
        starts.reserveCapacity(text.count + 1)
        var offset = 0
        while offset < text.count {
            starts.append(offset)
            if text[offset] == UInt8(ascii: "%"), offset + 2 < text.count,
                let byte = OpenDecisions.decodedEscape(text[offset + 1], text[offset + 2])
            {
                bytes.append(byte)
                offset += 3
            } else {
                bytes.append(text[offset])
                offset += 1
            }
        }
        starts.append(text.count)
    }
}

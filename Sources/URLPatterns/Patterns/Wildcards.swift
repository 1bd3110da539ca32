/// Texts with wildcards: `*` is any number of bytes, and `?` is one byte.
package enum Wildcards {
    /// Whether the pattern covers the whole text; the time is at most pattern times text.
    package static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (index, offset) = (0, 0)
        /// The latest star, and how far the text is that it takes.
        var star: (index: Int, offset: Int)?
        while offset < text.count {
            if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
                star = (index, offset)
                index += 1
            } else if index < pattern.count, pattern[index] == UInt8(ascii: "?") || pattern[index] == text[offset] {
                index += 1
                offset += 1
            } else if let last = star {
                star = (last.index, last.offset + 1)
                (index, offset) = (last.index + 1, last.offset + 1)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

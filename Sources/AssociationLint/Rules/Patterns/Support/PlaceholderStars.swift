extension PatternAnatomy {
    /// A star for each of some placeholders, unless there is one beside it.
    func stars(for placeholders: [Range<Int>]) -> [(range: Range<Int>, text: String)] {
        let star = UInt8(ascii: "*")
        var starEnd: Int?
        return placeholders.map { range in
            let hasStar =
                starEnd == range.lowerBound || range.lowerBound > 0 && bytes[range.lowerBound - 1] == star
                || range.upperBound < bytes.count && bytes[range.upperBound] == star
            starEnd = range.upperBound
            return (range, hasStar ? "" : "*")
        }
    }
}

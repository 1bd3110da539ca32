internal import URLPatterns

extension Placeholders {
    /// Those that no URL can have as they are: in a path all with characters that are percent-encoded there, and anywhere
    /// those in curly or angle brackets that are only part of a segment or, in a query, of a value.
    static func unmatchable(
        _ placeholders: [Range<Int>], in bytes: [UInt8], _ range: Range<Int>, _ kind: FilePattern.Kind
    ) -> [Range<Int>] {
        func isBoundary(_ byte: UInt8) -> Bool {
            switch kind {
            case .path, .legacyPath, .fragment, .variableValue: byte == UInt8(ascii: "/")
            case .query: byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=")
            case .queryItem: false
            }
        }
        return placeholders.filter { placeholder in
            let (start, end) = (placeholder.lowerBound, placeholder.upperBound)
            if bytes[placeholder].contains(where: isEncoded(in: kind)) { return true }
            guard bytes[start] != UInt8(ascii: ":"), bytes[start] != UInt8(ascii: "[") else { return false }
            return start > range.lowerBound && !isBoundary(bytes[start - 1])
                || end < range.upperBound && !isBoundary(bytes[end])
        }
    }

    /// Whether browsers encode the byte; curly brackets only in paths.
    private static func isEncoded(in kind: FilePattern.Kind) -> (UInt8) -> Bool {
        switch kind {
        case .path, .legacyPath: \.isUnencoded
        case .query, .queryItem, .fragment, .variableValue:
            { $0 != .blank && ($0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")) }
        }
    }
}

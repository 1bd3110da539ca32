/// A part of a URL as a route compares it, symbol by symbol, and where each symbol stood.
struct PreparedText {
    private let raw: [UInt8]
    /// The symbols of the text, decoded and folded as far as the comparison asks for that.
    private(set) var symbols: [UInt32]
    /// For each symbol the offset where it begins in the part of the URL; then where the last one ends.
    private var starts: [Int]

    init(_ raw: [UInt8], _ comparison: Comparison) {
        self.raw = raw
        guard !comparison.percentEncoded else {
            symbols = comparison.fold(raw).map(UInt32.init)
            starts = Array(0...raw.count)
            return
        }
        let decoded = DecodedText(raw)
        symbols = PatternSymbol.symbols(of: decoded.bytes, percentEncoded: false)
        starts = []
        starts.reserveCapacity(symbols.count + 1)
        decoded.bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                starts.append(decoded.starts[offset])
                offset += OpenDecisions.characterLength(bytes, at: offset, percentEncoded: false)
            }
        }
        starts.append(raw.count)
        // One symbol becomes one symbol, so they stay where they are.
        if !comparison.caseSensitive { symbols = symbols.map { $0 < PatternSymbol.strayByte ? Self.folded($0) : $0 } }
    }

    private static func folded(_ symbol: UInt32) -> UInt32 {
        OpenDecisions.foldsBeyondASCII(percentEncoded: false) || symbol < 0x80 ? CaseFolding.simple(symbol) : symbol
    }

    /// The text without the slashes at its ends, which do not count in a path.
    var withoutSlashesAtEnds: PreparedText {
        var result = self
        let leading = symbols.prefix { $0 == PatternSymbol.slash }.count
        result.symbols.removeFirst(leading)
        result.starts.removeFirst(leading)
        while result.symbols.last == PatternSymbol.slash {
            result.symbols.removeLast()
            result.starts.removeLast()
        }
        return result
    }

    /// The bytes of the URL that some of the symbols stand for.
    func raw(_ range: Range<Int>) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound < starts.count else { return [] }
        return Array(raw[starts[range.lowerBound]..<starts[range.upperBound]])
    }
}

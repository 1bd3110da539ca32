/// How a rule compares: with or without regard to case, with the URL as it stands or decoded.
package struct Comparison: Hashable, Sendable {
    package let caseSensitive: Bool
    package let percentEncoded: Bool

    package init(caseSensitive: Bool, percentEncoded: Bool) {
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }

    /// A part of a URL as the rule sees it: decoded and folded, as far as it asks for that.
    package func prepare(_ text: some Collection<UInt8>) -> [UInt8] {
        fold(percentEncoded ? Array(text) : Self.decode(text))
    }

    /// Folds case, if this comparison has no regard to it.
    package func fold(_ text: [UInt8]) -> [UInt8] {
        guard !caseSensitive else { return text }
        guard OpenDecisions.foldsBeyondASCII(percentEncoded: percentEncoded), text.contains(where: { $0 >= 0x80 })
        else { return text.map(CaseFolding.ascii) }
        return text.withUnsafeBytes { source in
            Array(unsafeUninitializedCapacity: source.count * CaseFolding.growth) { target, count in
                count = CaseFolding.foldUTF8(source, into: UnsafeMutableRawBufferPointer(target)) ?? 0
            }
        }
    }

    /// Replaces `%` and two hexadecimal digits by their byte; everything else stays as it is.
    private static func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var offset = 0
        while offset < text.count {
            if text[offset] == UInt8(ascii: "%"), offset + 2 < text.count,
                let byte = OpenDecisions.decodedEscape(text[offset + 1], text[offset + 2])
            {
                result.append(byte)
                offset += 3
            } else {
                result.append(text[offset])
                offset += 1
            }
        }
        return result
    }
}

/// How a rule compares: with or without regard to case, with the URL as written or decoded.
package struct Comparison: Hashable, Sendable {
    package let caseSensitive: Bool
    package let percentEncoded: Bool

    package init(caseSensitive: Bool, percentEncoded: Bool) {
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }

    /// A part of a URL as the rule sees it: decoded and folded, as far as it asks for that.
    package func prepare(_ text: some Collection<UInt8>) -> [UInt8] {
        fold(percentEncoded ? Array(text) : DecodedText(Array(text)).bytes)
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

    /// The name of a query item as the rule sees it.
    package func prepareName(_ name: [UInt8]) -> [UInt8] {
        OpenDecisions.itemNamesFold
            ? prepare(name) : Comparison(caseSensitive: true, percentEncoded: percentEncoded).prepare(name)
    }

    /// The name of a query item as a rule writes it.
    package func foldName(_ name: [UInt8]) -> [UInt8] {
        OpenDecisions.itemNamesFold ? fold(name) : name
    }
}

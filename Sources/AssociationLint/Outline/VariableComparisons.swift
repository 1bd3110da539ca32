/// How the values of variables are compared: as the patterns that use them, if these agree.
struct VariableComparisons {
    private var comparisons: [ArraySlice<UInt8>: PatternPlace.Comparison] = [:]

    init(_ patterns: [PatternPlace]) {
        for pattern in patterns {
            for range in pattern.anatomy.variables {
                let name = pattern.anatomy.text[(range.lowerBound + 2)..<(range.upperBound - 1)]
                let old = comparisons[name]
                comparisons[name] = PatternPlace.Comparison(
                    isEncoded: pattern.percentEncoded && old?.isEncoded != false,
                    isDecoded: pattern.percentDecoded && old?.isDecoded != false,
                    isCaseSensitive: pattern.caseSensitive && old?.isCaseSensitive != false)
            }
        }
    }

    /// Of a variable that is not used nothing is known.
    subscript(name: String) -> PatternPlace.Comparison {
        comparisons[ArraySlice(name.utf8)]
            ?? PatternPlace.Comparison(isEncoded: false, isDecoded: false, isCaseSensitive: false)
    }
}

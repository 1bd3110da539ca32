import URLPatterns

/// Comparisons of which nobody counts what they take.
extension PatternMatcher {
    static func matches(_ pattern: [PatternElement], _ text: [UInt8], percentEncoded: Bool) -> Bool {
        var budget = WorkBudget.unlimited
        return matches(pattern, text, percentEncoded: percentEncoded, &budget) ?? false
    }

    static func matchesPath(_ pattern: [PatternElement], _ path: [UInt8], percentEncoded: Bool) -> Bool {
        var budget = WorkBudget.unlimited
        return matchesPath(pattern, path, percentEncoded: percentEncoded, &budget) ?? false
    }
}

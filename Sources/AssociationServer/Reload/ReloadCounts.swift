/// The results of reloads, for the metrics.
package struct ReloadCounts: Equatable, Sendable {
    package enum What: String, CaseIterable, Sendable {
        case sites, certificates, configuration
    }

    package enum Result: String, CaseIterable, Sendable {
        /// Something good is new, or something is gone.
        case changed
        case unchanged
        /// Something cannot be used as it is now, and this was not so before, or for another reason. A reload may count as
        /// `changed`, too.
        case failed
    }

    private var counts: [What: [Result: UInt64]] = [:]

    package init() {}

    package subscript(what: What, result: Result) -> UInt64 { counts[what]?[result] ?? 0 }

    package mutating func add(_ what: What, _ result: Result) { counts[what, default: [:]][result, default: 0] &+= 1 }

    /// Counts a reload of sites or certificates. Something that fails as it did before is not counted again.
    ///
    /// - Parameter hasNews: whether something good is new, or something is gone.
    mutating func add(_ what: What, isSame: Bool, hasFailed: Bool, hasNews: @autoclosure () -> Bool) {
        guard hasFailed else { return add(what, isSame ? .unchanged : .changed) }
        if !isSame, hasNews() { add(what, .changed) }
        add(what, .failed)
    }
}

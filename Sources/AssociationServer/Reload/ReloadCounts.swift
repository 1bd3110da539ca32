/// What came of reloads, for metrics.
package struct ReloadCounts: Equatable, Sendable {
    package enum What: String, CaseIterable, Sendable {
        case sites, certificates, configuration
    }

    package enum Result: String, CaseIterable, Sendable {
        /// All that was read is good, and some of it is new.
        case changed
        case unchanged
        /// Something cannot be used as it is now.
        case failed
    }

    private var counts: [What: [Result: UInt64]] = [:]

    package init() {}

    package subscript(what: What, result: Result) -> UInt64 { counts[what]?[result] ?? 0 }

    package mutating func add(_ what: What, _ result: Result) { counts[what, default: [:]][result, default: 0] &+= 1 }
}

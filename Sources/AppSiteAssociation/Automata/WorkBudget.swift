/// How much may be spent on comparing patterns in one file.
///
/// A unit is about a step of a loop. What is not decided when the budget is spent stays undecided.
package struct WorkBudget: Sendable {
    /// Product states that one comparison may have (validation.md, 3.5).
    package static let productStates = 20_000

    @usableFromInline var left: Int

    package init(_ units: Int = 20_000_000) {
        left = units
    }

    @inlinable package var isSpent: Bool { left <= 0 }

    @inlinable
    package mutating func spend(_ units: Int) {
        left -= min(units, left)
    }
}

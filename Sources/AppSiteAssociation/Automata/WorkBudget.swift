/// How much may be spent on comparing patterns in one file.
///
/// A unit is about a step of a loop. What is not decided when the budget is spent stays undecided.
package struct WorkBudget: Sendable {
    /// Product states that one comparison may have (validation.md, 3.5).
    package static let productStates = 20_000

    package private(set) var left: Int

    package init(_ units: Int = 20_000_000) {
        left = units
    }

    package var isSpent: Bool { left <= 0 }

    package mutating func spend(_ units: Int) {
        left -= min(units, left)
    }
}

/// The work that a file may cause when URLs are decided by it, or its patterns compared.
///
/// A unit is about a step of a loop, some nanoseconds at most. What is not decided when the budget is spent stays undecided:
/// a file may come from an attacker, and a few kilobytes of it can ask for hours of work.
package struct WorkBudget: Sendable {
    /// Product states that one comparison may have (validation.md, 3.5).
    package static let productStates = 20_000

    /// The budget of one decision, of one explanation and of one search for a hint (matching.md, section 8).
    package static let decisionUnits = 10_000_000

    /// The budget of one decision about a URL.
    package static var decision: WorkBudget { WorkBudget(decisionUnits) }

    /// A budget that is never spent, for files that were written for the purpose.
    package static var unlimited: WorkBudget { WorkBudget(.max) }

    package private(set) var left: Int
    private let units: Int

    package init(_ units: Int = 20_000_000) {
        left = units
        self.units = units
    }

    /// The units spent so far.
    package var spent: Int { units - left }

    package var isSpent: Bool { left <= 0 }

    @inline(__always)
    package mutating func spend(_ units: Int) {
        left -= min(units, left)
    }
}

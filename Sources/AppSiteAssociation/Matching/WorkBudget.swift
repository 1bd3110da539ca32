package import Diagnostics

/// The work that a file may cause when URLs are decided by it, or its patterns compared.
///
/// A unit is about a step of a loop, some nanoseconds at most. What is not decided when the budget is spent stays undecided:
/// a file may come from anybody, and a few kilobytes of it can ask for more steps than anybody will wait for.
package struct WorkBudget: Sendable {
    /// Product states that one comparison may have (validation.md, 3.5).
    package static let productStates = 20_000

    /// The budget of one decision, of one explanation and of one search for a hint (matching.md, section 8).
    package static let decisionUnits = 10_000_000

    /// The budget of one decision about a URL.
    package static var decision: WorkBudget { WorkBudget(decisionUnits) }

    /// A budget that is never spent, for files that somebody has written for the purpose.
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

extension RuleDescription {
    /// A URL for which the budget is spent.
    package static let urlNotDecided = RuleDescription(
        "url-not-decided", .error, subject: .link, summary: "file and URL are too large together to be decided",
        reason: """
            Comparing the URL with the rules would take too many steps. This happens with a long URL and patterns \
            that use variables with many values many times, or thousands of rules with long patterns. A few kilobytes \
            of a file can ask for hours of work, so 'aasa route', 'aasa test', 'aasa doctor' and the server's admin \
            listener spend a bounded number of steps on a URL. Beyond that they report that it is not decided, rather \
            than an answer that may be wrong.
            """, basis: [.apple],
        bad: #"{ "/": "/$(word)*$(word)*$(word)*$(word)*$(word)*" } with 7,000 values of "word""#,
        good: #"{ "/": "/$(word)/*" }"#,
        advice: """
            Use fewer variables and wildcards in a pattern, and variables with fewer values. A shorter URL of the same kind may \
            be decided.
            """)
}

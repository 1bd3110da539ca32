internal import AppSiteAssociation
internal import URLPatterns

/// Counts the steps of a decision against a budget, or does not where they cannot be too many.
///
/// The searches are generic over it, so that nothing is counted in the usual decision.
protocol StepMeter {
    /// Whether it counts at all.
    static var counts: Bool { get }

    /// Whether nothing is left, so that what was found means nothing.
    var isSpent: Bool { get }

    func spend(_ steps: Int)
}

/// The meter of decisions that are quick whatever the URL.
struct Unmetered: StepMeter {
    @inline(__always) static var counts: Bool { false }

    @inline(__always) var isSpent: Bool { false }

    @inline(__always)
    func spend(_ steps: Int) {}
}

/// The meter of decisions that may take long.
struct Metered: StepMeter {
    let budget: UnsafeMutablePointer<WorkBudget>

    @inline(__always) static var counts: Bool { true }

    @inline(__always) var isSpent: Bool { budget.pointee.isSpent }

    @inline(__always)
    func spend(_ steps: Int) { budget.pointee.spend(steps) }
}

/// The largest number of steps of a decision, in sixteenths of a step for each byte of the URL.
///
/// The sum over all rules of a document, times the passes over them, says up to which length URLs are decided without
/// counting.
struct DecisionWeight {
    private static let step = 16
    private(set) var value = 0

    /// A rule that only the reference matcher can decide: its cost is unknown.
    mutating func addPlainCheck() { value = .max }

    /// A pattern that is compared with a part of the URL.
    mutating func add(_ elements: [PatternElement], percentEncoded: Bool) {
        var run = 0
        var stars = 0
        var longest = 0
        var isGlob = EntryRecord.canBeGlob(elements, percentEncoded: percentEncoded)
        var sum = 0
        for element in elements {
            switch element {
            case .byte, .anyCharacter:
                run += 1
                longest = max(longest, run)
                sum += Self.step
            case .anyRun:
                run = 0
                stars += 1
                sum += 1
            case .segmentCharacter, .character:
                isGlob = false
                sum += Self.step
            case .segmentRun:
                isGlob = false
                sum += 4 * Self.step
            case .oneOf(let words):
                isGlob = false
                // As many lengths and comparisons as there can be; more than that is counted as it comes.
                sum += Self.step * 8 * min(words.count + 1, 64)
            }
        }
        // A glob looks for what is between its stars from left to right, and all compare eight bytes at a time.
        add(!isGlob ? sum : stars > 1 ? Self.step + 2 * longest : Self.step / 8)
    }

    /// An item that is looked for in the query.
    mutating func addItem() { add(2 * Self.step) }

    private mutating func add(_ weight: Int) {
        let (sum, overflows) = value.addingReportingOverflow(weight)
        value = overflows ? .max : sum
    }

    /// The length in bytes up to which no URL takes more steps than a decision may, however the rules are asked.
    func longestUnmetered(passes: Int) -> Int {
        let (product, overflows) = value.multipliedReportingOverflow(by: max(1, passes))
        guard !overflows else { return 0 }
        return min(WorkBudget.decisionUnits * Self.step / max(1, product), Int(Int32.max))
    }
}

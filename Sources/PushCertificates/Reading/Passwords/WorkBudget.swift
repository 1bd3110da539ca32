/// Counts what is computed for a file.
final class WorkBudget {
    /// What a derivation costs besides its iterations.
    private static let overhead: UInt64 = 100

    private var left = DerivationLimits.work
    private var keys = 0

    func spend(_ iterations: UInt64) throws(SchemeError) {
        let (cost, overflows) = iterations.addingReportingOverflow(Self.overhead)
        guard !overflows, cost <= left else { throw .tooMuchWork }
        left -= cost
    }

    /// - Parameter work: What it takes to make the key from its encoding, in iterations.
    func addKey(_ work: UInt64) throws(SchemeError) {
        keys += 1
        guard keys <= DerivationLimits.keys else { throw .tooManyKeys }
        try spend(work)
    }
}

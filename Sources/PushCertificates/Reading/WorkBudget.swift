/// What may be computed for a file, in the nanoseconds of `WorkCost`.
///
/// One file has one budget, however often it is read: again with a password, for instance.
public final class WorkBudget {
    private var spent: UInt64 = 0
    private var keys = 0
    private var certificates = 0

    public init() {}

    /// - Parameter work: What comes next; nothing is spent.
    /// - Throws: `SchemeError.tooMuchWork` if it does not fit.
    func require(_ work: UInt64) throws(SchemeError) {
        let (sum, overflows) = spent.addingReportingOverflow(work)
        guard !overflows, sum <= FileLimits.work else { throw .tooMuchWork(overflows ? .max : sum) }
    }

    func spend(_ work: UInt64) throws(SchemeError) {
        try require(work)
        spent += work
    }

    /// - Parameter work: What it takes to make the key from its encoding.
    func addKey(_ work: UInt64) throws(SchemeError) {
        keys += 1
        guard keys <= FileLimits.keys else { throw .tooManyKeys }
        try spend(work)
    }

    func addCertificate() throws(SchemeError) {
        certificates += 1
        guard certificates <= FileLimits.certificates else { throw .tooManyCertificates }
        try spend(WorkCost.certificate)
    }
}

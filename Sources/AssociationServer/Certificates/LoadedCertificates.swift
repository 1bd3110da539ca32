/// What the folder of certificates holds.
struct LoadedCertificates: Sendable {
    /// Those that can be used, with the earlier ones that have to do for those that cannot.
    var pairs: [LoadedPair] = []
    var findings: [Finding] = []
    /// What of the pairs clients refuse for its time.
    var validity: [Finding] = []
    /// What cannot be used.
    var problems: [PairProblem] = []
    /// The pairs whose other half may come yet.
    var waiting: [WaitingPair] = []
    /// Whether a file moved while it was read.
    var needsRetry = false
}

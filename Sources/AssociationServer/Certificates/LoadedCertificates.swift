/// What the folder of certificates holds.
struct LoadedCertificates: Sendable {
    /// Those that can be used, with the earlier ones that have to do for those that cannot.
    var pairs: [LoadedPair] = []
    var findings: [Finding] = []
    /// What cannot be used.
    var problems: [PairProblem] = []
    /// The folders of pairs whose other half may come yet.
    var waiting: [String] = []
    /// Whether a file moved while it was read.
    var needsRetry = false
}

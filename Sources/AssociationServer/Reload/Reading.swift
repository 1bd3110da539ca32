/// What came of reading everything again.
struct Reading {
    /// What is served from now on; the one before if nothing has changed.
    var snapshot: ServerSnapshot
    /// Whether a file moved while it was read.
    var needsRetry = false
    var sitesAreUnreadable = false
    var certificatesAreUnreadable = false
}

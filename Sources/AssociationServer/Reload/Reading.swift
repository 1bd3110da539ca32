/// What came of reading everything again.
struct Reading {
    /// What is served from now on; the one before if nothing has changed.
    var snapshot: ServerSnapshot
    /// Whether a file moved while it was read.
    var needsRetry = false
    /// The folders that could not be read: nothing is known of what is in them.
    var unreadable: [String] = []
}

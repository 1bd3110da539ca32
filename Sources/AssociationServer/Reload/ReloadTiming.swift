/// When the disk is looked at, in milliseconds (server.md, section 6).
package struct ReloadTiming: Sendable {
    /// After the start, until folders are watched. Watching a folder on the way to the sites can take the kernel
    /// milliseconds, if it has had thousands of files, as /tmp has; the first requests need not wait for that.
    package var beginning: Int64 = 50
    /// The time without a change, after the last one.
    package var quiet: Int64 = 200
    /// After the first change, whatever follows.
    package var longest: Int64 = 2_000
    /// As long as certificates were installed by this process so recently, the folders where it does that are looked at
    /// after this time without a change in them, and after ``longestInstalling`` whatever follows: what they report is
    /// what is known.
    package var installing: Int64 = 3_000
    package var longestInstalling: Int64 = 10_000
    /// Between two polls, which find what inotify does not report.
    package var poll: Int64 = 30_000
    /// Between two checks of how long certificates are valid.
    package var expiry: Int64 = 3_600_000
    /// Whether inotify is used.
    package var watches = true

    package init() {}
}

/// Waits until changes have ceased (server.md, section 6): files are often written in several steps.
package struct Debouncer: Equatable, Sendable {
    /// In milliseconds.
    private let quiet: Int64
    /// In milliseconds, from the first change: then half of it is read, too.
    private let longest: Int64
    private var first: Int64?
    private var last: Int64 = 0

    package init(quiet: Int64, longest: Int64) {
        self.quiet = quiet
        self.longest = longest
    }

    /// When it is time to look; `nil` if nothing has changed.
    package var due: Int64? { first.map { min($0 + longest, last + quiet) } }

    /// - Parameter now: milliseconds on a clock that never goes back.
    package mutating func changed(at now: Int64) {
        if first == nil { first = now }
        last = now
    }

    /// Forgets the changes: the disk is about to be looked at.
    package mutating func reset() { first = nil }
}

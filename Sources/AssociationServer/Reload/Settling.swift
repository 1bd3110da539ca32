/// Waits until changes have come to rest (server.md, section 6): files are often written in several steps.
package struct Settling: Equatable, Sendable {
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

    /// Forgets the changes: somebody is about to look.
    package mutating func reset() { first = nil }
}

package import EventLoops

/// What was seen of all files that a reload depends on, without reading them.
package struct DiskView: Equatable, Sendable {
    /// The folders that tell when something changes, those on the way to all others first.
    package var folders: [WatchedFolder] = []
    /// How many there are on the way to all others.
    package var essential = 0
    /// Of the stamps of all files, the targets of all links, and the names of all folders of sites and pairs. Another one
    /// in each process.
    package var fingerprint = 0
    /// Whether an equal fingerprint later on means that nothing has changed since.
    package var isConclusive = true
}

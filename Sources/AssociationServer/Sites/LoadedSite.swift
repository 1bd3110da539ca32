/// A site as it is on disk.
struct LoadedSite: Sendable {
    /// `example.com`, or `*.example.com` for a wildcard.
    let domain: String
    /// The last good file; `nil` if there never was one.
    let file: PublishedFile?
    /// What is wrong with the present file.
    let findings: [Finding]
    /// Whether the present file is not published.
    let isRefused: Bool

    /// Whether an earlier file is served, because the present one is refused.
    var isStale: Bool { isRefused && file != nil }

    /// What a refused file means for the site.
    var consequence: String? {
        guard isRefused else { return nil }
        guard let file else { return "\(domain): not published: it answers 503" }
        return "\(domain): not published: the last good version stays, SHA-256 \(file.digest)"
    }
}

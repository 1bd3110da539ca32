/// What was read of the folder of sites.
package struct SiteLoad: Sendable {
    package let sites: [LoadedSite]
    /// What is not about the file of a site: folders that can be none, and `.aasa.json`.
    package let findings: [Finding]
    /// Whether a file was written while it was read: what is served of it may be old, so it has to be read again.
    package var needsRetry = false
}

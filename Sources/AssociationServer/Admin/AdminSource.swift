/// What the admin listener knows of the server.
///
/// All of it is asked for on the admin listener's own loop, which may be made to wait; the loops that serve may not.
package protocol AdminSource: Sendable {
    /// Of the program, for example `1.2.0`.
    var programVersion: String { get }
    var servingState: ServingState { get }
    /// All sites, by domain.
    var siteReports: [SiteReport] { get }
    /// The certificates that are presented: for each name one of each key type.
    var certificateReports: [CertificateReport] { get }
    /// All pairs of a certificate and its key, by folder.
    var pairReports: [PairReport] { get }
    /// What came of reloads.
    var reloadCounts: ReloadCounts { get }
    /// The lines of the access log that nobody took.
    var droppedLogLines: UInt64 { get }

    /// Asks the loops what they have counted since the start, those that have ended included.
    ///
    /// - Returns: `nil` if one of them does not answer within the time.
    func ask(milliseconds: Int) -> [LoopReport]?

    /// The site that answers for a host: that of this name, else the wildcard that covers it.
    ///
    /// - Parameter host: in any case; `*.example.com` is the wildcard itself.
    func servedSite(forHost host: String) -> ServedSite?
}

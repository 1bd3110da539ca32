/// Whom a reload is for.
protocol ReloadTarget: AnyObject, Sendable {
    /// What is served now.
    var snapshot: ServerSnapshot { get }
    /// Whether nothing is to be changed any more.
    var isStopping: Bool { get }

    /// Somebody has asked for a reload, and it begins.
    func reloadBegins()

    /// What was asked for is done, or cannot be.
    ///
    /// - Parameter isConfigurationRefused: whether the configuration could not be used when it was read last.
    func reloadEnded(isConfigurationRefused: Bool)

    /// Something has changed on disk, and is served as far as it is good.
    ///
    /// - Parameter isConfigurationRefused: as above.
    func hasReloaded(isConfigurationRefused: Bool)

    /// Opens another access log, which is written to from the next snapshot on.
    func prepareLog(_ settings: ServerConfiguration.Log) throws(ServerError)

    /// Keeps a snapshot for all that comes.
    ///
    /// - Parameter isChanged: whether the loops have to serve it; otherwise they have the like already. Returns when they do.
    func use(_ snapshot: ServerSnapshot, isChanged: Bool)
}

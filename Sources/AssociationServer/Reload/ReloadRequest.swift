/// What was asked for since the last reload began.
struct ReloadRequest {
    /// Reads the configuration again.
    typealias Configuration = @Sendable () throws(ServerError) -> ServerConfiguration

    private var isDue = false
    private(set) var configuration: Configuration?

    /// - Returns: whether it is the first one.
    mutating func add(_ configuration: Configuration?) -> Bool {
        defer { isDue = true }
        if let configuration { self.configuration = configuration }
        return !isDue
    }
}

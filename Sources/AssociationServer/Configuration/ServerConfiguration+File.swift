internal import EventLoops

extension ServerConfiguration {
    /// Where server.json is looked for when no other place is named.
    public static let defaultPath = "Config/server.json"

    /// Reads server.json.
    ///
    /// - Parameters:
    ///   - path: `nil` takes `defaultPath` where it exists, and the defaults where not.
    ///   - report: is told what is tolerated.
    /// - Throws: `ServerError`: `unreadable`, or `configuration` with all that is wrong in it.
    public static func load(
        path: String?, report: (Finding) -> Void = { _ in }
    ) throws(ServerError) -> ServerConfiguration {
        let file = path ?? defaultPath
        if path == nil, !FileAccess.exists(file) { return ServerConfiguration() }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileAccess.read(file, limit: ConfigurationReader.limit).bytes
        } catch {
            throw ServerError(.unreadable, "cannot read the configuration '\(file)': \(error.reason)")
        }
        return try ConfigurationReader.read(bytes, path: file, report: report)
    }
}

internal import EventLoops

extension ServerConfiguration {
    /// Where server.json is looked for when no other place is named.
    public static let defaultPath = "Config/server.json"

    /// Reads server.json.
    ///
    /// - Parameter path: `nil` takes `defaultPath` where it exists, and the defaults where not.
    /// - Throws: `ServerError`: `unreadable`, or `configuration` with all that is wrong in it.
    public static func load(path: String?) throws(ServerError) -> ServerConfiguration {
        let file = path ?? defaultPath
        if path == nil, !FileAccess.exists(file) { return ServerConfiguration() }
        let limit = 1_048_576
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileAccess.read(file, limit: limit).bytes
        } catch {
            throw ServerError(.unreadable, "cannot read the configuration '\(file)': \(error.reason)")
        }
        guard bytes.count <= limit else {
            throw ServerError(.configuration, "\(file): error: larger than \(limit) bytes [invalid-config]")
        }
        return try ConfigurationReader.read(bytes, path: file)
    }
}

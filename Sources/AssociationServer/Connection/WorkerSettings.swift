internal import EventLoops

/// What a loop does as the configuration says; a reload can change all of it.
struct WorkerSettings: Sendable {
    let timeouts: ConnectionState.Timeouts
    /// 0 is no limit.
    let requestsPerConnection: Int
    /// Open at a time, over all loops.
    let connections: Int
    /// Open at a time from one address, over all loops; 0 is no limit.
    let connectionsPerAddress: Int
    /// The host of a request that names none, on a connection that named none; empty if there is none.
    let defaultSite: [UInt8]

    /// - Parameter mostConnections: what the process can hold.
    init(_ configuration: ServerConfiguration, mostConnections: Int) {
        timeouts = ConnectionState.Timeouts(configuration.timeouts)
        requestsPerConnection = configuration.limits.requestsPerConnection
        let wanted = configuration.limits.connections
        connections = wanted == 0 ? mostConnections : min(wanted, mostConnections)
        connectionsPerAddress = configuration.limits.perAddress
        defaultSite = Array((configuration.defaultSite ?? "").utf8)
    }
}

internal import DomainNames
internal import EventLoops
internal import HTTP1
internal import HTTP2

extension Worker {
    /// The part of the configuration that a loop needs; a reload can change all of it.
    struct Settings: Sendable {
        let timeouts: ConnectionTimeouts
        /// 0 is no limit.
        let requestsPerConnection: Int
        /// Open at a time on one connection of HTTP/2.
        let streams: Int
        /// `nil` if HTTP/2 is not spoken.
        let http2: HTTP2Library?
        /// Open at a time, over all loops.
        let connections: Int
        /// Open at a time from one address, over all loops; 0 is no limit.
        let connectionsPerAddress: Int
        /// The bytes that connections may hold together.
        let bufferedBytes: Int
        /// The number of loops.
        let loops: Int
        /// The host of a request that names none, on a connection that named none; empty if there is none.
        let defaultSite: [UInt8]
        /// The proxies whose statements about clients are believed.
        let trustedProxies: CIDRSet
        /// The fields that they make them in.
        let forwardedHeader: ForwardedFields.Family
        /// Whether plain listeners redirect to HTTPS what is not an association file.
        let plainRedirect: Bool
        /// The part of the addresses of people who open links that the access log has.
        let linkAddresses: ServerConfiguration.LinkAddresses

        /// - Parameters:
        ///   - mostConnections: what the process can hold.
        ///   - http2: `nil` if HTTP/2 is not to be spoken.
        init(_ configuration: ServerConfiguration, mostConnections: Int, http2: HTTP2Library?) {
            self.http2 = http2
            streams = configuration.limits.streams
            timeouts = ConnectionTimeouts(configuration.timeouts)
            requestsPerConnection = configuration.limits.requestsPerConnection
            let wanted = configuration.limits.connections
            connections = wanted == 0 ? mostConnections : min(wanted, mostConnections)
            connectionsPerAddress = configuration.limits.perAddress
            bufferedBytes = configuration.limits.bufferedBytes ?? ProcessLimits.memory / 8
            loops = configuration.threads ?? ProcessLimits.cores
            defaultSite = Array((configuration.defaultSite ?? "").utf8)
            trustedProxies = configuration.trustedProxies
            forwardedHeader = configuration.forwardedHeader
            plainRedirect = configuration.plainRedirect
            linkAddresses = configuration.log.linkAddresses
        }
    }
}

/// What a server does, with the defaults of every setting.
///
/// Times are seconds; fractions are allowed.
public struct ServerConfiguration: Equatable, Sendable {
    public struct Limits: Equatable, Sendable {
        /// Connections open at a time; 0 is no limit.
        public var connections = 16_384
        /// Connections open at a time from one IPv4 address or one IPv6 /64; 0 is no limit.
        public var perAddress = 1_024
        /// Requests answered on one connection; 0 is no limit.
        public var requestsPerConnection = 0
        /// The largest file that is published, in bytes. The default is Apple's limit.
        public var fileBytes = 131_072

        public init() {}
    }

    public struct Timeouts: Equatable, Sendable {
        /// From accept to the end of the TLS handshake.
        public var handshake = 10.0
        /// From the first byte of a request, for the first one from the end of the handshake, to the end of its head.
        public var header = 10.0
        /// Between two requests.
        public var idle = 60.0
        /// Without progress while an answer waits for the client to take it.
        public var write = 15.0
        /// From the request to stop until what still runs is cut.
        public var drain = 30.0

        public init() {}
    }

    public enum TLSVersion: String, Equatable, Sendable, CaseIterable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    /// Addresses as `192.0.2.1:443` or `[2001:db8::1]:443`; port 0 takes a free one. `nil` is port 443 of every address.
    public var listen: [String]?
    /// The folder with a folder for each domain.
    public var sites = "Config/sites"
    /// The folder with a folder for each certificate.
    public var certs = "certs"
    /// The domain whose certificate a client gets that sends no server name, or an unknown one.
    public var defaultSite: String?
    /// Event loops; `nil` is one for each core that the process may use.
    public var threads: Int?
    /// For how many seconds an answer may be cached.
    public var cacheMaxAge = 3_600
    public var limits = Limits()
    public var timeouts = Timeouts()
    /// Whether a refused site or certificate at start is an error.
    public var strictSites = false
    public var minimumTLSVersion = TLSVersion.tls12

    public init() {}
}

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

    /// A file that is served below `/.well-known/`.
    public struct WellKnownFile: Equatable, Sendable {
        /// As in the path and in the folder of a site.
        public let name: String
        /// Of the answer; a file of `application/json` has to be sound JSON.
        public let contentType: String

        public init(name: String, contentType: String) {
            self.name = name
            self.contentType = contentType
        }
    }

    public enum LogFormat: String, Equatable, Sendable, CaseIterable {
        /// A JSON object a line.
        case json
        /// The combined format of Apache and nginx.
        case combined
    }

    /// How much is logged on standard error.
    public enum LogLevel: String, Equatable, Sendable, CaseIterable {
        case error, warning, info
    }

    /// How messages on standard error are written.
    public enum MessageFormat: String, Equatable, Sendable, CaseIterable {
        /// Time, level and message; without the time where the journal has it.
        case text
        /// A JSON object a line.
        case json
    }

    /// Where the access log goes.
    public enum LogSink: Equatable, Sendable {
        case none
        case standardOutput
        /// The path of a file, which is appended to.
        case file(String)
    }

    public struct Log: Equatable, Sendable {
        public var access = LogSink.standardOutput
        public var format = LogFormat.json
        /// The least of the messages that are written.
        public var level = LogLevel.info
        public var messages = MessageFormat.text

        public init() {}
    }

    public enum TLSVersion: String, Equatable, Sendable, CaseIterable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    /// Addresses as `192.0.2.1:443` or `[2001:db8::1]:443`; port 0 takes a free one. `nil` is port 443 of every address.
    public var listen: [String]?
    /// The loopback address of the admin listener, as `127.0.0.1:9443`; `nil` is none.
    public var admin: String?
    /// The folder with a folder for each domain.
    public var sites = "Config/sites"
    /// The folder with a folder for each certificate.
    public var certs = "certs"
    /// Whether links within the folder of a site may lead out of it and of the folder of all sites.
    public var allowLinksOutside = false
    /// The domain whose certificate a client gets that sends no server name, or an unknown one.
    public var defaultSite: String?
    /// Event loops; `nil` is one for each core that the process may use.
    public var threads: Int?
    /// For how many seconds an answer may be cached.
    public var cacheMaxAge = 3_600
    /// Further files that are served below `/.well-known/`, where a site has them, with their content types, in the
    /// order of their names. `assetlinks.json` needs no mention.
    public var wellKnown: [WellKnownFile] = []
    public var limits = Limits()
    public var timeouts = Timeouts()
    /// Whether a refused site or certificate at start is an error.
    public var strictSites = false
    public var log = Log()
    public var minimumTLSVersion = TLSVersion.tls12

    public init() {}
}

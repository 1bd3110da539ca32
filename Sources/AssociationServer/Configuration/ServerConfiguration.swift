package import ACME
package import DomainNames
internal import JSONSyntax

/// The configuration of a server, with the default of every setting.
///
/// Times are seconds; fractions are allowed. What each setting is called in server.json is in `keys`.
public struct ServerConfiguration: Equatable, Sendable {
    public struct Limits: Equatable, Sendable {
        /// Connections open at a time; 0 is no limit.
        public var connections = 16_384
        /// Connections open at a time from one IPv4 address or one IPv6 /64; 0 is no limit.
        public var perAddress = 1_024
        /// Bytes that connections may hold together beyond what they need while idle; `nil` is an eighth of the memory that
        /// the process may use.
        public var bufferedBytes: Int?
        /// Requests answered on one connection; 0 is no limit.
        public var requestsPerConnection = 0
        /// Streams of HTTP/2 open at a time on one connection.
        public var streams = 100
        /// The most sites that are served, of the folder and of a store each.
        public var sites = 200_000
        /// Bytes of files, and of their rows, that a node keeps of a store; `nil` is a quarter of the memory that the
        /// process may use.
        public var storeBytes: Int?
        /// The largest file that is published, in bytes: at most 1 MiB, whatever it says.
        public var fileBytes = FileSizes.published
        /// The largest `links.json` that is used, in bytes.
        public var linksBytes = 8 << 20

        public init() {}

        /// The largest file that is published, in bytes, as far as it can be set.
        var publishedBytes: Int { min(fileBytes, FileSizes.published) }
    }

    public struct Timeouts: Equatable, Sendable {
        /// From accept to the end of the TLS handshake.
        public var handshake = 10.0
        /// From the first byte of a request, for the first one from the end of the handshake, to the end of its head.
        public var header = 10.0
        /// Between two requests.
        public var idle = 60.0
        /// The time without progress while an answer waits for the client to read it.
        public var write = 15.0
        /// From the request to stop until what still runs is closed.
        public var drain = 30.0
        /// From accept to the end of the PROXY header, on listeners that expect one.
        public var proxyHeader = 5.0

        public init() {}
    }

    /// A file that is served below `/.well-known/`.
    public struct WellKnownFile: Equatable, Sendable {
        /// As in the path and in the folder of a site.
        public let name: String
        /// The media type of the answer; a file of `application/json` has to be valid JSON.
        public let contentType: String

        public init(name: String, contentType: String) {
            self.name = name
            self.contentType = contentType
        }
    }

    public enum LogFormat: String, Equatable, Sendable, CaseIterable {
        /// One JSON object per line.
        case json
        /// The combined format of Apache and nginx.
        case combined
    }

    /// The lowest level that is logged on standard error.
    public enum LogLevel: String, Equatable, Sendable, CaseIterable {
        case error, warning, info
    }

    /// The format of messages on standard error.
    public enum MessageFormat: String, Equatable, Sendable, CaseIterable {
        /// Time, level and message; without the time where the journal has it.
        case text
        /// One JSON object per line.
        case json
    }

    /// The part of an address that the access log has of a request that links and pages answer.
    public enum LinkAddresses: String, Equatable, Sendable, CaseIterable {
        /// The network: the first 24 bits of an IPv4 address, 48 of an IPv6 address.
        case prefix
        case full
        /// Nothing.
        case none
    }

    /// The sites that have series of their own in `/metrics`.
    public enum MetricSites: String, Equatable, Sendable, CaseIterable {
        /// Those with which something is not right.
        case problems
        case all, none
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
        /// Messages below it are not written.
        public var level = LogLevel.info
        public var messages = MessageFormat.text
        /// The part of the addresses of people who open links that the access log has.
        public var linkAddresses = LinkAddresses.prefix

        public init() {}
    }

    public enum TLSVersion: String, Equatable, Sendable, CaseIterable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    /// Where sites are served; port 0 takes a free one. `nil` is HTTPS at port 443 of every address.
    public var listen: [ListenerConfiguration]?
    /// The address of the admin listener, as `127.0.0.1:9443` or `unix:/run/aasa/admin.sock`; `nil` is none.
    public var admin: String?
    /// Whether the admin listener has the console.
    public var console = true
    /// The sites that have series of their own in `/metrics`; `nil` depends on their number.
    public var metricSites: MetricSites?
    /// The settings of the checks of domains that the console asks for.
    package var doctor = DoctorConfiguration()
    /// The proxies whose statements about a client are believed.
    package var trustedProxies = CIDRSet()
    /// The fields that such a proxy makes them in.
    package var forwardedHeader = ForwardedFields.Family.xForwarded
    /// Whether a plain listener redirects a request for anything but an association file to HTTPS.
    public var plainRedirect = true
    /// The folder with a folder for each domain.
    public var sites = "Config/sites"
    /// The folder with a folder for each certificate.
    public var certs = "certs"
    /// The folder in which the last good files of sites are remembered; `nil` forgets them when the server ends.
    package var stateFolder: String?
    /// Whether links within the folder of a site may lead out of it and of the folder of all sites.
    public var allowLinksOutside = false
    /// The domain whose certificate a client gets that sends no server name, or an unknown one.
    public var defaultSite: String?
    /// Event loops; `nil` is one for each core that the process may use.
    public var threads: Int?
    /// The number of seconds for which an answer may be cached.
    public var cacheMaxAge = 3_600
    /// Further files that are served below `/.well-known/`, where a site has them, with their content types, in the
    /// order of their names. `assetlinks.json` is always one of them.
    public var wellKnown: [WellKnownFile] = []
    /// Whether `links.json` of a site is read, and other paths than those of files are answered by it.
    public var pages = true
    /// Whether links are compared with the files that open them, which takes time: for a check, and not for serving.
    package var comparesLinks = false
    public var limits = Limits()
    public var timeouts = Timeouts()
    /// Whether a refused site or certificate at start, or a site without a certificate, is an error.
    public var strictSites = false
    public var log = Log()
    public var minimumTLSVersion = TLSVersion.tls12
    /// Whether clients that ask for HTTP/2 over TLS get it.
    public var http2 = true
    /// The settings for certificates that the server obtains itself.
    package var acme = ACMEConfiguration()
    /// The store that sites and certificates come from instead of folders.
    package var store = StoreConfiguration()

    public init() {}

    /// The keys of server.json.
    package static let keys: [ConfigurationKey] =
        ownKeys + StoreConfiguration.keys + ACMEConfiguration.keys + DoctorConfiguration.keys

    private static let ownKeys: [ConfigurationKey] = [
        ConfigurationKey(
            "listen", \.listen, .listeners, default: "`[\"443\"]`",
            example: #"["127.0.0.1:8443", {"address": "unix:/run/aasa/http.sock", "mode": "0666"}]"#,
            needsRestart: true,
            """
            Where to listen. HTTPS: `"443"` or `":443"` (every address, IPv4 and IPv6), `"localhost:8443"`, \
            `"192.0.2.1:443"`, `"[2001:db8::1]:443"`. Plain HTTP, for a proxy that terminates TLS: \
            `"http://127.0.0.1:8080"` (or any of these after `http://`), or a Unix socket, `"unix:/run/aasa/http.sock"`. \
            Port 0 selects a free port, which the log names. An object has an `address` and further keys: \
            `proxyProtocol` (`true`: each connection must begin with a PROXY header), `health` (`true`: plain HTTP \
            answers `/healthz` and `/readyz`), and for a Unix socket `mode` (`"0660"` by default), `owner` and `group` \
            (names or numbers).
            """),
        ConfigurationKey(
            "admin", \.admin, .adminAddress, default: "`\"none\"`", example: #""127.0.0.1:9443""#, needsRestart: true,
            """
            Where the [admin listener](serving.md#admin-listener) listens: `"127.0.0.1:9443"`, `"[::1]:9443"`, \
            `"localhost:9443"`, or a Unix socket of mode 0600, `"unix:/run/aasa/admin.sock"`.
            """),
        ConfigurationKey(
            "console", \.console, .boolean, example: "false",
            "Whether the admin listener has the [console](console.md): pages for people, and the API that they use."),
        ConfigurationKey(
            "metrics.sites", \.metricSites, .metricSites,
            default: "`\"all\"` up to 1,000 sites, `\"problems\"` above", example: #""none""#,
            """
            The sites that have series of their own in `/metrics`: those that have a problem, all, or none. `aasa_problems`, \
            which [alerts](monitoring.md) ask for, names those with a problem in any case.
            """),
        ConfigurationKey(
            "trustedProxies", \.trustedProxies, .trustedProxies, default: "`[]`",
            example: #"["loopback", "10.0.0.0/8", "2001:db8::1"]"#,
            """
            The proxies that are trusted to report the client's address, as addresses and CIDR blocks; `"loopback"` is \
            127.0.0.0/8 and ::1, `"private"` is 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, \
            100.64.0.0/10, fc00::/7 and fe80::/10. A peer on a Unix socket is always trusted.
            """),
        ConfigurationKey(
            "forwardedHeader", \.forwardedHeader, .forwardedHeader, example: #""forwarded""#,
            """
            The fields in which a trusted proxy reports the client: `"x-forwarded"` is `X-Forwarded-For` and \
            `X-Forwarded-Proto`, `"forwarded"` is `Forwarded` (RFC 7239). Only one family is read.
            """),
        ConfigurationKey(
            "plainRedirect", \.plainRedirect, .boolean, example: "false",
            """
            Whether a plain listener redirects all requests except those for association files to HTTPS; otherwise it \
            answers them with 404.
            """),
        ConfigurationKey(
            "sites", \.sites, .folder, default: "`\"sites\"`", example: #""/srv/sites""#,
            "The folder with a folder for each domain."),
        ConfigurationKey(
            "certs", \.certs, .folder, default: "`\"../certs\"`", example: #""/srv/certs""#,
            "The folder with a folder for each certificate."),
        ConfigurationKey(
            "stateFolder", \.stateFolder, .optionalFolder,
            default: "under systemd `.last-good` in the folder of `StateDirectory=`, else `null`",
            example: #""/var/lib/aasa/.last-good""#, needsRestart: true,
            """
            The folder in which the server keeps the last good files of its sites, so that a file with errors is no reason \
            to serve nothing after a restart. It needs libsqlite3 (Debian: `libsqlite3-0`). Not used with a `store`, whose \
            files are in `storeCache`.
            """),
        ConfigurationKey(
            "allowLinksOutside", \.allowLinksOutside, .boolean, example: "true",
            "Whether symbolic links in a site's folder may point outside both that folder and the sites folder."),
        ConfigurationKey(
            "defaultSite", \.defaultSite, .hostName, default: "`null`", example: #""localhost""#,
            "The site whose certificate is presented to clients that send no server name, or one that no certificate covers."
        ),
        ConfigurationKey(
            "threads", \.threads, .integer(1...1_024), default: "the number of available cores", example: "3",
            needsRestart: true, "The number of event loops."),
        ConfigurationKey(
            "cacheMaxAge", \.cacheMaxAge, .integer(0...31_536_000), example: "60",
            "How long answers may be cached, in seconds."),
        ConfigurationKey(
            "limits.connections", \.limits.connections, .integer(0...maxOfLimit), example: "1",
            "The most connections open at the same time; 0 is no limit."),
        ConfigurationKey(
            "limits.perAddress", \.limits.perAddress, .integer(0...maxOfLimit), example: "0",
            "The most connections open at the same time from one IPv4 address or IPv6 /64; 0 is no limit."),
        ConfigurationKey(
            "limits.bufferedBytes", \.limits.bufferedBytes, .integer(65_536...1_099_511_627_776),
            default: "an eighth of the memory that the process may use (`MemoryMax` of a unit)", example: "33554432",
            """
            The most bytes that connections may hold together beyond what they need while idle: for answers that clients \
            do not read, and for parts of handshakes and requests. Those that have waited longest are ended first.
            """),
        ConfigurationKey(
            "limits.requestsPerConnection", \.limits.requestsPerConnection, .integer(0...maxOfLimit), example: "2",
            "The most requests answered on one connection; 0 is no limit."),
        ConfigurationKey(
            "limits.streams", \.limits.streams, .integer(1...1_000), example: "10",
            "The most requests that one HTTP/2 connection may have open at the same time."),
        ConfigurationKey(
            "limits.sites", \.limits.sites, .integer(1...10_000_000), example: "1000",
            """
            The most sites that are served of the folder, and of a store. Those that were served before stay; the others \
            are not loaded, and reported.
            """),
        ConfigurationKey(
            "limits.storeBytes", \.limits.storeBytes, .integer(65_536...1_099_511_627_776),
            default: "a quarter of the memory that the process may use (`MemoryMax` of a unit)", example: "268435456",
            """
            The most bytes of files that are kept of a store: equal contents once, and 320 bytes for each row. Files that \
            were served before stay; the others are not read, and reported.
            """),
        ConfigurationKey(
            "limits.fileBytes", \.limits.fileBytes, .integer(1...16_777_216), example: "3",
            """
            The size of the largest file that is published, in bytes. No file may have more than 1 MiB (1,048,576), so a \
            higher value changes nothing; the content of an association file must not exceed Apple's limit of 131,072.
            """),
        ConfigurationKey(
            "limits.linksBytes", \.limits.linksBytes, .integer(1...67_108_864), example: "1048576",
            "The size of the largest `links.json` that is used, in bytes."),
        ConfigurationKey(
            "timeouts.handshake", \.timeouts.handshake, .seconds, example: "0.5",
            "Time from accepting a connection to the end of the TLS handshake."),
        ConfigurationKey(
            "timeouts.header", \.timeouts.header, .seconds, example: "2",
            "Time from the first byte of a request to the end of its head; for the first request, from the handshake."),
        ConfigurationKey("timeouts.idle", \.timeouts.idle, .seconds, example: "3", "Time between two requests."),
        ConfigurationKey(
            "timeouts.write", \.timeouts.write, .seconds, example: "4",
            "Time without progress while the client does not read an answer."),
        ConfigurationKey(
            "timeouts.drain", \.timeouts.drain, .seconds, example: "5",
            "Time from the stop signal until the remaining connections are closed."),
        ConfigurationKey(
            "timeouts.proxyHeader", \.timeouts.proxyHeader, .seconds, example: "3", needsRestart: true,
            "Time from accepting a connection to the end of the PROXY header, if one is expected."),
        ConfigurationKey(
            "strictSites", \.strictSites, .boolean, example: "true",
            "Whether the server refuses to start if a site or certificate is refused, or a site has no certificate."),
        ConfigurationKey(
            "log.access", \.log.access, .logSink, default: "`\"stdout\"`", example: #""/var/log/aasa/access.log""#,
            "Where the access log goes."),
        ConfigurationKey(
            "log.format", \.log.format, .choice, example: #""combined""#,
            "The format of the access log; `\"combined\"` is the format of Apache and nginx."),
        ConfigurationKey(
            "log.level", \.log.level, .choice, example: #""error""#,
            "The lowest level of the messages on standard error."),
        ConfigurationKey(
            "log.messages", \.log.messages, .choice, example: #""json""#,
            "The format of the messages on standard error."),
        ConfigurationKey(
            "log.linkAddresses", \.log.linkAddresses, .choice, example: #""none""#,
            """
            What the access log has of the addresses of people who open links: `"prefix"` is the first 24 bits of an IPv4 \
            address and 48 of an IPv6 address, `"full"` all of it, `"none"` a zero address.
            """),
        ConfigurationKey(
            "tls.minimumVersion", \.minimumTLSVersion, .choice, example: #""1.3""#, "The oldest TLS version."),
        ConfigurationKey(
            "http2", \.http2, .boolean, example: "false",
            """
            Whether clients that ask for HTTP/2 over TLS get it. It needs libnghttp2 (Debian: `libnghttp2-14`); without \
            it, the server speaks HTTP/1.1 only.
            """),
        ConfigurationKey(
            "wellKnown", \.wellKnown, .wellKnownFiles, example: #"{"security.txt": "text/plain; charset=utf-8"}"#,
            """
            Further files that sites may have under `/.well-known/`, with their content types: \
            `{"security.txt": "text/plain; charset=utf-8"}`.
            """),
        ConfigurationKey(
            "pages", \.pages, .boolean, example: "false",
            """
            Whether a site's `links.json` is read: its links and pages answer all paths that have no file. Otherwise these \
            are answered with 404.
            """),
        ConfigurationKey(reserved: "gzip", "Reserved."),
    ]

    private static let maxOfLimit = 1_000_000_000
}

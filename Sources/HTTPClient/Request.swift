internal import BoundedText
package import DomainNames

/// A field of a header. What was received is kept byte for byte, but for the white space around the value.
package struct HeaderField: Equatable, Sendable {
    package let name: [UInt8]
    package let value: [UInt8]

    package init(name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
    }

    package init(_ name: String, _ value: String) {
        self.init(name: Array(name.utf8), value: Array(value.utf8))
    }

    /// Field names have no case (RFC 9110, section 5.1).
    package func isNamed(_ other: String) -> Bool {
        let other = other.utf8
        return name.count == other.count
            && zip(name, other).allSatisfy { CaseFolding.ascii($0) == CaseFolding.ascii($1) }
    }

    /// Whether it can be sent: a token, and a value without control characters that would end it (RFC 9110, section
    /// 5.5).
    var isSendable: Bool {
        !name.isEmpty && name.allSatisfy(Self.isToken) && value.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// One request of HTTP/1.1 and all that its way depends on: nothing comes from the environment, and no answer leads to
/// another request.
package struct Request: Sendable {
    package enum Method: Equatable, Sendable {
        case get, head
        case post([UInt8])
    }

    /// Where the connection goes. Names are not looked up on the way: the caller has looked one up and judged the address,
    /// and exactly this one is connected.
    package enum Route: Equatable, Sendable {
        /// To this address, at the URL's port.
        case direct(IPAddress)
        /// Through a proxy: a tunnel by CONNECT, also for http.
        case proxy(Proxy)
    }

    package struct Proxy: Equatable, Sendable {
        package let address: IPAddress
        package let port: Int
        /// `USER:PASSWORD` for the basic scheme.
        package let credentials: String?

        package init(address: IPAddress, port: Int, credentials: String? = nil) {
            (self.address, self.port, self.credentials) = (address, port, credentials)
        }
    }

    /// The limits of an answer in bytes.
    package struct Limits: Equatable, Sendable {
        /// The longest body of status 200, decoded. What comes after it is not read.
        package var body: Int
        /// The longest body of another status.
        package var otherBody: Int
        /// The limit of all lines of the header, those of interim answers included. More is a failure.
        package var header: Int

        package init(body: Int, otherBody: Int, header: Int = 32_768) {
            (self.body, self.otherBody, self.header) = (body, otherBody, header)
        }

        /// The limit of everything that is received on the connection for one answer: the records and certificates of
        /// TLS, the header, and the body as it is sent, with its chunk sizes and extensions. More is a failure.
        package var received: Int { Self.handshake + 2 * (header + max(body, otherBody)) }

        /// The limit of everything that is received in a TLS handshake.
        package static let handshake = 1 << 20
    }

    package var method: Method
    package var url: RequestURL
    package var route: Route
    /// The fields that follow `Host`, exactly these; only the length of a body and, with a kept connection, nothing
    /// else is added.
    package var fields: [HeaderField]
    package var limits: Limits
    /// The limit from connecting to the last byte.
    package var timeLimit: Duration
    /// The limit for connecting, TLS included; nil for as long as there is time.
    package var connectLimit: Duration?
    /// Whether the connection may be an earlier one to the same host and address, and is kept for a later one.
    package var keepsConnection: Bool

    package init(
        _ url: RequestURL, method: Method = .get, route: Route, fields: [HeaderField], limits: Limits,
        timeLimit: Duration, connectLimit: Duration? = nil, keepsConnection: Bool = false
    ) {
        self.method = method
        self.url = url
        self.route = route
        self.fields = fields
        self.limits = limits
        self.timeLimit = timeLimit
        self.connectLimit = connectLimit
        self.keepsConnection = keepsConnection
    }

    /// The fields of a client that takes anything, as it is.
    package static func plainFields(userAgent: String) -> [HeaderField] {
        [
            HeaderField("User-Agent", userAgent), HeaderField("Accept", "*/*"),
            HeaderField("Accept-Encoding", "identity"),
        ]
    }
}

/// An absolute http or https URL as a request needs it: of user information and fragments there are none.
package struct RequestURL: Hashable, Sendable {
    package enum Scheme: String, Sendable {
        case http, https

        package var defaultPort: Int { self == .https ? 443 : 80 }
    }

    package let scheme: Scheme
    /// A name of ASCII letters, digits, `-`, `_` and `.` in lower case, or an address without brackets.
    package let host: String
    /// 1…65535
    package let port: Int
    /// Path and query, from the first slash on; printable ASCII without spaces.
    package let target: String

    /// Why a text is not such a URL.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        case scheme, userInformation, host, port, target

        /// A clause that says what was expected.
        package var description: String {
            switch self {
            case .scheme: "it does not begin with 'https://' or 'http://'"
            case .userInformation: "it has user information before its host"
            case .host: "its host is neither a name nor an address"
            case .port: "its port is not a number from 1 to 65535"
            case .target: "its path has characters that a URL cannot have"
            }
        }
    }

    /// - Parameters:
    ///   - port: nil for the one of the scheme.
    ///   - target: begins with a slash.
    package init(
        scheme: Scheme = .https, host: String, port: Int? = nil, target: String = "/"
    ) throws(Problem) {
        let port = port ?? scheme.defaultPort
        guard 1...65_535 ~= port else { throw .port }
        guard let host = Self.canonical(host) else { throw .host }
        guard target.utf8.first == UInt8(ascii: "/"),
            target.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") })
        else { throw .target }
        (self.scheme, self.host, self.port, self.target) = (scheme, host, port, target)
    }

    /// Reads an absolute URL; a fragment is left out, as in every request.
    package init(_ text: String) throws(Problem) {
        guard let colon = text.firstIndex(of: ":"), let scheme = Scheme(rawValue: text[..<colon].lowercased()),
            text[colon...].hasPrefix("://")
        else { throw .scheme }
        let rest = text[text.index(colon, offsetBy: 3)...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        guard !authority.contains("@") else { throw .userInformation }
        let (host, port) = try Self.split(authority)
        try self.init(
            scheme: scheme, host: host, port: port, target: target.hasPrefix("/") ? String(target) : "/" + target)
    }

    private static func split(_ authority: Substring) throws(Problem) -> (host: String, port: Int?) {
        var host = authority
        var rest: Substring = ""
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]"),
                let address = IPAddress(String(authority[..<end].dropFirst()))
            else { throw .host }
            host = Substring(address.description)
            rest = authority[authority.index(after: end)...]
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            rest = authority[colon...]
        }
        guard !rest.isEmpty else { return (String(host), nil) }
        guard rest.first == ":" else { throw .host }
        let digits = rest.dropFirst()
        // Nothing after the colon is the port of the scheme (RFC 3986, section 3.2.3).
        guard !digits.isEmpty else { return (String(host), nil) }
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = Int(digits) else {
            throw .port
        }
        return (String(host), port)
    }

    /// The host in lower case, or an address in its canonical form; nil for spellings that not all readers take for
    /// the same one, or for an address at all.
    private static func canonical(_ host: String) -> String? {
        if let address = IPAddress(host) { return address.description }
        guard 1...255 ~= host.utf8.count, !IPAddress.endsInNumber(host), host.utf8.allSatisfy(isOfName) else {
            return nil
        }
        return host.lowercased()
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// The address, if the host is one.
    package var address: IPAddress? { IPAddress(host) }

    /// The host and port as in a URL: with brackets around an IPv6 address, without the port of the scheme.
    package var authority: String { bracketedHost + (port == scheme.defaultPort ? "" : ":\(port)") }

    var bracketedHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }
}

extension RequestURL: CustomStringConvertible {
    package var description: String { "\(scheme.rawValue)://\(authority)\(target)" }
}

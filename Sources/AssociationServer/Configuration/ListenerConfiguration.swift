internal import Diagnostics
internal import DomainNames
package import EventLoops

/// A listener that a server is to have.
///
/// Where the address says everything, a string is enough:
/// `configuration.listen = ["0.0.0.0:443", "http://127.0.0.1:8080", "unix:/run/aasa/http.sock"]`.
public struct ListenerConfiguration: Equatable, Sendable, ExpressibleByStringLiteral {
    /// `0.0.0.0:443` for HTTPS; `http://127.0.0.1:8080` or `unix:/run/aasa/http.sock` for plain HTTP.
    public let address: String
    /// Whether each connection has to begin with a PROXY header.
    public var proxyProtocol: Bool
    /// Whether `/healthz` and `/readyz` are answered; for plain HTTP only.
    public var health: Bool
    /// Permission bits of a Unix socket; `nil` is 0660.
    public var mode: UInt16?
    /// The name or number of the user that a Unix socket belongs to; `nil` is that of the process.
    public var owner: String?
    /// The name or number of the group that a Unix socket belongs to; `nil` is that of the process.
    public var group: String?
    /// `nil` if the address cannot be used; a server with it does not start.
    package let endpoint: ListenerEndpoint?

    public init(
        _ address: String, proxyProtocol: Bool = false, health: Bool = false, mode: UInt16? = nil,
        owner: String? = nil, group: String? = nil
    ) {
        self.address = address
        self.proxyProtocol = proxyProtocol
        self.health = health
        self.mode = mode
        self.owner = owner
        self.group = group
        endpoint = try? ListenerEndpoint(address)
    }

    public init(stringLiteral address: String) { self.init(address) }

    /// One that a service manager has opened.
    package init(_ inherited: InheritedListeners.Serving) {
        let listener = inherited.listener
        let isPlain = if case .plain = ListenerKind(inherited.purpose) { true } else { false }
        let scheme = if case .internet = listener.address, isPlain { "http://" } else { "" }
        self.init("\(scheme)\(listener.address)", proxyProtocol: ListenerKind(inherited.purpose).expectsProxyHeader)
    }

    /// The kind of its connections.
    package var kind: ListenerKind {
        switch endpoint {
        case .http, .unix: .plain(proxyProtocol: proxyProtocol, health: health)
        case .https, nil: .https(proxyProtocol: proxyProtocol)
        }
    }

    /// The mode and the owners of a Unix socket.
    package var access: UnixSocketAccess { UnixSocketAccess(mode: mode ?? 0o660, owner: owner, group: group) }

    /// Why it cannot be made on any machine; `nil` if it can.
    package var problem: String? {
        do throws(ListenerEndpoint.Problem) { _ = try ListenerEndpoint(address) } catch { return error.message }
        let isUnix = if case .unix = endpoint { true } else { false }
        if health, case .https = kind { return "'health' is only for plain listeners, 'http://…' and 'unix:…'" }
        if !isUnix, mode != nil || owner != nil || group != nil {
            return "'mode', 'owner' and 'group' are only for Unix sockets"
        }
        return mode.map { $0 > 0o777 } == true ? "a mode has only permission bits, 0777 at most" : nil
    }

    /// Whether the address of a peer decides if it is trusted: on a Unix socket each one is.
    var needsTrustedProxies: Bool {
        guard proxyProtocol else { return false }
        return if case .unix = endpoint { false } else { true }
    }
}

/// An address that is listened on, and the protocol there.
package enum ListenerEndpoint: Equatable, Sendable {
    case https(ListenAddress)
    case http(ListenAddress)
    case unix(UnixSocketPath)

    /// Why a text is none.
    package struct Problem: Error, Equatable, Sendable {
        /// The expected form, for messages that name the text.
        package let message: String
        /// A guess at the intended text.
        package var suggestion: String?
    }

    /// The accepted forms, for messages.
    package static let expected = """
        \(ListenAddress.expected); for plain HTTP one of these after 'http://', or 'unix:/absolute/path'
        """

    private static let httpScheme = "http://"
    private static let httpsScheme = "https://"
    package static let unixScheme = "unix:"

    /// Reads `0.0.0.0:443`, `http://127.0.0.1:8080` or `unix:/run/aasa/http.sock`.
    package init(_ text: String) throws(Problem) {
        if text.hasPrefix(Self.unixScheme) {
            do throws(UnixSocketPath.Problem) {
                self = .unix(try UnixSocketPath(String(text.dropFirst(Self.unixScheme.count))))
            } catch {
                throw Problem(message: error.message)
            }
        } else if text.hasPrefix(Self.httpScheme) {
            self = .http(try Self.httpAddress(text.dropFirst(Self.httpScheme.count)))
        } else if let address = ListenAddress(text) {
            self = .https(address)
        } else {
            throw Self.problem(text)
        }
    }

    /// The addresses that are bound.
    package var addresses: [BoundAddress] {
        switch self {
        case .https(let address), .http(let address): address.addresses.map(BoundAddress.internet)
        case .unix(let path): [.unix(path)]
        }
    }

    private static func httpAddress(_ text: Substring) throws(Problem) -> ListenAddress {
        if let address = ListenAddress(String(text)) { return address }
        let afterUser = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
        let authority = afterUser.prefix { !"/?#".contains($0) }
        let extra: String? =
            if text.contains("@") { "a user" } else {
                switch text.first(where: { "/?#".contains($0) }) {
                case "/": "a path"
                case "?": "a query"
                case "#": "a fragment"
                default: nil
                }
            }
        // The port of a URL without one.
        let meant = [String(authority), "\(authority):80"].first { ListenAddress($0) != nil }
        let without = extra.map { ", without \($0)" } ?? ""
        throw Problem(
            message: "expected an address and a port after 'http://'\(without), like 'http://127.0.0.1:8080'",
            suggestion: meant.map { "\(httpScheme)\($0)" })
    }

    private static func problem(_ text: String) -> Problem {
        let lowercase = text.lowercased()
        if lowercase.hasPrefix(httpsScheme) {
            let authority = text.dropFirst(httpsScheme.count).prefix { !"/?#".contains($0) }
            let meant = [String(authority), "\(authority):443"].first { ListenAddress($0) != nil }
            return Problem(
                message:
                    "expected an address without 'https://', like '127.0.0.1:8443': a listener without a scheme serves HTTPS",
                suggestion: meant)
        }
        for scheme in [httpScheme, unixScheme] where lowercase.hasPrefix(scheme) {
            return corrected(scheme + text.dropFirst(scheme.count))
        }
        // A path alone.
        return text.hasPrefix("/") ? corrected(unixScheme + text) : Problem(message: "expected \(expected)")
    }

    private static func corrected(_ text: String) -> Problem {
        do throws(Problem) {
            _ = try ListenerEndpoint(text)
            return Problem(message: "expected \(expected)", suggestion: text)
        } catch {
            return error
        }
    }
}

extension UnixSocketPath.Problem {
    /// The expected form.
    package var message: String {
        let example = "like 'unix:/run/aasa/http.sock'"
        return switch self {
        case .empty: "expected an absolute path after 'unix:', \(example)"
        case .relative: "the path of a Unix socket must be absolute, \(example)"
        case .abstract: "sockets without a path are not supported; expected an absolute path, \(example)"
        case .folder: "expected the path of a socket, not of a folder, \(example)"
        case .containsNUL: "a path cannot contain NUL"
        case .tooLong(let count):
            "the path has \(count) bytes; the path of a Unix socket can have at most \(UnixSocketPath.longest)"
        }
    }
}

extension ListenerKind {
    /// The endpoint that the name of an inherited socket stands for.
    package init(_ purpose: InheritedListeners.Purpose) {
        switch purpose {
        case .https, .admin: self = .https(proxyProtocol: false)
        case .httpsProxy: self = .https(proxyProtocol: true)
        case .http: self = .plain(proxyProtocol: false, health: false)
        case .httpProxy: self = .plain(proxyProtocol: true, health: false)
        }
    }
}

extension ServerConfiguration {
    /// `listen`, or what it is by default.
    package var listeners: [ListenerConfiguration] { listen ?? ["443"] }

    /// Whether any client speaks TLS.
    package var needsCertificates: Bool {
        listeners.contains { if case .https = $0.kind { true } else { false } }
    }

    /// Whether certificates are looked at: also those that are got for a proxy, or they would be got again and again.
    var readsCertificates: Bool { needsCertificates || acme.isOn }

    /// A listener that only proxies may connect to, while no proxy is trusted.
    package var unreachableListener: ListenerConfiguration? {
        trustedProxies.isEmpty ? listeners.first(where: \.needsTrustedProxies) : nil
    }

    /// That there is such a listener; `nil` if there is none.
    package var unreachableListenerError: ServerError? {
        unreachableListener.map { listener in
            ServerError(
                .configuration,
                """
                nobody can connect to \(quoted(listener.address, limit: 120)): it expects a PROXY header, but \
                'trustedProxies' is empty
                """,
                help: "add the addresses of your proxies to 'trustedProxies'")
        }
    }
}

/// The address of the admin listener, as server.json and the flag give it.
package enum AdminAddress {
    /// The text for "no listener".
    package static let none = "none"

    /// Why a text is neither `none`, nor a loopback address with a port, nor a Unix socket; `nil` if it is one of them.
    ///
    /// - Parameter quote: what examples are put in.
    package static func problem(_ text: String, quote: String = "") -> String? {
        if text == none { return nil }
        let example = "\(quote)127.0.0.1:9443\(quote)"
        if let path = unixPath(text) {
            do throws(UnixSocketPath.Problem) { _ = try UnixSocketPath(path) } catch { return error.message }
            return nil
        }
        guard let address = address(text) else {
            let socket = "\(quote)unix:/run/aasa/admin.sock\(quote)"
            return """
                expected \(quote)none\(quote), or a loopback address and a port, like \(example), or a Unix socket, like \
                \(socket)
                """
        }
        if address.isLocal { return nil }
        return """
            expected a loopback address, like \(example): the admin listener has neither TLS nor a password, so it is for \
            this machine only
            """
    }

    /// The address that documentation and `aasa serve --demo` use, and that a command asks if it knows no other.
    package static let usual = "127.0.0.1:9443"

    /// The value of an option in the form that server.json has: a port alone is one of 127.0.0.1, an absolute path is a
    /// Unix socket, and the URL of the log is its address.
    package static func fromOption(_ text: String) -> String {
        if text.hasPrefix("/") { return ListenerEndpoint.unixScheme + text }
        if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return "127.0.0.1:\(text)" }
        guard text.hasPrefix("http://") else { return text }
        let address = text.dropFirst("http://".count)
        return String(address.hasSuffix("/") ? address.dropLast() : address)
    }

    /// The address to listen on; a port of `localhost` is that of 127.0.0.1.
    static func address(_ text: String) -> BoundAddress? {
        if let path = unixPath(text) {
            return (try? UnixSocketPath(path)).map(BoundAddress.unix)
        }
        guard let colon = text.lastIndex(of: ":"), text[..<colon].lowercased() == "localhost" else {
            return SocketAddress(text).map(BoundAddress.internet)
        }
        return SocketAddress("127.0.0.1\(text[colon...])").map(BoundAddress.internet)
    }

    /// A guess at the intended address: the same port at the loopback address, or a Unix socket.
    static func suggestion(for text: String) -> String? {
        if text.hasPrefix("/") {
            let socket = ListenerEndpoint.unixScheme + text
            return address(socket) == nil ? nil : socket
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        guard ["", "*", "0.0.0.0", "[::]", "127.1"].contains(text[..<colon]) else { return nil }
        return SocketAddress("127.0.0.1:\(text[text.index(after: colon)...])")?.description
    }

    private static func unixPath(_ text: String) -> String? {
        let scheme = ListenerEndpoint.unixScheme
        return text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : nil
    }
}

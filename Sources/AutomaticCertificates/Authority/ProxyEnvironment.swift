internal import BoundedText
internal import DomainNames
internal import Glibc
internal import HTTPClient

/// The proxy for `https` URLs, as the environment names it: `https_proxy`, and `no_proxy` for hosts without one.
package struct ProxyEnvironment: Equatable, Sendable {
    /// `http://HOST:PORT`, with what is needed to speak to it.
    package struct Proxy: Equatable, Sendable {
        package let host: String
        package let port: Int
        /// `USER:PASSWORD`.
        package let credentials: String?

        /// The proxy as it can be shown: without the credentials.
        package var description: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }

    /// Why the environment names a proxy that cannot be used, in a clause.
    package struct Problem: Error, Equatable {
        package let reason: String
    }

    /// Nil without a proxy.
    private let setting: Result<Proxy?, Problem>
    /// The hosts without a proxy, in lowercase, without a dot before them.
    private let exceptions: [String]

    /// - Parameter environment: the variables of the process; the names in lower case come first.
    package init(_ environment: [String: String]) {
        func value(_ name: String) -> String? {
            for name in [name, name.uppercased()] {
                if let text = environment[name], !text.isEmpty { return text }
            }
            return nil
        }
        setting = (value("https_proxy") ?? value("all_proxy")).map(Self.setting) ?? .success(nil)
        exceptions = (value("no_proxy") ?? "").split { $0 == "," || $0 == " " }.map { element in
            let name = element.lowercased()
            for prefix in ["*.", "."] where name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
            return name
        }
    }

    /// The settings of this process's environment.
    package static var process: ProxyEnvironment {
        let names = ["https_proxy", "all_proxy", "no_proxy"].flatMap { [$0, $0.uppercased()] }
        return ProxyEnvironment(
            Dictionary(
                uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cText: $0)) } }))
    }

    private static func setting(_ text: String) -> Result<Proxy?, Problem> {
        let hasScheme = text.contains("://")
        var rest = hasScheme ? text : "http://\(text)"
        guard rest.lowercased().hasPrefix("http://") else {
            return .failure(Problem(reason: "'https_proxy' is not the URL of an 'http://' proxy"))
        }
        rest = String(rest.dropFirst(7))
        var credentials: String?
        let authority = rest.prefix { $0 != "/" }
        if let at = authority.lastIndex(of: "@") {
            credentials = decoded(authority[..<at])
            rest = String(rest[rest.index(after: at)...])
        }
        do throws(RequestURL.Problem) {
            let url = try RequestURL("http://\(rest)")
            // Without a port it is that of curl.
            let hasPort = rest.prefix { $0 != "/" }.split(separator: "]").last?.contains(":") ?? false
            return .success(Proxy(host: url.host, port: hasPort ? url.port : 1_080, credentials: credentials))
        } catch {
            return .failure(Problem(reason: "'https_proxy' cannot be used: \(error)"))
        }
    }

    /// Undoes the percent-encoding of user and password.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(Substring(rest.prefix(2))), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(text: bytes)
    }

    /// - Throws: ``Problem`` if the environment names one that cannot be used.
    package func proxy(for host: String) throws(Problem) -> Proxy? {
        if exceptions.contains(where: { $0 == "*" || host == $0 || host.hasSuffix(".\($0)") }) { return nil }
        // A proxy elsewhere cannot reach what is here.
        if host == "localhost" || IPAddress(host)?.isLoopback ?? false { return nil }
        return try setting.get()
    }
}

internal import Diagnostics
internal import HTTPClient

/// Where an answer of status 3xx leads, and why that usually is.
struct Redirect {
    /// The first that applies, in this order.
    enum Kind: String, CaseIterable {
        case insecure
        case sameURL = "same-url"
        case www
        case trailingSlash = "trailing-slash"
        case login
        case otherHost = "other-host"
        case otherPath = "other-path"
    }

    let kind: Kind
    /// The location as the server wrote it, as far as it is shown; nil if the answer has none.
    let location: String?
    private let from: Parts
    private let to: Parts

    /// Nil for an answer that is not a redirect.
    init?(_ response: Response, from url: String) {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        location = response.head.shown("Location")
        from = Parts(url, relativeTo: .none)
        to = response.head.text("Location").map { [from] in Parts($0, relativeTo: from) } ?? from
        kind = location == nil ? .otherPath : Self.kind(from, to)
    }

    /// Like `301 to 'https://example.org/'`.
    func clause(_ status: Int) -> String {
        location.map { "\(status) to \(quoted($0, limit: 300))" } ?? "\(status) without a target"
    }

    private static func kind(_ from: Parts, _ to: Parts) -> Kind {
        if to.scheme == "http" { return .insecure }
        if to == from { return .sameURL }
        if to.host != from.host {
            if to.host == "www.\(from.host)" || from.host == "www.\(to.host)" { return .www }
        } else if to.path == from.path + "/" || from.path == to.path + "/" {
            return .trailingSlash
        }
        let words: Set<String> = ["login", "signin", "sign-in", "sso", "auth", "oauth", "saml"]
        if to.path.lowercased().split(separator: "/").contains(where: { words.contains(String($0)) }) { return .login }
        return to.host == from.host ? .otherPath : .otherHost
    }

    /// The remedy.
    ///
    /// - Parameter isForApple: Whether it is about the association file, and not about `assetlinks.json`.
    func help(isForApple: Bool = true) -> String {
        switch kind {
        case .insecure: "serve the file over https at this URL, and do not redirect this path to http"
        case .sameURL:
            "the target is this very URL: TLS ends at a proxy, and the server behind it redirects to https; have the "
                + "proxy send 'X-Forwarded-Proto: https', or exempt this path from the redirect"
        case .www, .otherHost:
            "answer this path on \(from.name) itself, before the rule that redirects to \(shownHost)"
                + (isForApple ? "; or use 'applinks:\(shownHost)' in the app" : "")
        case .trailingSlash: "exempt this path from the rule that adds or removes a slash at the end"
        case .login: "exempt this path from authentication: the file has to be public"
        case .otherPath: "serve the file at exactly this path, without a redirect"
        }
    }

    /// The target's host, cut to the length that the name of a host can have.
    private var shownHost: String { to.name.cut(to: 253) }
}

/// A URL as far as redirects need it.
private struct Parts: Equatable {
    let scheme: String
    /// The host in lower case, with the port if it is not that of the scheme.
    let host: String
    /// The path without dot segments and query.
    let path: String
    let query: String

    /// The host without a port.
    var name: String {
        guard let colon = host.lastIndex(of: ":"), host.last != "]" else { return host }
        return String(host[..<colon])
    }

    /// - Parameter base: That of the request; nil for an absolute URL.
    init(_ url: String, relativeTo base: Parts?) {
        var rest = Substring(url.prefix { $0 != "#" })
        var scheme = base?.scheme ?? "https"
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            scheme = rest[..<colon].lowercased()
            rest = rest[colon...].dropFirst()
        }
        var path: Substring
        if rest.hasPrefix("//") {
            let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
            host = Self.host(authority, scheme)
            path = rest[authority.endIndex...]
        } else {
            host = base?.host ?? ""
            path = rest
            if path.isEmpty || path.hasPrefix("?") {
                path = (base?.path ?? "/") + path
            } else if !path.hasPrefix("/") {
                path = (base.map { Substring($0.path).prefix(upToLast: "/") } ?? "/") + path
            }
        }
        self.scheme = scheme
        query = String(path.drop { $0 != "?" })
        self.path = Self.withoutDotSegments(path.prefix { $0 != "?" })
    }

    private static func host(_ authority: Substring, _ scheme: String) -> String {
        let name = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        let host = name.lowercased()
        let port = scheme == "http" ? ":80" : ":443"
        return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }

    /// RFC 3986, section 5.2.4.
    private static func withoutDotSegments(_ path: Substring) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in segments where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}

extension Substring {
    /// Up to the last of a character, that included.
    fileprivate func prefix(upToLast character: Character) -> Substring {
        lastIndex(of: character).map { self[...$0] } ?? ""
    }
}

internal import HTTPClient
internal import OpenSSL
internal import ProxySupport

// What is read from an answer. Received text is escaped where it is shown, not here.
extension ResponseHead {
    /// The first value of a field; bytes that are not UTF-8 are replaced.
    func text(_ name: String) -> String? { self[name].map { String(decoding: $0, as: UTF8.self) } }
}

extension Response {
    /// The type of the body in lower case, without parameters; nil if there is none.
    var mediaType: String? {
        guard let text = head.text("Content-Type") else { return nil }
        let type = text.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        return type.isEmpty ? nil : type.lowercased()
    }

    /// The status and its name as the server sent it, like `404 Not Found`.
    var statusText: String {
        let line = String(decoding: head.statusLine, as: UTF8.self)
        let parts = line.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].hasPrefix("HTTP/") ? String(parts[1]) : "\(status)"
    }

    /// The first line, and those of the fields that are there.
    func shownHead(_ names: [String]) -> [String] {
        [String(decoding: head.statusLine, as: UTF8.self)]
            + names.compactMap { name in
                head.text(name).map {
                    "\(name.lowercased()): \(String($0.unicodeScalars.prefix(300).map(Character.init)))"
                }
            }
    }
}

extension Answer {
    var bodySHA256: String? {
        switch self {
        case .file(let file), .otherContent(let file): file.response.body.sha256
        case .status, .failure: nil
        }
    }

    /// Why there is no answer.
    var error: String? { if case .failure(let failure) = self { failure.description } else { nil } }
}

extension Result<Response, Failure> {
    /// To which the request went.
    var address: IPAddress {
        switch self {
        case .success(let response): response.address
        case .failure(let failure): failure.address
        }
    }

    var response: Response? { if case .success(let response) = self { response } else { nil } }
}

extension [UInt8] {
    /// In lower-case hexadecimal digits.
    var sha256: String {
        SHA256Digest.hash(self).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// Where an answer of status 3xx leads, and why that usually is.
struct Redirect {
    /// The first that applies, in this order.
    enum Kind: String {
        case insecure
        case sameURL = "same-url"
        case www
        case trailingSlash = "trailing-slash"
        case login
        case otherHost = "other-host"
        case otherPath = "other-path"
    }

    let kind: Kind
    /// As the server wrote it.
    let location: String?

    /// Nil for an answer that is not a redirect.
    init?(_ response: Response, from url: String) {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        location = response.head.text("Location")
        kind = Self.kind(location ?? "", from: url)
    }

    private static func kind(_ location: String, from url: String) -> Kind {
        let from = Parts(url)
        let to = Parts(location, relativeTo: from)
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

    /// What to do.
    func help(host: String) -> String {
        switch kind {
        case .insecure: "serve the file over https, and do not redirect to http"
        case .sameURL:
            "the target is the same URL: TLS ends at a proxy and the origin redirects to https; have the proxy send "
                + "'X-Forwarded-Proto', or exempt the path from the redirect"
        case .www:
            "answer this path on \(host) itself, before the rule that redirects; or use 'applinks:\(otherHost ?? "the other host")' in the app"
        case .trailingSlash: "exempt the path from the rule that adds or removes a slash at the end"
        case .login: "exempt the path from authentication: the file has to be public"
        case .otherHost:
            "answer this path on \(host) itself, before the rule that redirects; or use 'applinks:\(otherHost ?? "the other host")' in the app"
        case .otherPath: "serve the file at exactly this path, without a redirect"
        }
    }

    private var otherHost: String? {
        guard let location else { return nil }
        let host = Parts(location, relativeTo: Parts("")).host
        return host.isEmpty ? nil : host
    }

    /// A URL as far as redirects need it.
    private struct Parts: Equatable {
        let scheme: String
        let host: String
        let path: String

        init(_ url: String, relativeTo base: Parts? = nil) {
            var rest = Substring(url.prefix { $0 != "#" })
            var scheme = base?.scheme ?? "https"
            if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
                scheme = rest[..<colon].lowercased()
                rest = rest[colon...].dropFirst()
            }
            guard rest.hasPrefix("//") else {
                self.scheme = scheme
                host = base?.host ?? ""
                path = rest.hasPrefix("/") ? String(rest) : Self.folder(base?.path ?? "/") + rest
                return
            }
            let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
            let path = rest.dropFirst(2)[authority.endIndex...]
            self.scheme = scheme
            let port = scheme == "http" ? ":80" : ":443"
            let name = authority.lowercased()
            host = name.hasSuffix(port) ? String(name.dropLast(port.count)) : name
            self.path = path.hasPrefix("/") ? String(path) : "/" + path
        }

        private static func folder(_ path: String) -> String {
            path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
        }
    }
}

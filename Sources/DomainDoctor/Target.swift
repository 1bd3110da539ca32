internal import AppSiteAssociation
internal import Diagnostics
internal import DomainNames
internal import HTTPClient
internal import URLPatterns

/// A host that is to be checked, and the URLs that its live file is to decide.
package struct Target: Hashable, Sendable {
    /// A name in lower case and ASCII without a final dot, or an address without brackets.
    package let host: String
    package let port: Int
    /// The URLs as they were given, each once.
    package var urls: [String]
    /// The path of an association file that is not at the root of the host, if such a URL was given.
    package var fileInFolder: String?
    /// Whether the user named it; otherwise it comes from the app's side.
    package var isNamedByUser = true

    /// Whether the host is an address.
    package var isAddress: Bool { IPAddress(host) != nil }

    /// The host and port as in a URL, without the port 443.
    package var authority: String {
        (host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host) + (port == 443 ? "" : ":\(port)")
    }

    /// All that is requested of a host.
    package static let requestedPaths = [
        DomainDiagnoser.wellKnownPath, DomainDiagnoser.rootPath, DomainDiagnoser.assetLinksPath,
    ]

    package func url(_ path: String) -> String { "https://\(authority)\(path)" }

    /// Reads `HOST`, `HOST:PORT`, `*.HOST`, or an http or https URL, whose host is meant.
    ///
    /// - Parameter allowsAddresses: Whether the host may be an IP address.
    /// - Throws: Why it is none, as a clause that follows the quoted text.
    package init(_ text: String, allowsAddresses: Bool) throws(TargetError) {
        guard let separator = text.firstRange(of: "://") else {
            guard !text.contains("/") else {
                throw TargetError("has a path and no scheme; write it as a URL, or the host alone")
            }
            (host, port) = try Self.host(Substring(text), allowsAddresses, allowsWildcard: true)
            urls = []
            return
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else {
            throw TargetError("has the scheme \(quoted(scheme)); expected 'https' or 'http'")
        }
        let authority = text[separator.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { throw TargetError("has a user name; write the URL without it") }
        let (host, port) = try Self.host(authority, allowsAddresses, allowsWildcard: false)
        (self.host, self.port) = (host, port)
        // The URL of a file is no link: its host is meant.
        let path = text[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        guard let file = Self.requestedPaths.first(where: { Self.ends(path, with: $0) }) else {
            urls = [text]
            return
        }
        urls = []
        if path.utf8.count > file.utf8.count { fileInFolder = String(path) }
    }

    private static func ends(_ path: Substring, with file: String) -> Bool {
        path.utf8.suffix(file.utf8.count).elementsEqual(file.utf8)
    }

    private static func host(
        _ authority: Substring, _ allowsAddresses: Bool, allowsWildcard: Bool
    ) throws(TargetError) -> (String, Int) {
        var name = authority
        var port = 443
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw TargetError("has a '[' without ']'") }
            name = authority[authority.index(after: authority.startIndex)..<end]
            port = try Self.port(authority[authority.index(after: end)...])
            guard name.contains(":"), IPAddress(String(name)) != nil else {
                throw TargetError("has '[' and ']' around something else than an IPv6 address")
            }
        } else if let colon = authority.firstIndex(of: ":"), IPAddress(String(authority)) == nil {
            name = authority[..<colon]
            port = try Self.port(authority[colon...])
        }
        // iOS fetches the file for a wildcard entry from the domain itself.
        if allowsWildcard, name.hasPrefix("*.") { name = name.dropFirst(2) }
        if let address = IPAddress(anySpelling: String(name)) {
            guard allowsAddresses else {
                throw TargetError("is an IP address; association files belong to names (--allow-private permits it)")
            }
            return (address.description, port)
        }
        return (try Self.name(name), port)
    }

    private static func port(_ text: Substring) throws(TargetError) -> Int {
        if text.isEmpty { return 443 }
        let digits = text.dropFirst()
        guard text.first == ":", 1...5 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let port = Int(digits), 1...65_535 ~= port
        else { throw TargetError("has the port \(quoted(digits)); expected 1 to 65535") }
        return port
    }

    private static func name(_ text: Substring) throws(TargetError) -> String {
        var name = text
        if name.hasSuffix("."), name.count > 1 { name = name.dropLast() }
        guard !name.isEmpty else { throw TargetError("has no host") }
        guard let ascii = Punycode.ascii(String(name)) else {
            throw TargetError(name.utf8.count > 253 ? "is longer than 253 bytes" : "is not a host name")
        }
        let labels = ascii.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.contains(where: \.isEmpty) {
            throw TargetError("has an empty label, between two dots or at the beginning")
        }
        if labels.contains(where: { $0.count > 63 }) { throw TargetError("has a label of more than 63 bytes") }
        if ascii.utf8.count > 253 { throw TargetError("is longer than 253 bytes") }
        let isOfName: (UInt8) -> Bool = { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard labels.allSatisfy({ $0.allSatisfy(isOfName) }) else {
            throw TargetError("has a character that no host name has; expected letters, digits, '-', '_' and '.'")
        }
        guard !IPAddress.endsInNumber(ascii) else {
            throw TargetError("ends in a number, and is not an IP address either")
        }
        return ascii
    }
}

/// Why a text is not a target: a clause that follows it in quotes.
package struct TargetError: Error, Equatable, Sendable {
    package let clause: String

    init(_ clause: String) { self.clause = clause }
}

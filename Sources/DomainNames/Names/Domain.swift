internal import BoundedText

/// The name of a site: a name in DNS in ASCII and lower case, or a wildcard of one.
///
/// Each way in which a domain is written down has its own initializer; those for people and folders say why they refuse.
package struct Domain: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The domain as certificates, a CA and the rows of a store have it: `example.com`, or `*.example.com`.
    package let identifier: String

    private static let wildcardPrefix = "*."
    /// The start of the name of a wildcard's folder: a `*` is awkward in the names of files, and in a shell.
    private static let folderPrefix = "_wildcard."

    private init?(base: some StringProtocol, isWildcard: Bool) {
        let length = base.utf8.count + (isWildcard ? Self.wildcardPrefix.utf8.count : 0)
        guard length <= DNSName.maxLength, DNSName.isValid(base) else { return nil }
        let base = base.utf8.contains { $0 &- 0x41 < 26 } ? base.lowercased() : String(base)
        identifier = isWildcard ? Self.wildcardPrefix + base : base
    }

    /// Reads any spelling in ASCII, in any case: `example.com`, `*.example.com`, or `_wildcard.example.com`.
    package init?(_ text: String) {
        let (base, isWildcard) = Self.split(text)
        self.init(base: base, isWildcard: isWildcard)
    }

    /// Reads what a person has written: any spelling and case, in Unicode or Punycode, with or without a dot at the end.
    ///
    /// - Throws: an error whose help is the domain, if the text is a URL.
    package init(text: String) throws(DomainError) {
        let (base, isWildcard) = Self.split(text)
        guard let ascii = Self.ascii(base), let domain = Domain(base: ascii, isWildcard: isWildcard) else {
            throw DomainError(
                "is not a domain; expected one like 'example.com' or '*.example.com'",
                help: Self.host(ofURL: text).map { "use '\($0)'" })
        }
        self = domain
    }

    /// Reads the name of a site's folder: in lower case and Punycode, `_wildcard.example.com` for a wildcard.
    package init(folder name: String) throws(DomainError) {
        guard let domain = Domain(name), domain.folderName == name else { throw Self.refusal(ofFolder: name) }
        self = domain
    }

    /// Reads the column of a store, or a key of a state: exactly an ``identifier``.
    package init?(row text: String) {
        self.init(text)
        guard identifier == text else { return nil }
    }

    package var description: String { identifier }

    package var isWildcard: Bool { identifier.utf8.first == UInt8(ascii: "*") }

    /// The name without the `*.` of a wildcard.
    package var base: String { isWildcard ? String(identifier.dropFirst(Self.wildcardPrefix.count)) : identifier }

    /// The name of the site's folder, of files about the domain, and in paths and arguments: `_wildcard.example.com` for a
    /// wildcard.
    package var folderName: String { isWildcard ? Self.folderPrefix + base : identifier }

    /// The domain as a person reads it, if that differs; it can look like another name.
    package var unicode: String? { Punycode.unicode(identifier) }

    /// The wildcard that stands for this name: `*.example.com` for `shop.example.com`.
    package var wildcard: Domain? {
        guard !isWildcard, let dot = identifier.firstIndex(of: ".") else { return nil }
        return Domain(base: identifier[identifier.index(after: dot)...], isWildcard: true)
    }

    /// A host that the domain stands for, for examples.
    package var exampleHost: String { isWildcard ? "www.\(base)" : identifier }

    /// Sorts by ``folderName``.
    package static func < (left: Domain, right: Domain) -> Bool {
        left.isWildcard || right.isWildcard
            ? left.folderName < right.folderName : left.identifier < right.identifier
    }
}

extension Domain {
    /// Whether it can be in public DNS: it has two labels, is not below a name for local use, and is not an IP address.
    package var isPublic: Bool {
        let labels = base.utf8.split(separator: UInt8(ascii: "."))
        // No top-level domain is a number, but the end of an IPv4 address is.
        guard labels.count > 1, let last = labels.last, !last.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
        return !Self.localSuffixes.contains { base == $0 || base.hasSuffix(".\($0)") }
    }

    /// The names that are not delegated (RFC 6761, RFC 6762, RFC 7686, RFC 8375, and ICANN's `internal`).
    private static let localSuffixes = [
        "localhost", "local", "internal", "test", "invalid", "example", "onion", "home.arpa",
    ]
}

extension Domain {
    /// The text after either prefix of a wildcard, in any case; the whole text if there is none.
    private static func split(_ text: String) -> (base: Substring, isWildcard: Bool) {
        for prefix in [wildcardPrefix, folderPrefix] {
            let start = text.utf8.prefix(prefix.utf8.count)
            if start.elementsEqual(prefix.utf8, by: { CaseFolding.ascii($0) == $1 }) {
                return (text[start.endIndex...], true)
            }
        }
        return (text[...], false)
    }

    /// The ASCII form of a name that a person has written, without the dot of the root.
    private static func ascii(_ text: Substring) -> Substring? {
        // An escape belongs into a URL.
        guard !text.utf8.contains(UInt8(ascii: "%")), let ascii = Punycode.ascii(String(text)) else { return nil }
        return ascii.hasSuffix(".") ? ascii.dropLast() : ascii[...]
    }

    /// The domain in a URL, for a hint.
    private static func host(ofURL text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let host = text[colon...].dropFirst(3).prefix { !"/?#:@".contains($0) }
        return ascii(host).flatMap { Domain(base: $0, isWildcard: false) }?.identifier
    }

    private static func refusal(ofFolder name: String) -> DomainError {
        let lower = name.lowercased()
        if lower != name, Domain(lower)?.folderName == lower {
            return DomainError("is not in lowercase", help: "rename it to '\(lower)'")
        }
        if let ascii = Punycode.ascii(name), ascii != name, Domain(ascii)?.folderName == ascii {
            return DomainError("is not a host name", help: "use Punycode: '\(ascii)'")
        }
        return DomainError(
            "is not a host name; expected one like 'example.com' or '_wildcard.example.com'", help: nil)
    }
}

/// The reason why a text is not a domain.
package struct DomainError: Error, Equatable, Sendable {
    /// The end of a sentence that begins with the text, or with what it is the name of.
    package let message: String
    package let help: String?

    init(_ message: String, help: String?) {
        self.message = message
        self.help = help
    }
}

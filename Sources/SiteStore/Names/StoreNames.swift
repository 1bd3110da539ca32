internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// The names in a store: which there can be, and how they are written.
package enum StoreNames {
    /// The prefix of a wildcard's folder: a `*` is awkward in file names.
    private static let folderPrefix = "_wildcard."
    private static let wildcardPrefix = "*."
    /// The longest domain, in bytes (RFC 1035, section 2.3.4), with the `*.` of a wildcard.
    private static let longestDomain = 253

    /// Whether a domain is written as stores have it: in lowercase and Punycode, `*.example.com` for a wildcard.
    package static func isDomain(_ text: String) -> Bool {
        guard text.utf8.count <= longestDomain else { return false }
        let base = text.hasPrefix(wildcardPrefix) ? String(text.dropFirst(wildcardPrefix.count)) : text
        return HostName(dns: base)?.ascii == base
    }

    /// The domain that somebody has written, in any case, in Unicode or Punycode, `*.example.com` or
    /// `_wildcard.example.com`.
    package static func domain(_ text: String) throws(StoreNameError) -> String {
        for prefix in [folderPrefix, wildcardPrefix] where text.lowercased().hasPrefix(prefix) {
            if let base = base(String(text.dropFirst(prefix.count))), isDomain(wildcardPrefix + base) {
                return wildcardPrefix + base
            }
        }
        if let base = base(text), isDomain(base) { return base }
        throw StoreNameError(
            "\(quoted(text)) is not a domain; expected one like 'example.com' or '*.example.com'",
            help: host(ofURL: text).map { "use \(quoted($0))" })
    }

    /// The name of the folder of a site.
    package static func folder(of domain: String) -> String {
        domain.hasPrefix(wildcardPrefix) ? folderPrefix + domain.dropFirst(wildcardPrefix.count) : domain
    }

    /// The domain of a folder; nil if it cannot be that of a site.
    package static func domain(ofFolder name: String) -> String? {
        let domain = name.hasPrefix(folderPrefix) ? wildcardPrefix + name.dropFirst(folderPrefix.count) : name
        return !name.hasPrefix(wildcardPrefix) && isDomain(domain) ? domain : nil
    }

    /// Whether a file can be served below `/.well-known/` under this name, by the rules of `wellKnown`: at most 255 characters
    /// that a path has as they are, no dot at the beginning, and not the name of an editor's backup.
    package static func isFileName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".swp")
            && name.utf8.allSatisfy(isPlainInPath)
    }

    private static func isPlainInPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    /// The name of a file, if it can be one.
    package static func fileName(_ text: String) throws(StoreNameError) -> String {
        if isFileName(text) { return text }
        throw StoreNameError(
            "\(quoted(text)) is not the name of a file that can be served; expected one like 'assetlinks.json'",
            help:
                "use letters, digits and '-._~!$&'()*+,;=:@', no dot at the beginning, and no '~' or '.swp' at the end")
    }

    /// Whether a node can have this name: 1 to 64 characters of `A–Z a–z 0–9 . _ -`.
    package static func isNodeName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { isInNodeName($0) }
    }

    /// The name of a node that was not given one: the name of its machine, as far as it can be used, `-`, and the digits
    /// that it keeps in its cache.
    package static func nodeName(host: String, id: String) -> String {
        let usable = host.utf8.map { isInNodeName($0) ? $0 : UInt8(ascii: "-") }
        return String(text: usable.prefix(63 - id.utf8.count)) + "-\(id)"
    }

    private static func isInNodeName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The name in DNS of what somebody has written; nil for anything else.
    private static func base(_ text: String) -> String? {
        // An escape belongs into a URL.
        guard !text.utf8.contains(UInt8(ascii: "%")), let ascii = Punycode.ascii(text) else { return nil }
        return HostName(dns: ascii)?.ascii
    }

    /// The domain in a URL, for a hint.
    private static func host(ofURL text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let host = text[colon...].dropFirst(3).prefix { !"/?#:@".contains($0) }
        return base(String(host))
    }
}

/// A name that cannot be one in a store.
package struct StoreNameError: Error, Equatable, Sendable, CustomStringConvertible {
    package let message: String
    package let help: String?

    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    package var description: String { help.map { "\(message); help: \($0)" } ?? message }
}

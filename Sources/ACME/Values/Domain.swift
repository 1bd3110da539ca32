internal import ProxySupport

/// A name that gets a certificate of its own: that of a site folder.
package struct Domain: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Lower case: `example.com`, or `*.example.com`.
    package let identifier: String

    private static let folderPrefix = "_wildcard."
    private static let wildcardPrefix = "*."

    /// Reads any spelling: `example.com`, `*.example.com`, or `_wildcard.example.com` as folders are called. Nil for
    /// what cannot be a DNS name in ASCII.
    package init?(_ text: String) {
        guard text.utf8.count <= 270 else { return nil }
        let text = text.lowercased()
        var base = text[...]
        var isWildcard = false
        for prefix in [Self.folderPrefix, Self.wildcardPrefix] where text.hasPrefix(prefix) {
            base = text.dropFirst(prefix.count)
            isWildcard = true
            break
        }
        guard Self.isName(base) else { return nil }
        identifier = isWildcard ? Self.wildcardPrefix + base : String(base)
    }

    private static func isName(_ name: Substring) -> Bool {
        guard 1...253 ~= name.utf8.count else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            1...63 ~= label.count && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                    default: false
                    }
                }
        }
    }

    package var description: String { identifier }

    package var isWildcard: Bool { identifier.utf8.first == UInt8(ascii: "*") }

    /// The name without the `*.` of a wildcard.
    package var base: String { isWildcard ? String(identifier.dropFirst(Self.wildcardPrefix.count)) : identifier }

    /// The name of the site folder and of files about the domain: `_wildcard.example.com` for a wildcard.
    package var folderName: String { isWildcard ? Self.folderPrefix + base : identifier }

    /// Sorts by ``folderName``.
    package static func < (left: Domain, right: Domain) -> Bool {
        left.isWildcard || right.isWildcard
            ? left.folderName < right.folderName : left.identifier < right.identifier
    }

    /// Whether a public CA can issue for it at all.
    package var isPublic: Bool { PublicName.isPossible(base) }
}

/// Which names can be in public DNS.
package enum PublicName {
    /// What nobody can own there (RFC 6761, RFC 6762, RFC 7686, RFC 8375, and ICANN's `internal`).
    private static let localSuffixes = [
        "localhost", "local", "internal", "test", "invalid", "example", "onion", "home.arpa",
    ]

    /// Whether a name has two labels, is not below a name that is for local use, and is not an IP address.
    ///
    /// - Parameter name: lower case, without a dot at its end.
    package static func isPossible(_ name: some StringProtocol) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."))
        // No top-level domain is a number, but the end of an IPv4 address is.
        guard labels.count > 1, let last = labels.last, !last.allSatisfy({ 0x30...0x39 ~= $0 }),
            !name.utf8.contains(UInt8(ascii: ":"))
        else { return false }
        return !localSuffixes.contains { suffix in
            name == suffix || name.utf8.count > suffix.utf8.count && name.hasSuffix(".\(suffix)")
        }
    }
}

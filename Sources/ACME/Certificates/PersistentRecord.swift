/// The TXT record that proves control over a name as long as it is there (draft-ietf-acme-dns-persist).
package struct PersistentRecord: Equatable, Sendable {
    /// `_validation-persist.` and the domain without a wildcard.
    package let name: String
    package let value: String

    /// Nil if the CA's name for itself or the account's URL cannot be in such a record.
    ///
    /// - Parameters:
    ///   - issuer: how the CA calls itself in such records.
    ///   - account: the URL of the account.
    package init?(domain: Domain, issuer: String, account: SecureURL) {
        let issuer = issuer.lowercased()
        // What separates the parts of the value cannot be within one of them.
        guard let issuer = Domain(issuer), !issuer.isWildcard, !account.description.utf8.contains(UInt8(ascii: ";"))
        else { return nil }
        name = Self.name(of: domain)
        value = "\(issuer); accounturi=\(account)" + (domain.isWildcard ? "; policy=wildcard" : "")
    }

    /// One whose value is known.
    package init(domain: Domain, value: String) {
        name = Self.name(of: domain)
        self.value = value
    }

    private static func name(of domain: Domain) -> String { "_validation-persist.\(domain.base)" }

    /// As a line of a zone file (RFC 1035, section 5.1); a value over 255 bytes is several strings.
    package var zoneLine: String {
        var strings: [String] = []
        var rest = value.utf8[...]
        while !rest.isEmpty {
            strings.append("\"\(Substring(rest.prefix(255)))\"")
            rest = rest.dropFirst(255)
        }
        return "\(name). 3600 IN TXT \(strings.joined(separator: " "))"
    }
}

/// Where a CA does what, and what it says of itself (RFC 8555, section 7.1.1).
package struct Directory: Equatable, Sendable {
    package let newNonce: SecureURL
    package let newAccount: SecureURL
    package let newOrder: SecureURL
    /// Where to ask when to renew (RFC 9773, section 4.1).
    package let renewalInfo: SecureURL?
    /// A URL of any scheme; only shown.
    package let termsOfService: String?
    /// The domain names that a CAA record has to have; at most 10.
    package let caaIdentities: [String]
    package let requiresExternalAccount: Bool
    /// The names of the certificate profiles, sorted (draft-aaron-acme-profiles); nil if the CA has none.
    package let profiles: [String]?

    /// - Throws: `protocol`.
    package init(_ bytes: [UInt8]) throws(IssuanceError) {
        let object = try ReceivedObject(bytes, subject: "the directory")
        newNonce = try object.url("newNonce")
        newAccount = try object.url("newAccount")
        newOrder = try object.url("newOrder")
        renewalInfo = try object.optionalURL("renewalInfo")
        let meta = try object.optionalObject("meta")
        termsOfService = try meta?.optionalString("termsOfService").map { AuthorityText.shown($0) }
        caaIdentities = Array((try meta?.optionalStrings("caaIdentities") ?? []).prefix(10))
        requiresExternalAccount = try meta?.optionalBoolean("externalAccountRequired") ?? false
        profiles = try meta?.optionalObject("profiles")?.names.sorted()
    }

    /// Whether the CA has a profile that an order is to ask for.
    ///
    /// - Throws: `acme-profile`, with the names of those that it has.
    func check(profile: String?) throws(IssuanceError) {
        guard let profile else { return }
        guard let profiles, !profiles.isEmpty else {
            throw IssuanceError(
                .acmeProfile, "the CA has no certificate profiles, so 'acme.profile' cannot be '\(profile)'",
                scope: .authority)
        }
        guard !profiles.contains(profile) else { return }
        let names = profiles.prefix(20).map { "'\(AuthorityText.shown($0, limit: 60))'" }.joined(separator: ", ")
        let rest = profiles.count > 20 ? " and \(profiles.count - 20) more" : ""
        throw IssuanceError(
            .acmeProfile, "the CA has no certificate profile '\(profile)'; it has \(names)\(rest)", scope: .authority)
    }
}

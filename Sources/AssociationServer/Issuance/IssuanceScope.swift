package import ACME
internal import ProxySupport

/// Which sites get a certificate by themselves (acme.md, section 2).
package struct IssuanceScope: Sendable {
    /// The beginning of the name of the folder of `*.example.com`.
    static let wildcardPrefix = "_wildcard."

    private let isOn: Bool
    private let excluded: Set<String>
    private let isPublic: Bool

    package init(_ configuration: ACMEConfiguration) {
        isOn = configuration.isOn
        excluded = Set(configuration.exclude)
        isPublic = configuration.directory.isPublic
    }

    /// The name of the folder of a site.
    ///
    /// - Parameter domain: `example.com`, or `*.example.com` for a wildcard.
    package static func folderName(of domain: String) -> String {
        domain.hasPrefix("*.") ? wildcardPrefix + domain.dropFirst(2) : domain
    }

    package func isExcluded(_ domain: String) -> Bool { excluded.contains(Self.folderName(of: domain)) }

    /// Whether the CA is known to refuse it: it is not a name in public DNS.
    package func isPrivateName(_ domain: String) -> Bool {
        guard isPublic else { return false }
        return !PublicName.isPossible(domain.hasPrefix("*.") ? domain.dropFirst(2) : domain[...])
    }

    /// Whether a certificate is ordered if no other one covers the site.
    package func includes(_ domain: String) -> Bool { isOn && !isExcluded(domain) && !isPrivateName(domain) }
}

extension ServerConfiguration {
    /// The challenges that a listener can answer, with the one that a DNS record answers.
    package var answerableChallenges: Set<ChallengeType> {
        var types: Set<ChallengeType> = [.dnsPersist01]
        for listener in listeners { types.insert(listener.kind.isPlain ? .http01 : .tlsALPN01) }
        return types
    }
}

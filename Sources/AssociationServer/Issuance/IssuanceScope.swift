package import ACME
internal import DomainNames

/// Which sites get a certificate by themselves (acme.md, section 2).
package struct IssuanceScope: Sendable {
    private let isOn: Bool
    private let excluded: Set<String>
    private let isPublic: Bool

    package init(_ configuration: ACMEConfiguration) {
        isOn = configuration.isOn
        excluded = Set(configuration.exclude)
        isPublic = configuration.directory.isPublic
    }

    package func isExcluded(_ domain: String) -> Bool {
        Domain(domain).map { excluded.contains($0.folderName) } ?? false
    }

    /// Whether the CA is known to refuse it: it is not a name in public DNS.
    package func isPrivateName(_ domain: String) -> Bool { isPublic && Domain(domain)?.isPublic != true }

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

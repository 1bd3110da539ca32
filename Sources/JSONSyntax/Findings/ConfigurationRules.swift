package import Diagnostics

/// The rules about settings, in `.aasa.json` and `server.json`.
package enum ConfigurationRules {
    package static let all: [RuleDescription] = [
        .unknownConfigKey, .invalidConfigValue, .unsupportedConfigValue, .trustsEveryone,
    ]
}

extension RuleDescription {
    package static let unknownConfigKey = RuleDescription(
        "unknown-config-key", .error, subject: .lintConfiguration,
        summary: "'.aasa.json' or 'server.json' has an unknown key",
        reason: "An unknown key has no effect, so a setting with a typo is silently lost.",
        basis: [.lint], fix: .suggested,
        bad: #"{ ⟦"severities"⟧: { "odd-team-prefix": "off" } }"# + "\n",
        good: #"{ "severity": { "odd-team-prefix": "off" } }"# + "\n")
    package static let invalidConfigValue = RuleDescription(
        "invalid-config-value", .error, subject: .lintConfiguration,
        summary: "a value in '.aasa.json' or 'server.json' has the wrong type or is out of range",
        reason: "The value cannot be used; the setting would silently keep its default.", basis: [.lint],
        bad: #"{ "minimumIOS": ⟦13⟧ }"# + "\n",
        good: #"{ "minimumIOS": "13.0" }"# + "\n")
    package static let unsupportedConfigValue = RuleDescription(
        "unsupported-config-value", .error, subject: .serverConfiguration,
        summary: "a value in 'server.json' is not supported by this version",
        reason: """
            The key is reserved for later versions; this version accepts only its default. The server does not start if \
            the configuration requests a feature that it does not have.
            """, basis: [.lint],
        bad: #"{ "gzip": ⟦true⟧ }"# + "\n",
        good: #"{ "gzip": false }"# + "\n",
        finding: ExampleFinding("'gzip' can only be false in this version"))
    package static let trustsEveryone = RuleDescription(
        "trusts-everyone", .warning, subject: .serverConfiguration,
        summary: "'trustedProxies' in 'server.json' has every IPv4 or every IPv6 address",
        reason: """
            The server trusts what a trusted proxy reports about a client. If every address is trusted, so is every \
            client, and each can put any address into the access log.
            """, basis: [.lint],
        bad: #"{ "trustedProxies": [⟦"0.0.0.0/0"⟧] }"# + "\n",
        good: #"{ "trustedProxies": ["10.0.0.0/8"] }"# + "\n",
        finding: ExampleFinding(
            "'0.0.0.0/0' in 'trustedProxies' trusts every IPv4 address: any client can claim to be another",
            advice: "name the addresses of your proxies"))
}

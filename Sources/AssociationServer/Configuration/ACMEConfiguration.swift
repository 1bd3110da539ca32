package import ACME

extension ServerConfiguration {
    /// Where the account and the certificates of ACME are kept.
    package var acmeFolder: String { acme.folder ?? certs }
}

extension ACMEConfiguration {
    /// Whether certificates are got at all.
    package var isOn: Bool { agreesToTerms }

    /// The object of server.json that has the settings.
    static let name = "acme"

    /// The keys of server.json.
    static let keys: [ConfigurationKey] = [
        ConfigurationKey(
            "acme.agreeToTerms", \.acme.agreesToTerms, .boolean, example: "true",
            """
            Whether you agree to the CA's terms of service. With `true` the server [obtains and renews certificates \
            itself](spec/acme.md), one for each site; otherwise `acme` is an error, unless it is `null` (off).
            """),
        ConfigurationKey(
            "acme.directory", \.acme.directory, .acmeDirectory, example: #""https://ca.example:14000/dir""#,
            """
            The CA: `"letsencrypt"`, `"letsencrypt-staging"` (for tests: its certificates are not trusted), or the URL of \
            a CA's directory.
            """),
        ConfigurationKey(
            "acme.contact", \.acme.contact, .contacts, example: #"["ops@example.com"]"#,
            "The e-mail addresses at which the CA can contact you."),
        ConfigurationKey(
            "acme.profile", \.acme.profile, .optionalText("the name of a profile"), example: #""shortlived""#,
            "The certificate profile, if the CA offers several."),
        ConfigurationKey(
            "acme.keyType", \.acme.keyType, .choice, example: #""p384""#,
            "The type of the private keys; each certificate gets a new key."),
        ConfigurationKey(
            "acme.folder", \.acme.folder, .optionalFolder, default: "the value of `certs`",
            example: #""/var/lib/aasa""#,
            """
            The folder to which the account and the certificates are written. The server also reads certificates from it. Not \
            with `store`, which keeps both.
            """),
        ConfigurationKey(
            "acme.caFile", \.acme.rootsFile, .optionalFile, example: #""/etc/aasa/ca.pem""#,
            "A PEM file with the root certificates to trust for the CA's HTTPS, instead of the system's."),
        ConfigurationKey(
            "acme.exclude", \.acme.exclude, .excludedSites, example: #"["old.example.com", "_wildcard.example.com"]"#,
            "The site folders for which no certificates are ordered."),
        ConfigurationKey(
            "acme.challenges", \.acme.challenges, .challenges, example: #"["http-01"]"#,
            """
            How the CA validates your names, in order of preference: `"tls-alpn-01"` (through an HTTPS listener), \
            `"http-01"` (through a plain listener), `"dns-persist-01"` (through a DNS record that you create once, as \
            before draft 02; only for private CAs, also for wildcards).
            """),
        ConfigurationKey(
            "acme.eab", \.acme.externalAccount, .externalAccount,
            example: #"{"kid": "key-1", "hmacKeyFile": "/etc/aasa/eab.key"}"#,
            """
            External account binding, for CAs that require it: the key identifier, and a file with the HMAC key in \
            base64url.
            """),
        ConfigurationKey(
            "acme.preferredChain", \.acme.preferredChain, .optionalText("the common name of an issuer"),
            example: #""Example Root X1""#,
            "The issuer of the chain to use if the CA offers several; without a match the CA's first chain is used."),
        ConfigurationKey(
            "acme.preflight", \.acme.preflight, .boolean, example: "false",
            "Whether the server connects to the addresses of a name before it orders, which avoids failed orders."),
        ConfigurationKey(
            "acme.challengePorts.tls-alpn-01", \.acme.challengePorts.tlsALPN01, .integer(1...65_535), example: "5001",
            "The port to which the CA connects; a value other than the default only makes sense with a private CA."),
        ConfigurationKey(
            "acme.challengePorts.http-01", \.acme.challengePorts.http01, .integer(1...65_535), example: "5002",
            "The same for `http-01`."),
        ConfigurationKey(
            "acme.limits.parallelOrders", \.acme.limits.parallelOrders, .integer(1...64), example: "8",
            "The most orders in progress at the same time."),
        ConfigurationKey(
            "acme.limits.ordersPer3Hours", \.acme.limits.ordersPer3Hours, .integer(1...100_000), example: "1000",
            "The most orders begun within three hours; Let's Encrypt allows 300."),
    ]
}

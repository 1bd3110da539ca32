/// The certificates of an Android app, with which an `assetlinks.json` is compared.
package struct AppSigner: Sendable, Equatable {
    /// The package of the statements that are looked at; nil for those of all apps.
    package let package: String?
    /// The file that the certificates are from, as messages name it.
    package let path: String
    /// The fingerprint that an `assetlinks.json` has to list: 32 upper-case pairs with colons.
    package let fingerprint: String
    /// The fingerprints of which one suffices: of all signers, and of those before a rotation of the key.
    package let accepted: Set<String>
    /// The systems that see these certificates, like `Android 17 and later`; nil for all.
    package let systems: String?
    /// Whether it is an app bundle, which Google Play signs again with another key.
    package let isBundle: Bool
    /// The remarks on the file, such as that it is signed with a debug key.
    package let notes: [String]

    package init(
        package: String? = nil, path: String, fingerprint: String, accepted: Set<String> = [], systems: String? = nil,
        isBundle: Bool = false, notes: [String] = []
    ) {
        self.package = package
        self.path = path
        self.fingerprint = fingerprint
        self.accepted = accepted.union([fingerprint])
        self.systems = systems
        self.isBundle = isBundle
        self.notes = notes
    }
}

extension AppSigner {
    /// The place that shows the fingerprint of the key with which Google Play signs an app, as the end of a clause.
    package static let playConsole = "from Play Console, App integrity, 'App signing key certificate'"

    /// The app with which the examples of rules are compared.
    package static let example = AppSigner(path: "app-release.apk", fingerprint: AssetLinksRules.fingerprint)

    /// The app bundle with which the examples of rules are compared.
    package static let exampleBundle = AppSigner(
        path: "app-release.aab", fingerprint: AssetLinksRules.fingerprint, isBundle: true)
}

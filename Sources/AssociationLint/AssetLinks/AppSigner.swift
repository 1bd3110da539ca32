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
    /// The remarks on the file, such as that it is signed with a debug key.
    package let notes: [String]

    package init(
        package: String? = nil, path: String, fingerprint: String, accepted: Set<String> = [], notes: [String] = []
    ) {
        self.package = package
        self.path = path
        self.fingerprint = fingerprint
        self.accepted = accepted.union([fingerprint])
        self.notes = notes
    }
}

extension AppSigner {
    /// The app with which the examples of rules are compared.
    package static let example = AppSigner(path: "app-release.apk", fingerprint: AssetLinksRules.fingerprint)
}

internal import AssociationLint
internal import JSONSyntax

/// The statements of an `assetlinks.json` that let apps open the links of a site.
struct AssetLinkStatements {
    /// An app with one of its certificates.
    struct Pair: Hashable {
        let package: String
        /// The fingerprint of the certificate in upper case.
        let fingerprint: String

        var text: String { "\(package) \(fingerprint)" }
    }

    private(set) var pairs: [Pair] = []
    private(set) var count = 0
    /// Whether a statement includes another list, which is not fetched.
    private(set) var hasInclude = false

    static let relation = "delegate_permission/common.handle_all_urls"

    /// Nil if the file is not a JSON array.
    init?(_ bytes: [UInt8]) {
        let document = JSONReader.read(bytes, path: "", limits: .assetLinksFile)
        guard document.isTreeReliable, let statements = document.root?.array else { return nil }
        for statement in statements.compactMap(\.object) {
            count += 1
            if statement["include"] != nil { hasInclude = true }
            let relations = statement["relation"]?.array?.compactMap { $0.string?.text } ?? []
            guard relations.contains(Self.relation), let target = statement["target"]?.object,
                target["namespace"]?.string?.text == "android_app", let package = target["package_name"]?.string?.text
            else { continue }
            let prints = target["sha256_cert_fingerprints"]?.array?.compactMap { $0.string?.text } ?? []
            pairs += prints.map { Pair(package: package, fingerprint: $0.uppercased()) }
        }
    }

    func has(_ package: String, _ fingerprint: String) -> Bool {
        pairs.contains(Pair(package: package, fingerprint: fingerprint.uppercased()))
    }
}

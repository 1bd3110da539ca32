package import Diagnostics
package import JSONSyntax

/// A statement of an `assetlinks.json`: what the site lets an app, or another site, do.
package struct AssetLinksStatement: Sendable {
    /// The relation that lets an app handle the links of a site.
    package static let handleAllURLs = "delegate_permission/common.handle_all_urls"

    /// The index in the file, counted from 0; elements that are no objects count too.
    package let index: Int
    package let range: SourceRange
    /// Where it begins in the file.
    package let position: SourcePosition
    package let pointer: JSONPointer
    /// The strings of `relation`; none beside `include`.
    package let relations: [String]
    package let target: Target
    /// The URL of another list; nil for a statement that says something itself.
    package let include: String?
    package let dynamicRules: DynamicRules

    /// The app or site that a statement is about.
    package enum Target: Equatable, Sendable {
        /// The usable fingerprints are in upper case, with colons.
        case androidApp(package: String, fingerprints: [String])
        case web(site: String)
        case invalid
    }

    init?(_ node: JSONNode, index: Int, pointer: JSONPointer, source: SourceText) {
        guard let object = node.object else { return nil }
        self.index = index
        range = node.range
        position = source.position(at: node.range.start)
        self.pointer = pointer
        if let include = object["include"], include.string?.text.isEmpty != true {
            self.include = include.string?.text
            relations = []
            target = .invalid
            dynamicRules = .absent
            return
        }
        include = nil
        relations = (object["relation"]?.array ?? []).compactMap { $0.string?.text }
        target = Target(object["target"]?.object)
        dynamicRules = DynamicRules(in: object, statement: index, pointer: pointer, source: source)
    }

    /// The usable fingerprints of an app, in upper case.
    package var fingerprints: [String] {
        if case .androidApp(_, let fingerprints) = target { fingerprints } else { [] }
    }

    /// Whether an app may handle the links of the site by this statement.
    package var countsForLinks: Bool { !fingerprints.isEmpty && relations.contains(Self.handleAllURLs) }
}

extension AssetLinksStatement.Target {
    init(_ object: JSONObject?) {
        switch object?["namespace"]?.string?.text {
        case "android_app":
            let fingerprints = object?["sha256_cert_fingerprints"]?.array ?? []
            guard let name = object?["package_name"]?.string?.text, AndroidPackageName.isValid(name) else {
                self = .invalid
                return
            }
            self = .androidApp(
                package: name,
                fingerprints: fingerprints.compactMap { $0.string.flatMap { CertificateFingerprint($0.text).usable } })
        case "web":
            self = object?["site"]?.string.map { .web(site: $0.text) } ?? .invalid
        default: self = .invalid
        }
    }
}

extension CertificateFingerprint {
    /// The fingerprint in upper case, if Android takes it as it is written; lower case does it no harm.
    package var usable: String? { problem == nil || isOnlyLowercase ? written : nil }
}

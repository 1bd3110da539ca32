internal import AssetLinks
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// Two package names of which one is probably mistyped.
enum SimilarPackageNamesRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "similar-package-names", .warning, "two package names of a file differ by one letter",
        """
        Package names are compared letter by letter. If one of the two is a typing error, its app handles no links, and \
        nobody is told. Names that differ by a digit, or by a suffix like '.debug', are taken to be meant.
        """, basis: [.lint],
        bad: AssetLinksRules.statements(
            (
                AssetLinksRules.handlesURLs,
                AssetLinksRules.signedApp("\"com.shop.app\"", "\"\(AssetLinksRules.fingerprint)\"")
            ),
            (
                AssetLinksRules.handlesURLs,
                AssetLinksRules.signedApp("⟦\"com.shop.aap\"⟧", "\"\(AssetLinksRules.fingerprint)\"")
            )),
        good: AssetLinksRules.statements(
            (
                AssetLinksRules.handlesURLs,
                AssetLinksRules.signedApp("\"com.shop.app\"", "\"\(AssetLinksRules.fingerprint)\"")
            ),
            (
                AssetLinksRules.handlesURLs,
                AssetLinksRules.signedApp("\"com.shop.app.debug\"", "\"\(AssetLinksRules.fingerprint)\"")
            )))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        var known = Set<String>()
        // Two names that differ by one edit are the same without one of their letters.
        var byShortened: [[Unicode.Scalar]: [[Unicode.Scalar]]] = [:]
        for statement in file.statements {
            guard case .androidApp(let package, _) = statement.statement.target, package.utf8.count <= 200,
                let node = statement.target?["package_name"], known.insert(package).inserted
            else { continue }
            let name = Array(package.unicodeScalars)
            let keys = shortened(name)
            let others = keys.lazy.compactMap { key in byShortened[key]?.first { isSimilar($0, name) } }
            if let other = others.first {
                diagnostics.report(
                    description.code, node.range, statement.object.pointer.member("target").member("package_name"),
                    "\(quoted(package)) is nearly \(quoted(String(String.UnicodeScalarView(other)))), another package of the file",
                    advice: "correct the name if it is mistyped")
            }
            for key in keys { byShortened[key, default: []].append(name) }
        }
    }

    /// The name in lower case, as it is and without each of its letters.
    private static func shortened(_ name: [Unicode.Scalar]) -> Set<[Unicode.Scalar]> {
        let lower = name.map { Unicode.Scalar(UInt8(truncatingIfNeeded: $0.value).lowercased) }
        var result: Set = [lower]
        for index in lower.indices {
            var rest = lower
            rest.remove(at: index)
            result.insert(rest)
        }
        return result
    }

    private static func isSimilar(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
        let isOtherCase =
            left.count == right.count
            && zip(left, right).allSatisfy {
                UInt8(truncatingIfNeeded: $0.value).lowercased == UInt8(truncatingIfNeeded: $1.value).lowercased
            }
        if isOtherCase { return left != right }
        guard OneEdit.leads(from: left, to: right) else { return false }
        // Where they differ: what is between their common beginning and end.
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.dropFirst(start).reversed(), right.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let different = left[start..<left.count - end] + right[start..<right.count - end]
        return !different.contains { ("0"..."9").contains($0) }
    }
}

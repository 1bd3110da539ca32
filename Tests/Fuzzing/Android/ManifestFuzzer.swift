internal import Android
package import AppProjects
internal import AppSamples

/// Compares the product's decisions about Android manifests with those of a second reader, which was written from Android's
/// documentation alone, on random manifests and links.
package struct ManifestFuzzer {
    private var comparison: ManifestComparison

    package init(seed: UInt64) { comparison = ManifestComparison(seed: seed) }

    /// The number of decisions that were compared.
    package var decisions: Int { comparison.decisions }

    /// The number of links that opened the app.
    package var opened: Int { comparison.counts[.opens] ?? 0 }

    /// The rules of the documentation that no link has met.
    package var unmet: [String] {
        SlowMatcher.Step.allCases.filter { comparison.counts[$0] == nil }.map(\.rawValue)
    }

    /// Makes a manifest and compares the decisions about so many links; returns the first difference.
    package mutating func round(urls count: Int) throws(AppProjectError) -> String? {
        try comparison.round(urls: count) { (text, api) throws(AppProjectError) in
            let file = try ManifestFile(Array(text.utf8), path: "AndroidManifest.xml")
            let manifest = AppManifest(file.root, api: api)
            return { url in
                switch AndroidLink(url).map({ manifest.verdict(on: $0).decision }) {
                case .yes: .yes
                case .no: .no
                case .undecided: .undecided
                case nil: nil
                }
            }
        }
    }
}

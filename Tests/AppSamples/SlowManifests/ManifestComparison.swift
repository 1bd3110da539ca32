internal import FuzzingSupport

/// Compares another reader of manifests with the slow one, on random manifests and links.
package struct ManifestComparison {
    /// The answer of the other reader about a link to a manifest.
    package typealias Decide = (_ url: String) -> SlowMatcher.Answer?

    /// The number of times that each step was taken.
    package private(set) var counts: [SlowMatcher.Step: Int] = [:]
    /// The number of decisions that were compared.
    package private(set) var decisions = 0
    /// The number of decisions that the other reader left open, although no value of a build makes a difference.
    package private(set) var cautious = 0
    private var manifests: RandomManifests

    package init(seed: UInt64) { manifests = RandomManifests(seed: seed) }

    /// Makes a manifest and compares the decisions about so many links; returns the first difference.
    ///
    /// - Parameter reader: Reads the text of a manifest for a version of Android.
    package mutating func round<Failure>(
        urls count: Int, reader: (_ manifest: String, _ api: Int) throws(Failure) -> Decide
    ) throws(Failure) -> String? {
        let manifest = manifests.manifest()
        let api = manifests.random.pick(RandomManifests.apis)
        let text = manifest.xml(prefix: manifests.random.chance(90) ? "android" : "a")
        let decide = try reader(text, api)
        var slow = SlowMatcher(api: api)
        defer { counts.merge(slow.counts) { $0 + $1 } }
        for _ in 0..<count {
            let url = manifests.url(near: manifest)
            let (expected, found) = (slow.answer(manifest, url), decide(url))
            decisions += 1
            guard found != expected else { continue }
            // One unknown value in two conditions is two unknown ones to a reader that does not try what it can be: it may say
            // so little, but rarely.
            if found == .undecided, !manifest.unknownNames.isEmpty, cautious <= decisions / 1_000 {
                cautious += 1
                continue
            }
            let answer = found.map { "\($0)" } ?? "no link"
            return "api \(api): '\(url)': \(answer), and the slow reader says \(expected)\n\(text)"
        }
        return nil
    }
}

import AndroidManifest
import AppProjects
import AppSamples
import FuzzingSupport
import Testing

/// The product's decisions and those of a second reader, which was written from Android's documentation alone.
struct IndependentReadingTests {
    private static let cases = 1_250

    @Test(arguments: TestSeeds.of(1...4))
    func `both readings of random manifests agree`(seed: UInt64) throws {
        var manifests = RandomManifests(seed: seed)
        var differences = 0
        for _ in 0..<(Self.cases / 10) {
            let manifest = manifests.manifest()
            let api = manifests.random.pick(RandomManifests.apis)
            let text = manifest.xml(prefix: manifests.random.chance(90) ? "android" : "a")
            let read = AppManifest(try ManifestSample.root(text), api: api)
            for _ in 0..<10 {
                let url = manifests.url(near: manifest)
                var slow = SlowMatcher(api: api)
                let expected = slow.answer(manifest, url)
                let decision = AndroidLink(url).map { read.verdict(on: $0).decision }
                let found: SlowMatcher.Answer? =
                    switch decision {
                    case .yes?: .yes
                    case .no?: .no
                    case .undecided?: .undecided
                    case nil: nil
                    }
                if found != expected {
                    differences += 1
                    if differences < 4 {
                        Issue.record(
                            "seed \(seed), api \(api): \(url): \(found as Any), the slow one \(expected) \(slow.counts)\n\(text)"
                        )
                    }
                }
            }
        }
        #expect(differences == 0)
    }
}

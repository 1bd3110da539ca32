import Glibc

/// The seeds of a random test, given to it as arguments, so that a failure names its seed.
///
/// `AASA_TEST_SEED=7 swift test --filter NAME` runs a test with another seed, and `AASA_TEST_SEED=100-199` with a hundred.
package enum TestSeeds {
    package static func of(_ seeds: ClosedRange<UInt64>) -> [UInt64] {
        guard let text = getenv("AASA_TEST_SEED").map({ String(cString: $0) }) else { return Array(seeds) }
        let bounds = text.split(separator: "-").compactMap { UInt64($0) }
        guard let first = bounds.first, let last = bounds.last, first <= last else { return Array(seeds) }
        return Array(first...last)
    }
}

import ACME
import FuzzingSupport
import Testing

@Suite("Waiting after failures")
struct BackoffTests {
    @Test(
        "orders wait a minute, then twice as long, up to a day, give or take a fifth",
        arguments: [(1, 60), (2, 120), (3, 240), (11, 61_440), (12, 86_400), (1_000, 86_400), (0, 60)] as [(Int, Int64)]
    )
    func orders(failures: Int, seconds: Int64) {
        var random = SplitMix64(seed: UInt64(failures))
        var seen: Set<Int64> = []
        for _ in 0..<50 {
            let delay = Backoff.order.delay(failures: failures, after: nil, random: &random)
            #expect(Double(delay) >= Double(seconds) * 0.8 - 1 && Double(delay) <= Double(seconds) * 1.2)
            seen.insert(delay)
        }
        #expect(seen.count > 5)
    }

    @Test(
        "the CA is waited for from five seconds to an hour",
        arguments: [(1, 5), (2, 10), (3, 20), (10, 2_560), (11, 3_600), (1_000, 3_600)] as [(Int, Int64)])
    func authority(failures: Int, seconds: Int64) {
        var random = SplitMix64(seed: 1)
        #expect(Backoff.authority.delay(failures: failures, after: nil, random: &random) == seconds)
    }

    @Test(
        "some failures are waited for a day at once",
        arguments: [
            (.rejectedIdentifier, true), (.unsupportedIdentifier, true), (.caa, true), (.acmeWildcard, true),
            (.acmeChallenges, true), (.acmeAccount, true), (.unauthorized, false), (.connection, false),
            (.dns, false), (.timeout, false), (.rateLimited, false),
        ] as [(IssuanceErrorType, Bool)])
    func types(type: IssuanceErrorType, isDay: Bool) {
        var random = SplitMix64(seed: 1)
        let delay = Backoff.authority.delay(failures: 1, after: IssuanceError(type, ""), random: &random)
        #expect(delay == (isDay ? 86_400 : 5))
    }

    @Test(
        "the CA's own time is kept if it is longer, up to seven days",
        arguments: [(1, 5), (5, 5), (6, 6), (604_800, 604_800), (9_999_999, 604_800), (-5, 5)] as [(Int64, Int64)])
    func retryAfter(seconds: Int64, delay: Int64) {
        var random = SplitMix64(seed: 1)
        let error = IssuanceError(.rateLimited, "", retryAfter: seconds)
        #expect(Backoff.authority.delay(failures: 1, after: error, random: &random) == delay)
    }
}

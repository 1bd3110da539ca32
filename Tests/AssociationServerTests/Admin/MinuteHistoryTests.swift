import AssociationServer
import HTTP1
import OpenSSL
import Testing

@Suite("The counts of the last hour")
struct MinuteHistoryTests {
    @Test("each minute has what was counted in it, and one that the loop slept through has nothing")
    func minutes() {
        let counters = LoopCounters()
        counters.keep(sites: 1)
        counters.begin(minute: 100)
        counters.count(.request(.ok), 2)
        counters.count(.redirects)
        counters.begin(minute: 100)
        counters.count(.request(.notFound))
        counters.begin(minute: 103)
        counters.count(.handshake(isTLS13: true, isResumed: true), 5)
        counters.count(.handshakeFailed(.closed), 7)
        counters.countFetch(site: 0, .bot, "AASA-Bot", .ok, at: 0)
        let report = counters.report(connections: 0)
        #expect(report.minutes.count == 2)
        #expect(report.minutes[100]?.requests == 4 && report.minutes[100]?.handshakes == 0)
        #expect(report.minutes[103]?.requests == 0 && report.minutes[103]?.handshakes == 5)
        #expect(report.minutes[103]?.handshakeFailures == 7 && report.minutes[103]?.appleFetches == 1)
        var sum = report
        sum.add(report)
        #expect(sum.minutes[100]?.requests == 8 && sum.minutes[103]?.handshakeFailures == 14)
    }

    @Test("an hour is kept, and a clock that is set back loses nothing")
    func ring() {
        let counters = LoopCounters()
        for minute in 0..<200 as Range<Int64> {
            counters.begin(minute: minute)
            counters.count(.request(.ok), Int(minute))
        }
        var minutes = counters.report(connections: 0).minutes
        #expect(minutes.count >= 60 && (140..<200).allSatisfy { minutes[$0]?.requests == UInt64($0) })
        counters.begin(minute: 198)
        counters.count(.request(.ok), 1)
        minutes = counters.report(connections: 0).minutes
        #expect(minutes[198]?.requests == 199 && minutes[199]?.requests == 199)
    }
}

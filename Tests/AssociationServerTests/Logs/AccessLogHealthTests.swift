import AssociationServer
import Testing

/// One message in ten seconds, one at the end.
@Suite("Messages about lost lines")
struct AccessLogHealthTests {
    private var health = LogHealth("the log")

    @Test("nothing is logged while nothing is lost")
    mutating func quiet() {
        #expect(health.recovered(lost: 0, now: 0) == nil)
        #expect(health.trouble("full", nil, lost: 0, now: 0) == nil)
        #expect(health.recovered(lost: 0, now: 60_000) == nil)
    }

    @Test("trouble is told once in ten seconds, with all that is lost so far, and its end once")
    mutating func trouble() {
        #expect(
            health.trouble("no room", "make some", lost: 1, now: 5)
                == "the log cannot be written: no room; 1 line is lost so far; make some")
        #expect(health.trouble("no room", "make some", lost: 2, now: 6) == nil)
        #expect(health.trouble("no room", nil, lost: 9, now: 10_004) == nil)
        #expect(
            health.trouble("no room", nil, lost: 9, now: 10_005)
                == "the log cannot be written: no room; 9 lines are lost so far")
        #expect(health.recovered(lost: 12, now: 10_006) == "the log can be written again; 12 lines are lost")
        #expect(health.recovered(lost: 12, now: 10_007) == nil)
        // What comes next is counted anew.
        #expect(health.trouble("no room", nil, lost: 12, now: 30_000) == nil)
        #expect(
            health.trouble("no room", nil, lost: 13, now: 30_000)
                == "the log cannot be written: no room; 1 line is lost so far")
    }

    @Test("what comes and goes is not told each time")
    mutating func flapping() {
        var messages = 0
        for step in 0..<1_000 {
            let now = Int64(step) * 100
            if health.trouble("broken", nil, lost: UInt64(step + 1), now: now) != nil { messages += 1 }
            if health.recovered(lost: UInt64(step + 1), now: now) != nil { messages += 1 }
        }
        // Trouble and its end, ten times.
        #expect(messages == 20)
    }

    @Test("lines that were lost without an error are told, too")
    mutating func slow() {
        #expect(health.recovered(lost: 4, now: 0) == "the log was too slow for a moment; 4 lines are lost")
        #expect(health.recovered(lost: 6, now: 9_999) == nil)
        #expect(health.recovered(lost: 6, now: 10_000) == "the log was too slow for a moment; 2 lines are lost")
    }
}

import ACME
import Testing

@Suite("Orders that take their time")
struct OrderPollingTests {
    @Test("the pauses grow from half a second by half to ten seconds")
    func polling() throws {
        var run = try OrderRun()
        try run.advance(to: .validating)
        var pauses: [Duration] = []
        for _ in 0..<10 {
            pauses.append(try #require(run.pause))
            try run.letPauseEnd()
            try run.answer(200, Samples.authorization("pending"))
        }
        #expect(pauses[0] == .milliseconds(500) && pauses[1] == .milliseconds(750))
        #expect(pauses[2] == .milliseconds(1_125) && pauses.last == .seconds(10))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test(
        "the CA says when to ask again, up to a minute; nonsense and zero are no pause of its own",
        arguments: [("7", 7_000), ("0", 750), ("-5", 750), ("soon", 750), ("99999", 60_000)] as [(String, Int)])
    func retryAfter(field: String, milliseconds: Int) throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        try run.answer(200, Samples.authorization("pending"), ["Retry-After": field])
        #expect(run.pause == .milliseconds(milliseconds))
    }

    @Test("a name is waited for for ten minutes, and then another challenge is used")
    func validationTimeout() throws {
        var run = try OrderRun()
        try run.advance(to: .validating)
        let start = run.now.uptime
        while run.failure == nil {
            try run.letPauseEnd()
            if run.request != nil { try run.answer(200, Samples.authorization("pending")) }
        }
        #expect(run.now.uptime - start == .seconds(600))
        let failure = try #require(run.failure)
        #expect(failure.error.type == .timeout && !failure.keepsOrder && failure.challenge == .tlsALPN01)
        #expect(run.names.first == "withdraw tls-alpn-01")
    }

    @Test("the CA is asked once more when all patience is over: no pause goes beyond its end")
    func lastQuestion() throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        // Every minute, however long the CA wants to be left alone, and at the end.
        for _ in 0..<9 {
            try run.answer(200, Samples.authorization("pending"), ["Retry-After": "3600"])
            #expect(run.pause == .seconds(60))
            try run.letPauseEnd()
        }
        try run.answer(200, Samples.authorization("pending"), ["Retry-After": "3600"])
        #expect(run.pause == .milliseconds(59_500))
        try run.letPauseEnd()
        #expect(run.names == ["send /authorization/1"])
        try run.answer(200, Samples.authorization("valid"))
        #expect(run.names == ["withdraw tls-alpn-01", "recordIssuance", "send /finalize/1"])
    }

    @Test("what takes longer than a minute is reported once, and at once if the CA says so", arguments: [nil, "3600"])
    func slowness(field: String?) throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        var reports: [Duration] = []
        let start = run.now.uptime
        while run.failure == nil, run.now.uptime - start < .seconds(300) {
            try run.answer(200, Samples.authorization("pending"), field.map { ["Retry-After": $0] } ?? [:])
            if run.names.contains("report") { reports.append(run.now.uptime - start) }
            try run.letPauseEnd()
        }
        #expect(reports.count == 1)
        #expect(try #require(reports.first) < (field == nil ? .seconds(70) : .seconds(1)))
    }

    @Test("a CA that wants to be left alone for longer than it may take has taken too long")
    func patience() throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        try run.answer(503, "", ["Retry-After": "3600"])
        #expect(run.pause == .milliseconds(599_500))
        try run.letPauseEnd()
        #expect(run.names == ["withdraw tls-alpn-01", "fail timeout"])
        var late = try OrderRun()
        try late.advance(to: .polling)
        late.now.uptime += .seconds(700)
        try late.answer(502, "")
        #expect(late.failure?.error.type == .timeout)
    }

    @Test("a certificate is waited for for half an hour, and the order is kept")
    func issuanceTimeout() throws {
        var run = try OrderRun()
        try run.advance(to: .issuing)
        let start = run.now.uptime
        while run.failure == nil {
            try run.letPauseEnd()
            if run.request != nil {
                try run.answer(200, Samples.order("processing"), ["Retry-After": "3600"])
            }
        }
        #expect(run.now.uptime - start == .seconds(1_800))
        #expect(run.failure?.error.type == .timeout && run.failure?.keepsOrder == true)
        #expect(run.failure?.challenge == nil)
    }
}

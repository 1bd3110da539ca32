import Foundation
import TLSSamples
import TestSupport
import Testing

/// A wall clock that jumps (server.md, sections 2, 4 and 7), by libfaketime.
@Suite(
    "aasa serve: clock jumps",
    .enabled(
        if: FakeTime.isUsable,
        "libfaketime is not installed (in Debian: apt-get install faketime), or a sanitizer is in use, which it blocks")
)
struct ServeFaultClockTests {
    private static let day: Double = 86_400

    /// A server whose wall clock is set by a file.
    private struct Shifted {
        let server: RunningServer
        private let folder: TemporaryFolder

        init(_ configuration: String) throws {
            folder = try RunningServer.layOut()
            let clock = try folder.write("+0", to: "clock")
            server = try RunningServer(
                folder, configuration: configuration, launcher: FakeTime.launcher(clock: clock))
        }

        /// Moves the clock to so many days from now, and waits until the server sees it.
        func jump(_ days: Int, _ client: HTTPSClient) throws {
            try folder.write(days < 0 ? "\(days)d" : "+\(days)d", to: "clock")
            let hasJumped = try Waiting.until {
                abs(try distance(client) - Double(days) * ServeFaultClockTests.day) < 600
            }
            #expect(hasJumped, "the date did not follow")
        }

        /// The difference between the `Date` of an answer and now.
        private func distance(_ client: HTTPSClient) throws -> Double {
            let text = try #require(client.get()["Date"])
            return try #require(ServeFaultClockTests.format.date(from: text)).timeIntervalSinceNow
        }
    }

    fileprivate static let format: DateFormatter = {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format
    }()

    private func text(_ days: Double) -> String {
        Self.format.string(from: Date(timeIntervalSinceNow: days * Self.day))
    }

    @Test("the date follows a jump, conditions do, and connections live on")
    func dates() throws {
        let shifted = try Shifted("{}")
        let client = try HTTPSClient(port: shifted.server.port)
        try client.handshake()
        for days in [1, -1, 0, -400, 400, 0] {
            try shifted.jump(days, client)
            // Later than the server's now: to be ignored. The file is of now, in the world's time.
            let future = try client.get(fields: "If-Modified-Since: \(text(Double(days) + 0.5))\r\n")
            #expect(future.status == 200)
            let past = try client.get(fields: "If-Modified-Since: \(text(-2))\r\n")
            #expect(past.status == 200)
            // By the answer, and not by the clock: between the two a second may end.
            let modified = try #require(past["Last-Modified"])
            let now = try client.get(fields: "If-Modified-Since: \(modified)\r\n")
            #expect(now.status == (days >= 0 ? 304 : 200), "\(days)")
            let tag = try #require(now["ETag"])
            #expect(try client.get(fields: "If-None-Match: \(tag)\r\n").status == 304)
        }
        shifted.server.signal(SIGHUP)
        #expect(shifted.server.waitForLog("reloaded: "))
        shifted.server.signal(SIGTERM)
        #expect(shifted.server.exitStatus() == 0)
    }

    @Test("time-outs neither come early nor stay out")
    func timeouts() throws {
        let shifted = try Shifted(#"{"timeouts": {"handshake": 0.5, "header": 30, "idle": 30}}"#)
        let server = shifted.server
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        for days in [1, -1] {
            // Halfway into a request and into a handshake when the clock jumps.
            let halfway = try HTTPSClient(port: server.port)
            try halfway.handshake(andSend: "GET / HTTP/1.1\r\n")
            try shifted.jump(days, client)
            let time = try Waiting.measure {
                let silent = try RawSocket(port: server.port)
                silent.send([22])
                #expect(silent.receiveAll().ending == .orderly)
            }
            #expect(time > 0.4)
            halfway.send("Host: localhost\r\n\r\n")
            #expect(try halfway.answer().status == 404)
        }
    }

    @Test("sessions are resumed after a jump, and none of before does harm", arguments: SampleOffer.versions)
    func tickets(version: SampleOffer.Version) throws {
        let shifted = try Shifted("{}")
        let port = shifted.server.port
        let client = try HTTPSClient(port: port, SampleOffer(version))
        try client.handshake()
        var sessions: [SampleSession] = []
        for days in [1, -1, 0, 30, -30] {
            try shifted.jump(days, client)
            // What an old ticket is worth is the library's choice; it is answered in any case.
            for session in sessions {
                let old = try HTTPSClient(port: port, SampleOffer(version), resuming: session)
                try old.handshake()
                #expect(try old.get().status == 200)
            }
            let fresh = try HTTPSClient(port: port, SampleOffer(version))
            try fresh.handshake()
            #expect(try fresh.get().status == 200)
            let session = try #require(fresh.session)
            let again = try HTTPSClient(port: port, SampleOffer(version), resuming: session)
            try again.handshake()
            #expect(try again.get().status == 200)
            #expect(again.isResumed)
            sessions.append(try #require(again.session))
        }
    }
}

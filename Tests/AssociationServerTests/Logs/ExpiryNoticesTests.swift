import AssociationServer
import Diagnostics
import Testing

@Suite("The end of certificates in the log")
struct ExpiryNoticesTests {
    private static let day: Int64 = 86_400
    /// 2026-11-21, 12:00.
    private static let end: Int64 = 1_795_262_400

    private func certificate(
        _ number: Int = 0, names: [String] = ["example.com"], end: Int64 = end
    ) -> ExpiryNotices.Certificate {
        ExpiryNotices.Certificate(
            path: "certs/\(number)/fullchain.pem", names: names, notAfter: end,
            digest: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
    }

    @Test(
        "the line says what ends when",
        arguments: [
            (30 * day, "the certificate for example.com expires in 30 days, on 2026-11-21; help: renew it"),
            (13 * day + 5, "the certificate for example.com expires in 13 days, on 2026-11-21; help: renew it"),
            (day + 1, "the certificate for example.com expires in 1 day, on 2026-11-21; help: renew it"),
            (day - 1, "the certificate for example.com expires in 23 hours, on 2026-11-21; help: renew it"),
            (3_599, "the certificate for example.com expires in less than an hour, on 2026-11-21; help: renew it"),
            (-1, "the certificate for example.com expired on 2026-11-21; clients refuse it; help: renew it"),
        ])
    func wording(left: Int64, expected: String) {
        var notices = ExpiryNotices()
        let found = notices.look(at: [certificate()], now: Self.end - left)
        #expect(found.map(\.logLine) == ["certs/0/fullchain.pem: \(expected)"])
        #expect(found.map(\.severity) == [left < 0 ? .error : .warning])
    }

    @Test("a certificate with several names is called by the first; what cannot be seen is escaped")
    func names() {
        var notices = ExpiryNotices()
        let certificates = [
            certificate(0, names: ["a.example", "b.example", "c.example"]), certificate(1, names: ["a\nb"]),
        ]
        let lines = notices.look(at: certificates, now: Self.end - Self.day).map(\.description)
        #expect(lines[0].contains("for a.example and 2 other names expires"))
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }

    @Test("one line for each threshold, however often it is looked")
    func thresholds() {
        var notices = ExpiryNotices()
        var days: [Int64] = []
        for left in stride(from: Int64(40), through: -5, by: -1) {
            let found = notices.look(at: [certificate()], now: Self.end - left * Self.day)
            if !found.isEmpty { days.append(left) }
            #expect(found.count <= 1)
        }
        #expect(days == [30, 14, 7, 1, -1])
    }

    @Test("whoever comes late says the last threshold only")
    func late() {
        var notices = ExpiryNotices()
        #expect(notices.look(at: [certificate()], now: Self.end - 6 * Self.day).count == 1)
        #expect(notices.look(at: [certificate()], now: Self.end - 5 * Self.day).isEmpty)
    }

    @Test("of new certificates what is near is said, and the expired ones are left to the loading")
    func new() {
        var notices = ExpiryNotices()
        let near = certificate(1, end: Self.end + 5 * Self.day)
        let certificates = [certificate(), near]
        #expect(notices.lookAtNew(certificates, now: Self.end + 1).map(\.path) == ["certs/1/fullchain.pem"])
        #expect(notices.lookAtNew(certificates, now: Self.end + 2).isEmpty)
        #expect(notices.look(at: certificates, now: Self.end + 3).isEmpty)
        #expect(notices.lookAtNew(certificates + [certificate(2)], now: Self.end - Self.day).count == 1)
        // A threshold that is crossed between two looks is not lost to a look at the new ones.
        #expect(notices.lookAtNew([near], now: Self.end + 4 * Self.day).isEmpty)
        #expect(notices.look(at: [near], now: Self.end + 4 * Self.day).count == 1)
    }

    @Test("a clock that jumps makes no storm, and nothing is lost when it is right again")
    func jumps() {
        var notices = ExpiryNotices()
        let certificates = (0..<10_000).map { certificate($0) }
        let now = Self.end - 60 * Self.day
        #expect(notices.look(at: certificates, now: now).isEmpty)
        let storm = notices.look(at: certificates, now: now + 100 * Self.day)
        #expect(storm.count == ExpiryNotices.mostAtOnce + 1)
        #expect(storm.last?.message.contains("9979 more") == true)
        #expect(notices.look(at: certificates, now: now + 100 * Self.day).isEmpty)
        #expect(notices.look(at: certificates, now: now).isEmpty)
        #expect(notices.look(at: [certificate()], now: Self.end - 30 * Self.day).count == 1)
    }
}
